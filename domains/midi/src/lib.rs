//! Standard MIDI Files, edited through FCP.
