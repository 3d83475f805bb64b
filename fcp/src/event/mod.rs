//! The log of changes: undo, redo, checkpoints.
//! Changes are recorded by `model`; the words of actions are in `session`.

pub mod log;

pub use log::{Checkpoint, CheckpointError, Entry, EventLog, Place, Reach, Savepoint, Since};
