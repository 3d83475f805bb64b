//! Values that only drawings have.

mod paint_pick;
mod style_target;

pub use paint_pick::PaintPick;
pub use style_target::StyleTarget;
