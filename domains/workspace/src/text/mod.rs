//! Contents as text: lines, searches, bundles.

mod bundle;
mod lines;
mod search;

pub use bundle::{json, tar};
pub use lines::{Eol, Text};
pub use search::{Match, SEARCHED, Searcher};
