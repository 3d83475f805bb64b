//! A call on a served root: its mode, its lease, and the state of the repository that it works on.
//! Reads and changes of one tool are not here.

mod lease;
mod request;
mod workspace;

pub use lease::{Guard, Leases, Touched};
pub use request::{At, Ready, Session, StaleScope, read_only};
pub use workspace::{Served, Workspace};
