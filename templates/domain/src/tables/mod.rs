//! The tables besides those of the rows, one per file.

mod schedule;
