//! Snapshots and safe writes over a git work tree, as structured tools.
//!
//! Work-tree reads are tied to one state of the repository by a lease; a snapshot is an immutable
//! captured state, named by the hash of its content.

mod candidates;
mod canon;
mod capture;
mod changing;
mod derive;
mod failure;
mod files;
mod git;
mod guarded;
mod hash;
mod large;
mod lease;
mod path;
mod plan;
mod reading;
mod reply;
mod request;
mod resources;
mod shown;
mod store;
mod text;
mod tools;
mod workspace;

pub use workspace::Workspace;
