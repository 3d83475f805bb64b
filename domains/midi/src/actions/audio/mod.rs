//! Actions of a program built with sound.
//! The synthesizer is in `audio`.

mod export_wav;
