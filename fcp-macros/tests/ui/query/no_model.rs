#![allow(unused)]

use fcp::prelude::*;

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_query]
pub fn circle(name: Name) -> Result<String> {
    Ok(String::new())
}

fn main() {}
