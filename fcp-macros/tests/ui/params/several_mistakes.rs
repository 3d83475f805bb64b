#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// The place of a new shape.
#[derive(FcpParams)]
pub struct Placement {
    pub class: bool,
    #[fcp(flag)]
    pub style: Text,
    #[fcp(alias = "style")]
    pub look: Option<Vec<Text>>,
    #[fcp(key = "style")]
    pub fill: Text,
}

fn main() {}
