//! What `animate` calculates: what changes, through which values, and when.

mod animated;
mod timing;

pub use animated::{Animated, Values, own_center};
pub use timing::Timing;
