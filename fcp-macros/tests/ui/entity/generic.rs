#![allow(unused)]

use fcp::prelude::*;

/// A mark.
#[derive(FcpEntity)]
pub struct Mark<T> {
    kind: T,
}

fn main() {}
