#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
pub enum Figure {
    Whole,
    Half(u8),
    Dotted { by: u8 },
}

fn main() {}
