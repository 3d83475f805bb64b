//! Actions of a program built with sound.

mod export_wav;
