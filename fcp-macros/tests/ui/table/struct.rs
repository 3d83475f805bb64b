#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes.
#[fcp_table]
pub struct Shapes;

fn main() {}
