//! The built-in packs, compiled: what `build.rs` wrote.

use hookguard_core::Decision;

use crate::rule::{Examples, On, Program, Role, Rule, When};
use crate::rules;

include!(concat!(env!("OUT_DIR"), "/packs.rs"));
