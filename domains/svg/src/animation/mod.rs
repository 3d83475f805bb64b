//! What `animate` calculates: what changes, through which values, and when.

mod animated;
mod course;
mod timing;

pub use animated::{Animated, Values, own_center};
pub use course::Course;
pub use timing::Timing;
