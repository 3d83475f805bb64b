#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
pub enum Figure {
    DottedHalf,
    #[fcp(alias = "dotted_half")]
    Half,
    #[fcp(word = "half")]
    Quarter,
}

fn main() {}
