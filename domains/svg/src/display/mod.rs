//! A drawing as text: the lines of replies, the digest, the rows of `diff` and `find`.
//! Nothing here changes a drawing; the answer of a single query is in `queries`.

pub(crate) mod changed;
pub(crate) mod diff;
pub(crate) mod digest;
pub(crate) mod form;
pub mod lines;
pub mod places;
pub(crate) mod search;
