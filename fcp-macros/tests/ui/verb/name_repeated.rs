#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_verb(category = "Shapes", name = "add circle")]
pub fn add_circle(drawing: &mut Drawing) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
