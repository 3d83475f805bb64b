#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct ShapeRow(Id<Shape>, String);

fn main() {}
