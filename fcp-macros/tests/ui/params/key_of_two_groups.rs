#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The place of a new shape.
#[derive(FcpParams)]
pub struct Placement {
    /// Class names.
    pub class: Option<Text>,
}

/// The look of a shape.
#[derive(FcpParams)]
pub struct Look {
    pub fill: Option<Text>,
    #[fcp(alias = "class")]
    pub style: Option<Text>,
}

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_verb(category = "Shapes")]
pub fn circle(drawing: &mut Drawing, #[fcp(flatten)] placed: Placement, #[fcp(flatten)] look: Look) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
