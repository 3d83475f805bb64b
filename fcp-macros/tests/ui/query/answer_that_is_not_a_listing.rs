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
#[fcp_query]
pub fn circle(drawing: &Drawing) -> Result<u8> {
    Ok(1)
}

fn main() {}
