//! The queries beside the universal ones, one a file.

mod left;
