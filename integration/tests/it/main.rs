//! The one integration test binary: a file a subject.

// So that clippy takes functions beside the tests for tests too: they may unwrap.
#![cfg(test)]

mod adapters;
mod check;
mod decision_log;
mod failures;
mod fake_model;
mod install;
mod process;
mod real_agents;
