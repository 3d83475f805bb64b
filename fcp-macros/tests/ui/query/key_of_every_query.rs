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
pub fn circle(drawing: &Drawing, limit: u8, #[fcp(alias = "from")] start: u8) -> Result<String> {
    Ok(String::new())
}

fn main() {}
