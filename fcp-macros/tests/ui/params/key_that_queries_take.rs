#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The rows shown.
#[derive(FcpParams)]
pub struct Shown {
    pub limit: Option<Text>,
}

/// List shapes.
///
/// ```fcp
/// ? what
/// > …
/// ```
#[fcp_query]
pub fn what(drawing: &Drawing, #[fcp(flatten)] shown: Shown) -> Result<String> {
    Ok(String::new())
}

fn main() {}
