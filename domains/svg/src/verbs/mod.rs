//! The verbs, a file each.

mod define_class;
mod flip;
mod group;
mod r#move;
mod order;
mod raw;
mod remove;
mod rename;
mod rotate;
mod scale;
mod set;
mod skew;
mod style;
mod unset;
