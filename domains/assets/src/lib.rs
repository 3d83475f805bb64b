//! Schemas, examples, validation and patches of JSON assets.
//! Nothing but names is here; each room says what belongs there.

pub mod answer;
pub mod backend;
pub mod bundle;
mod command;
pub mod front;
pub mod json;
pub mod library;
pub mod log;
pub mod process;
mod service;
mod state;
mod tools;
pub mod verdict;

pub use state::Assets;
