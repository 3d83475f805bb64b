//! Values that only drawings have.

mod about;
mod axis;
mod factors;
mod place;
mod radii;
mod segment_kind;
mod segment_range;

pub use about::About;
pub use axis::Axis;
pub use factors::Factors;
pub use place::{Corner, Place};
pub use radii::Radii;
pub use segment_kind::SegmentKind;
pub use segment_range::SegmentRange;
