//! The verbs, a file each.

mod flip;
mod group;
mod r#move;
mod order;
mod raw;
mod remove;
mod rename;
mod rotate;
mod scale;
mod skew;
