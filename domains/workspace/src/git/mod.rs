//! The real `git`, run so that nothing outside the repository can change its output, nothing in it can start a program,
//! and nothing is written to it. Files that git need not be asked about are in [`files`](crate::files).

mod fingerprint;
mod head;
mod index;
mod repository;
mod run;

pub use fingerprint::{Listing, Taken, fingerprint, is_passing, temporary};
pub use head::{Tree, objects, tree};
pub use repository::{Repository, check_version};
pub use run::Environment;
