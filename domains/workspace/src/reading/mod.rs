//! Replies of the reading tools, from the work tree and from snapshots.
//! Nothing here changes a file.

pub mod changes;
pub mod diff;
pub mod list;
pub mod part;
pub mod search;
