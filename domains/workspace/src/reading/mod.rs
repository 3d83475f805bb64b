//! Replies of the reading tools.

pub mod changes;
pub mod diff;
pub mod list;
pub mod part;
pub mod search;
