#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
pub union Figure {
    half: u8,
}

fn main() {}
