//! What integration tests stand on: throw-away homes, the built binary, a fake model server, and the real agents.
//!
//! Nothing here leaves the machine's loopback but one `npm install` an agent and version ([`agents`]).

pub mod agents;
pub mod binary;
pub mod fake_model;
pub mod process;
pub mod sandbox;
pub mod terminal;

pub use process::{Exit, Finished, Invocation};
pub use sandbox::Sandbox;
