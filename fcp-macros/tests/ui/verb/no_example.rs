#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Draw a circle.
#[fcp_verb(category = "Shapes")]
pub fn circle(
    drawing: &mut Drawing,
    #[fcp(positional)] name: Name,
    r: Int<1, 9>,
    fill: Option<Name>,
) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
