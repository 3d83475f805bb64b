#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The place of a new shape.
#[derive(FcpParams)]
#[fcp(name = "place")]
pub struct Placement {
    pub class: Option<Text>,
}

fn main() {}
