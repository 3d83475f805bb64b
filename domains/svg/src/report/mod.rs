//! Reports of a drawing: all of an element, and the outline of all.
//! One line of an element is in [`display`](crate::display).

pub mod description;
pub mod outline;
