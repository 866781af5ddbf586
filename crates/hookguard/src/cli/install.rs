//! x
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}
pub(super) fn run(_a: &Arguments, _remove: bool) -> anyhow::Result<u8> {
    anyhow::bail!("x")
}
