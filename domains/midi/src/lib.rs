//! Standard MIDI Files, edited through FCP.

pub mod smf;
