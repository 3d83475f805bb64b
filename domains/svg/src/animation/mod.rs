//! Calculations for `animate`: the target, the values and the timing.
//! Other definitions are in `define`.

mod animated;
mod timeline;
mod timing;

pub use animated::{Animated, Values, own_center};
pub use timeline::Course;
pub use timing::Timing;
