//! The queries, a file each.

mod bbox;
mod colors;
mod css;
mod defs;
mod fonts;
mod measure;
mod overlap;
mod path;
mod refs;
mod render;
mod svg;
mod tree;
