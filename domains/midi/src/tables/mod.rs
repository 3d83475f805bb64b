//! The tables that SQL reads, one a file: what the rows of a song are, with where they are in it.

mod bars;
mod events;
mod notes;
mod placed;
mod tracks;
