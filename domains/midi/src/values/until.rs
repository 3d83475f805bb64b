//! New ends of notes without an end.

use fcp::prelude::*;

/// The new end of a note that nothing ends, if no note of its pitch starts before.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The end of its track.
    Track,
    /// The end of its bar.
    Bar,
}
