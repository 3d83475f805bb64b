//! The log of changes: undo, redo, checkpoints.

pub mod log;

pub use log::{Checkpoint, CheckpointError, Entry, EventLog, Place, Reach, Savepoint, Since};
