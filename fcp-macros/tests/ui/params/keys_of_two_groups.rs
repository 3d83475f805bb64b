#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The look of a shape.
#[derive(FcpParams)]
pub struct Look {
    pub style: Keys,
}

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_verb(category = "Shapes")]
pub fn circle(drawing: &mut Drawing, others: Keys, #[fcp(flatten)] look: Look) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
