//! Queries of a program built with sound.
//! The synthesizer is in `audio`.

mod preview;
