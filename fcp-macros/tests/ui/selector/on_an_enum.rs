#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes that are red.
#[fcp_selector]
pub enum Red {}

fn main() {}
