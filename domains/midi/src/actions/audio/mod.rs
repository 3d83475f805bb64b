//! What only a program with sound does.

mod export_wav;
