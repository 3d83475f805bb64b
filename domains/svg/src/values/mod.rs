//! Values that only drawings have.

mod about;
mod axis;
mod factors;
mod paint_pick;
mod place;
mod style_target;

pub use about::About;
pub use axis::Axis;
pub use factors::Factors;
pub use paint_pick::PaintPick;
pub use place::{Corner, Place};
pub use style_target::StyleTarget;
