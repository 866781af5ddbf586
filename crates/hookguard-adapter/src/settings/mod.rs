//! placeholder until branch `settings` lands
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("x")]
pub struct SettingsError;
