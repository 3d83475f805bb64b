//! Checklist files, edited through FCP: tasks in sections.

mod files;
mod lints;
pub mod model;
mod queries;
mod verbs;

use fcp::endpoint::{Config, Endpoint};
use fcp::prelude::*;
use fcp::session::Session;

pub use model::Checklist;

/// A session on a document, for a transport or a test.
///
/// # Errors
/// The root is no folder that can be read.
pub fn endpoint(config: &Config) -> Result<Box<dyn Endpoint>> {
    Ok(Box::new(Session::<Checklist>::new(config)?))
}
