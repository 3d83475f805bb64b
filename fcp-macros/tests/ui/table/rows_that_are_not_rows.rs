#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes.
#[fcp_table]
pub fn shapes(drawing: &Drawing) -> Vec<String> {
    Vec::new()
}

fn main() {}
