//! What the verbs that define share: where definitions stand, and how one that is there becomes another.

mod blueprint;
mod change;
mod effect;
pub mod filter;
mod gradient;
mod place;
mod recognised;

pub use blueprint::Blueprint;
pub use change::{Change, own_keys};
pub use effect::Effect;
pub use filter::Filter;
pub use gradient::{Gradient, GradientGiven};
