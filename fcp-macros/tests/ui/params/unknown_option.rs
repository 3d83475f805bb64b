#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Where a new shape goes.
#[derive(FcpParams)]
pub struct Placement {
    #[fcp(optional)]
    pub class: Text,
}

fn main() {}
