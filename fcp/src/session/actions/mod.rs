//! The session actions every domain has.

use crate::domain::Domain;
use crate::verb::Verb;

/// The session actions every domain has.
#[must_use]
pub fn universal<M: Domain>() -> Vec<&'static Verb<M>> {
    Vec::new()
}
