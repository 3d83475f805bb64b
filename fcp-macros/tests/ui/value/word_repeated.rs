#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
pub enum Figure {
    #[fcp(word = "dotted-half")]
    DottedHalf,
}

fn main() {}
