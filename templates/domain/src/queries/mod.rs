//! The queries besides the universal ones, one per file.

mod left;
