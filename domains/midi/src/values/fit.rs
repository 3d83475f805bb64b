//! Handling of pitches outside the range of MIDI.

use fcp::prelude::*;

/// What becomes of a pitch that MIDI does not have.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It goes up or down by octaves until there is one.
    Octave,
}
