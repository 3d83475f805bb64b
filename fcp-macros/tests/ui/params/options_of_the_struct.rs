#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Where a new shape goes.
#[derive(FcpParams)]
#[fcp(name = "place")]
pub struct Placement {
    pub class: Option<Text>,
}

fn main() {}
