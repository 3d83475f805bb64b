//! The queries, one per file.
//! Lines that replies share are in `display`, longer texts in `overview`.

mod bbox;
mod colors;
mod css;
mod defs;
mod describe;
mod fonts;
mod list;
mod map;
mod measure;
mod overlap;
mod path;
mod refs;
mod render;
mod stats;
mod svg;
mod tree;
