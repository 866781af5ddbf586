//! The one integration test binary: a file a subject.

mod adapters;
mod check;
mod decision_log;
mod failures;
mod fake_model;
mod install;
mod process;
mod real_agents;
