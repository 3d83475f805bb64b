//! The verbs.

mod define_class;
mod set;
mod style;
mod unset;
