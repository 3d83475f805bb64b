//! Contents as text: lines, differences, patches, searches, bundles.

mod apply;
mod bundle;
mod diff;
mod edit;
mod lines;
mod patch;
mod search;

pub use apply::{Offset, Reason, Reject, apply, repeated};
pub use bundle::{json, tar};
pub use diff::{FileDiff, Side, compare};
pub use edit::replace;
pub use lines::{Eol, Text, is_binary, split};
pub use patch::{Action, Hunk, Section, parse};
pub use search::{Match, Searcher};
