#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// draws circles
#[fcp_verb(colour = "red", deletes = true)]
pub async fn circle(
    drawing: &Drawing,
    #[fcp(positional, flag)] name: &str,
    #[fcp(default = 1)] r: Option<u8>,
    (x, y): (u8, u8),
) -> String {
    String::new()
}

fn main() {}
