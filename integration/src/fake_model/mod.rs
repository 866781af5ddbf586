//! A model that says what a test told it to say, in the two wire protocols that the agents speak.
//!
//! It is scripted turn by turn, resolves neutral wishes ("run this command") to whatever tools the agent declares, and
//! keeps what it was told, so that a test can see what a refusal looks like from the model's side.

mod anthropic;
mod responses;
mod script;
mod server;
mod tools;
mod transcript;

pub use script::{Block, Script, Turn};
pub use server::FakeModel;
pub use tools::Call;
pub use transcript::{Kind, Request, Speaker, Told};
