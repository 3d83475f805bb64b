//! The queries, a file each.

mod bbox;
mod colors;
mod css;
mod overlap;
