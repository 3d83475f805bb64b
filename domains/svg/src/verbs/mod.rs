//! The verbs, a file each.

mod define_class;
mod flip;
mod r#move;
mod raw;
mod rotate;
mod scale;
mod set;
mod skew;
mod style;
mod unset;
