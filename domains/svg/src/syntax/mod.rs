//! The texts of attributes and files that know no drawing: numbers, ids, references, paints, points, declarations, pictures.
//! Style sheets, paths and transforms have rooms of their own.

pub mod declarations;
pub mod href;
pub mod id;
pub mod image;
pub mod number;
pub mod paint;
pub mod points;
pub mod scripts;
