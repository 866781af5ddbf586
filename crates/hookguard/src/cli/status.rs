//! x
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}
pub(super) fn run(_a: &Arguments) -> anyhow::Result<u8> {
    anyhow::bail!("x")
}
