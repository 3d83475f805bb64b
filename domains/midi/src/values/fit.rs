//! Handling of pitches outside the range of MIDI.

use fcp::prelude::*;

/// Handling of a pitch that MIDI does not have.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It moves by octaves until MIDI has it.
    Octave,
}
