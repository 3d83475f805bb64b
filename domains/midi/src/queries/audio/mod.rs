//! What only a program with sound answers.

mod preview;
