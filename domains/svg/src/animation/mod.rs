//! Calculations for `animate`: the target, the values and the timing.
//! Other definitions are in `define`.

mod animated;
mod course;
mod timing;

pub use animated::{Animated, Values, own_center};
pub use course::Course;
pub use timing::Timing;
