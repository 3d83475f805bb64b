//! The selectors.

mod class;
mod fill;
mod font;
mod has;
mod hidden;
mod stroke;
