//! Values of ops that need the drawing: points, centres, pictures, covers.
//! Nothing here changes it; values that need no drawing are in `values`.

mod cover;
mod embed;
mod image;
mod line;
mod link_word;
pub(crate) mod meant;
mod picture_source;
mod place;
mod rotation_center;
mod spot;
mod style_target;
mod toward;
pub(crate) mod units;

pub use cover::Cover;
pub use embed::Embed;
pub use line::Line;
pub use link_word::LinkWord;
pub use picture_source::PictureSource;
pub use place::{Corner, Place};
pub use rotation_center::About;
pub use spot::Spot;
pub use style_target::StyleTarget;
pub use toward::Toward;
