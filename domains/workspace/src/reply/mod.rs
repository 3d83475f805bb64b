//! Parts of any reply: its envelope, contents as text, errors, limits.
//! A reply of one tool alone is not here.

mod content;
mod envelope;
mod failure;
mod limits;

pub use content::{bytes, content};
pub use envelope::{
    Hybrid, Immutable, ManifestStats, True, UntilDirtyHint, Worktree, WorktreeMode,
};
pub use failure::{Answer, Code, Failure};
pub use limits::Limits;
