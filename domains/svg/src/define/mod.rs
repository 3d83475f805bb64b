//! Shared parts of the verbs that define: positions of definitions, and changes of existing ones.
//! Objects that are drawn themselves are in `create`.

mod blueprint;
mod change;
mod clip_mask_symbol;
mod content;
mod cover;
mod effect;
pub mod filter;
mod gradient;
mod marker;
mod pattern;
mod place;
mod recognised;
mod shape;
mod stops;

pub use blueprint::Blueprint;
pub use change::{Change, own_keys};
pub use clip_mask_symbol::{Content, Holder};
pub use content::CLIPPING;
pub use cover::cover;
pub use effect::Effect;
pub use filter::Filter;
pub use gradient::{Gradient, GradientGiven};
pub use marker::{Marker, MarkerGiven, SIZE as MARKER_SIZE};
pub use pattern::{Pattern, PatternGiven};
