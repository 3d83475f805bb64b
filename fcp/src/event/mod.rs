//! The log of what was done: undo, redo, checkpoints.

pub mod log;

pub use log::{Checkpoint, CheckpointError, Entry, EventLog, Place, Reach, Savepoint, Since};
