//! The files that count in a work tree, and their capture as a snapshot.
//! The keeping of a snapshot is in [`store`](crate::store).

mod candidates;
mod snapshot;

pub use candidates::{Names, Skipped, files, is_repository};
pub use snapshot::{What, capture};
