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

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_verb(category = "Shapes")]
pub fn circle(drawing: &mut Drawing, /** Its place. */ #[fcp(flatten)] placed: Placement) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
