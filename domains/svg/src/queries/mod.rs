//! The queries, a file each.

mod bbox;
mod colors;
mod css;
mod defs;
mod overlap;
mod path;
mod refs;
mod svg;
