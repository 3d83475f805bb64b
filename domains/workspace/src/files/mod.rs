//! Files of a work tree by their paths: the root's capability, with git's own files closed.
//! The choice of files is in [`capture`](crate::capture), their changes in [`changing`](crate::changing).

mod access;
mod path;

pub use access::{
    Commit, Dirs, Expect, Kind, Loaded, Place, Planned, Root, Stat, above, begin, below, is_nested,
    load, load_found, may_empty, not_in_git_dir, not_nested, now, open, open_root, reading,
    recover, stat, walk,
};
pub use path::{is_closed, parse};
