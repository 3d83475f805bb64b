//! Checklist files, edited through FCP: tasks in sections.

mod files;
mod lints;
pub mod model;
mod queries;
mod tables;
mod verbs;

pub use model::Checklist;
