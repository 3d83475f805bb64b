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
#[fcp_query(category = "Queries")]
pub fn circle(drawing: &Drawing) -> Result<String> {
    Ok(String::new())
}

fn main() {}
