//! The one integration test binary: a file a subject.

mod fake_model;
mod process;
mod real_agents;
