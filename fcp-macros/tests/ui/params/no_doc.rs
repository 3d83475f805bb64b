#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

#[derive(FcpParams)]
pub struct Placement {
    pub class: Option<Text>,
}

fn main() {}
