//! Shared parts of the verbs that draw: the new element's site, position and bytes.

mod along;
mod amend;
mod amended;
mod boxed;
mod change;
mod element;
mod place;
mod position;
mod refer;
mod retext;
mod rewrite;
mod site;
mod text;
mod titling;
mod wording;
mod wrap;
mod written;

pub use amend::Amendment;
pub use change::{attributes, own_keys, place_of};
pub use element::Sketch;
pub use position::{Extent, LocalPoint, Position};
pub use refer::href;
pub use site::{Drawn, Site};
pub use text::{LINE_HEIGHT, Layout, lines_of};
pub use wording::Wording;
pub use wrap::WRAP;
pub use written::properties;
