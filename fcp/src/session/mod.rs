//! A session: one document, its log, its files.

pub mod actions;
pub mod files;
