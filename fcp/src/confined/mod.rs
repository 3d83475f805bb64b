//! Files under a root, accessed by capability: no path leads out of it, whatever links there are.
//!
//! [`Root::resolve`] finds the place of a path: links inside the root are followed, component by
//! component, to a path without links. All other functions take such places and follow no links, so
//! a directory that is replaced by a link meanwhile is an error. [`Commit`] changes several files:
//! all of them, or none.

mod journal;
mod listing;
mod planned;
pub mod program_files;
mod read;
mod refusal;
mod root;
mod spelling;
mod stat;
mod step;
mod write;

pub use journal::{is_temporary, recover};
pub use listing::{Dirs, Walked, walk};
pub use planned::Planned;
pub use read::{Loaded, load, open, stat};
pub use refusal::{Kind as RefusalKind, Refusal};
pub use root::{Closed, Place, Root};
pub use spelling::relative;
pub use stat::{Kind, Stat, now};
pub use write::{Commit, Digest, Expect, Hash, may_empty};

/// Whether a path is equal to or below another. Everything is below the root.
#[must_use]
pub fn below(path: &str, top: &str) -> bool {
    top.is_empty()
        || path
            .strip_prefix(top)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The directories above a path, nearest last, without the root.
pub fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}
