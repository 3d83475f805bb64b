//! The queries, one per file, with the texts that only they show.
//! Lines that replies share are in `display`.

mod bbox;
mod colors;
mod css;
mod defs;
mod describe;
pub(crate) mod description;
mod fonts;
mod list;
mod map;
mod measure;
pub(crate) mod outline;
mod overlap;
mod path;
mod refs;
mod render;
mod stats;
mod svg;
mod tree;
