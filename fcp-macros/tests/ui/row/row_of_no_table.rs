#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A song.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct SongRow {
    pub row: Id<Song>,
    /// Its name.
    pub name: String,
}

fn main() {}
