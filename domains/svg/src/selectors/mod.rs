//! The selectors.

mod child;
mod class;
mod fill;
mod font;
mod has;
mod hidden;
mod id;
mod r#in;
mod stroke;
mod text;
mod r#type;
mod unused;
mod uses;
