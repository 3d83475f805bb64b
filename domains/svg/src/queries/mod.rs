//! The queries, a file each.

mod bbox;
mod defs;
mod overlap;
mod refs;
mod svg;
