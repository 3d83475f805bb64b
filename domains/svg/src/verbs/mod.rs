//! The verbs, a file each.

mod align;
mod distribute;
mod flip;
mod r#move;
mod raw;
mod rotate;
mod scale;
mod skew;
mod transform;
