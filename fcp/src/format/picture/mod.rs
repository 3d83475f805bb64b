//! SVG to PNG, and text measurement, with one renderer and one set of fonts.
//!
//! Drawings are rendered in their own process ([`render_in_worker`]), since a short file can demand
//! hours and gigabytes. Nothing is fetched: references resolve to `#id`, to `data:`, and to the
//! given images. The bundled fonts draw any text that no other font can draw, so no text is lost.

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
pub use flags::{FONTS, NO_SYSTEM_FONTS, RENDER_TIME, limits, timed};
pub use fonts::{Face, Family, Fonts, Generics, Library, Origin};
pub use job::render_in_worker;
pub use measure::{Anchor, LONGEST_TEXT, Line, Measured, Rect, TextStyle, measure, text_box};
pub use placed::Placed;
pub use render::{Options, Picture, render};
pub use size::{MOST_PIXELS, Region, Size, WIDEST};
pub use uses::MOST_COPIES;
