//! The verbs, a file each.

mod align;
mod define_class;
mod distribute;
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
mod transform;
mod unset;
