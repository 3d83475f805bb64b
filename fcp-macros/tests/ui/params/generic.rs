#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Where a new shape goes.
#[derive(FcpParams)]
pub struct Placement<T> {
    pub class: Option<T>,
}

fn main() {}
