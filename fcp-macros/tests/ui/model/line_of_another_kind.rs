#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

fn line(_: &Sketch, _: Id<Song>, _: &Song) -> String {
    String::new()
}

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    #[fcp(line = line)]
    pub shapes: Table<Shape>,
}

fn main() {}
