#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
#[fcp(words)]
pub enum Figure {
    #[fcp(default)]
    Half,
}

fn main() {}
