//! The universal verbs, derived from the model's shape.

use crate::domain::Domain;
use crate::verb::Verb;

/// The verbs every domain has unless it writes its own.
#[must_use]
pub fn universal<M: Domain>() -> Vec<&'static Verb<M>> {
    Vec::new()
}
