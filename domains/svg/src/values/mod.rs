//! Values that only drawings have.

mod about;
mod area;
mod axis;
mod depth;
mod factors;
mod glob;
mod kind_name;
mod paint_pick;
mod paper;
mod place;
mod side;
mod style_target;
mod units;

pub use about::About;
pub use area::Area;
pub use axis::Axis;
pub use depth::Depth;
pub use factors::Factors;
pub use glob::Glob;
pub use kind_name::KindName;
pub use paint_pick::PaintPick;
pub use paper::Paper;
pub use place::{Corner, Place};
pub use side::{Line, Side};
pub use style_target::StyleTarget;
pub use units::Units;
