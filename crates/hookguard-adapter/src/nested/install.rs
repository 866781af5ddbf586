//! Registration in a settings file of the dialect.
use super::Nested;
use crate::{Installed, Plan, PlanError, PlanRequest, SettingsFiles};

impl Nested {
    /// x
    pub fn plan(&self, ask: &PlanRequest<'_>, _files: &SettingsFiles) -> Result<Plan, PlanError> {
        Err(PlanError::NoPlace { agent: self.profile.name, scope: ask.scope })
    }
    /// x
    pub fn inspect(&self, ask: &PlanRequest<'_>, _files: &SettingsFiles) -> Result<Installed, PlanError> {
        Err(PlanError::NoPlace { agent: self.profile.name, scope: ask.scope })
    }
}
