#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
#[fcp(name = "FIGURE")]
pub enum Figure {
    Half,
}

fn main() {}
