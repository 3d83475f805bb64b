//! The selectors that no field gives.

mod pitch;
mod range;
