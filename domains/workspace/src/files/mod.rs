//! Files under a root, reached by capability: no name leads out of it, and nothing of git's is touched.

mod listing;
mod path;
mod read;
mod root;
mod stat;
mod write;

pub use listing::{Dirs, Walked, walk};
pub use path::{above, below, is_closed, parse};
pub use read::{Loaded, load, open};
pub use root::{Place, Root};
pub use stat::{Kind, Stat, now};
pub use write::{Change, Commit, Expect, is_nested, may_empty, recover};
