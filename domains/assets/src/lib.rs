//! Schemas, examples, validation and patches of JSON assets.

mod assets;
pub mod backend;
pub mod bundle;
mod command;
pub mod constant;
pub mod diff;
pub mod failure;
pub mod front;
pub mod json;
pub mod judged;
mod large;
pub mod library;
pub mod log;
pub mod patch;
pub mod process;
mod resources;
mod tools;
pub mod verdict;

pub use assets::Assets;
