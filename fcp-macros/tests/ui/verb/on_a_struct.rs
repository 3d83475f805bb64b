#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

#[fcp_verb(category = "Shapes")]
pub struct Circle;

fn main() {}
