//! Contents as text: lines, searches, bundles of a snapshot.
//! Nothing here reads a work tree.

mod bundle;
mod lines;
mod search;

pub use bundle::{json, tar};
pub use lines::{Eol, Text};
pub use search::{Match, Searcher};
