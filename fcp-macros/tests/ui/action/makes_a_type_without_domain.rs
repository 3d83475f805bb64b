#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Draw a circle.
#[fcp_action]
pub fn circle(name: Name) -> Result<Shape> {
    Ok(Shape { name })
}

fn main() {}
