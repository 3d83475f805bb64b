#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The place of a new shape.
#[derive(FcpParams)]
pub struct Placement {
    /// Class names.
    pub class: Option<Text>,
}

/// The look of a shape.
#[derive(FcpParams)]
pub struct Look {
    #[fcp(flatten)]
    pub placed: Placement,
}

fn main() {}
