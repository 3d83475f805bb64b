#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Where a new shape goes.
#[derive(FcpParams)]
pub struct Placement {
    /// Class names.
    pub class: Option<Text>,
}

/// How a shape looks.
#[derive(FcpParams)]
pub struct Look {
    #[fcp(flatten)]
    pub placed: Placement,
}

fn main() {}
