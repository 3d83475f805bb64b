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
#[fcp_verb(category = "Shapes")]
pub fn circle(drawing: &mut Drawing, #[fcp(alias = "{x}")] name: Name) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
