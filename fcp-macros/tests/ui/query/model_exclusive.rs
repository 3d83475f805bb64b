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
pub fn circle(drawing: &mut Drawing) -> Result<String> {
    Ok(String::new())
}

fn main() {}
