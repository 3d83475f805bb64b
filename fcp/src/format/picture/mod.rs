//! SVG to PNG, and what text measures, by one renderer and one set of fonts.
//!
//! Drawing is done in a process of its own ([`render_in_worker`]), since a short file can ask for hours and gigabytes.
//! Nothing is fetched: references resolve to `#id`, to `data:`, and to the images that are handed over. The fonts that
//! are bundled draw any text that no other font draws, so no text vanishes.

mod error;
mod flags;
mod folder;
mod fonts;
mod images;
mod job;
mod measure;
mod placed;
mod render;
mod size;
mod uses;

pub use error::Error;
pub use flags::{FONTS, NO_SYSTEM_FONTS, RENDER_TIME, limits};
pub use fonts::{Face, Family, Fonts, Generics, Library, Origin};
pub use job::render_in_worker;
pub use measure::{Anchor, LONGEST_TEXT, Line, Measured, Rect, TextStyle, measure, text_box};
pub use placed::Placed;
pub use render::{Options, Picture, render};
pub use size::{MOST_PIXELS, Region, Size, WIDEST};
pub use uses::MOST_COPIES;
