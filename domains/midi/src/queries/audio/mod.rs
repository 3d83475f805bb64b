//! Queries of a program built with sound.

mod preview;
