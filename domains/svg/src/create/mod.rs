//! Shared parts of the verbs that draw and modify objects: site, position, texts, bytes.
//! Definitions are in `define`, links in `connectors`, attributes in `edit`.

mod along;
mod amend;
mod amended;
mod boxed;
mod change;
mod effective;
mod element;
mod insertion_point;
mod place;
mod position;
mod refer;
mod retext;
mod rewrite;
pub mod shapes;
mod text;
mod titling;
mod wording;
mod wrap;
mod written;

pub use amend::Amendment;
pub use change::{attributes, own_keys, place_of};
pub use effective::Going;
pub use element::Sketch;
pub use insertion_point::{Drawn, Site};
pub use position::{Extent, Position};
pub use refer::href;
pub use text::{LINE_HEIGHT, Layout, lines_of};
pub use wording::Wording;
pub use wrap::WRAP;
pub use written::properties;
