//! Shared parts of the verbs that define: positions of definitions, and changes of existing ones.
//! Objects that are drawn themselves are in `create`.

mod blueprint;
mod change;
mod content;
mod cover;
mod effect;
pub mod filter;
mod gradient;
mod holding;
mod marker;
mod pattern;
mod place;
mod recognised;
mod shape;

pub use blueprint::Blueprint;
pub use change::{Change, own_keys};
pub use cover::cover;
pub use effect::Effect;
pub use filter::Filter;
pub use gradient::{Gradient, GradientGiven};
pub use holding::{Content, Holder};
pub use marker::{Marker, MarkerGiven, SIZE as MARKER_SIZE};
pub use pattern::{Pattern, PatternGiven};
