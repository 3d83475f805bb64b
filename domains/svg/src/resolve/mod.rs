//! The words of an op as objects, points and files of a drawing.
//! Nothing here changes a drawing. Words that need no drawing are in [`values`](crate::values).

mod about;
mod cover;
mod embed;
mod link_word;
mod picture_source;
mod place;
mod side;
mod spot;
mod style_target;
mod toward;

pub use about::About;
pub use cover::Cover;
pub use embed::{Embed, taken_in};
pub use link_word::LinkWord;
pub use picture_source::PictureSource;
pub use place::{Corner, Place};
pub use side::{Line, Side};
pub use spot::Spot;
pub use style_target::StyleTarget;
pub use toward::Toward;
