#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The place of a new shape.
#[derive(FcpParams)]
pub struct Placement {
    #[fcp(rest)]
    pub names: Vec<Name>,
}

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_verb(category = "Shapes")]
pub fn circle(drawing: &mut Drawing, #[fcp(flatten)] placed: Placement, #[fcp(rest)] texts: Vec<Text>) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
