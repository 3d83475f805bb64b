//! Snapshots and safe writes over a git work tree, as structured tools.
//!
//! Work-tree reads are tied to one state of the repository by a lease; a snapshot is an immutable
//! captured state, named by the hash of its content.

mod capture;
mod changing;
mod files;
mod git;
mod identity;
mod reading;
mod reply;
mod serving;
mod session;
mod store;
mod text;
mod tools;

pub use session::Workspace;
