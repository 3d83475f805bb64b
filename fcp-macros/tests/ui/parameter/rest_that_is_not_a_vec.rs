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
pub fn circle(drawing: &mut Drawing, #[fcp(rest)] words: List<Text>) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
