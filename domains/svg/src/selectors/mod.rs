//! The selectors, one per file.
//! CSS selectors are in `css` and `style`.

mod at;
mod child;
mod class;
mod empty;
mod fill;
mod font;
mod has;
mod hidden;
mod id;
mod r#in;
mod layer;
mod linked;
mod range;
mod stroke;
mod text;
mod touch;
mod r#type;
mod unused;
mod uses;
