//! Text by its grammar: numbers, ids, references, declarations, points, paints.
//! Nothing here knows a drawing; CSS, paths and transforms have rooms of their own.

pub mod declarations;
pub(crate) mod effective;
pub mod href;
pub mod id;
pub mod number;
pub mod paint;
pub mod points;
pub(crate) mod scripts;
pub(crate) mod view_box;
