//! The queries, a file each.

mod bbox;
mod overlap;
mod path;
