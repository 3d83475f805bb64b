//! Names of contents and of states: hashes, and the fingerprint of a repository.
//! Nothing here reads a file or asks git.

mod fingerprint;
mod hash;

pub use fingerprint::Fingerprint;
pub use hash::Blob;
