//! The queries.

mod colors;
mod css;
