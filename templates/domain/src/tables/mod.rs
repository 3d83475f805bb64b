//! The tables beside those of the rows, one a file.

mod schedule;
