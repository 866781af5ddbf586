//! The one integration test binary: a file a subject.

// So that clippy takes functions beside the tests for tests too: they may unwrap.
#![cfg(test)]

mod adapters;
mod allow;
mod check;
mod config;
mod decision_log;
mod disk;
mod doctor;
mod exec;
mod explain;
mod failures;
mod fake_model;
mod fuzz;
mod hook_bugs;
mod install;
mod install_scopes;
mod install_shapes;
mod install_writers;
mod judge;
mod judges_at_stop;
mod judges_of_projects;
mod ledger;
mod log;
mod one_policy;
mod process;
mod real_agents;
mod replay;
mod rules;
mod stop;
