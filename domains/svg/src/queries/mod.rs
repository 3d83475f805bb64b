//! The queries, a file each.

mod bbox;
mod colors;
mod css;
mod defs;
mod overlap;
mod refs;
mod svg;
