//! Changes of files, on the work tree or on a snapshot: planned, checked, then made.
//! Arguments and replies of one tool alone are in its file.

pub mod content;
pub mod derive;
pub mod edit;
pub mod expected;
pub mod fit;
pub mod plan;
pub mod removal;
pub mod target;
