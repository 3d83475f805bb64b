//! Values that only drawings have.

mod about;
mod area;
mod axis;
mod factors;
mod place;
mod side;

pub use about::About;
pub use area::Area;
pub use axis::Axis;
pub use factors::Factors;
pub use place::{Corner, Place};
pub use side::{Line, Side};
