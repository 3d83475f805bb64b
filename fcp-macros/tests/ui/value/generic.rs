#![allow(unused)]

use fcp::prelude::*;

/// The figure of a note.
#[derive(FcpValue, Clone, Copy)]
pub enum Figure<T> {
    Whole(T),
}

fn main() {}
