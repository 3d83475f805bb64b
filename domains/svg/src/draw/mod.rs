//! What the verbs that draw share: where an element goes, where it stands, and how its bytes look.

mod along;
mod amend;
mod change;
mod element;
mod position;
mod refer;
mod rewrite;
mod site;
mod text;
mod wrap;
mod written;

pub use amend::Amendment;
pub use change::{attributes, own_keys, place_of};
pub use element::Sketch;
pub use position::{Extent, Position, Stand};
pub use refer::href;
pub use site::{Drawn, Site};
pub use text::{LINE_HEIGHT, lines_of};
pub use wrap::WRAP;
pub use written::properties;
