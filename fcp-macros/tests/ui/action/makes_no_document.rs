#![allow(unused)]

use fcp::prelude::*;

/// Draw a circle.
#[fcp_action]
pub fn circle(name: Name) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
