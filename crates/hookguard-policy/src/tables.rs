//! The built-in packs, compiled: what `build.rs` wrote.

use hookguard_core::Decision;

use crate::rule::{Examples, Known, On, Program, Role, Rule, When};
use crate::rules;

include!(concat!(env!("OUT_DIR"), "/packs.rs"));
