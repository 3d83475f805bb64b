//! The selectors.

mod child;
mod id;
mod r#in;
mod text;
mod r#type;
mod unused;
mod uses;
