//! Values that only drawings have.

mod about;
mod axis;
mod factors;
mod place;

pub use about::About;
pub use axis::Axis;
pub use factors::Factors;
pub use place::{Corner, Place};
