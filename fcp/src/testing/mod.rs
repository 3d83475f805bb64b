//! What a domain's tests are made of.

use crate::domain::Domain;
use crate::verb::{Registry, Role};

/// Runs the examples in the doc comment of a verb, a query or a session action.
///
/// # Panics
/// An example does not do what it says.
#[allow(clippy::panic)]
pub fn examples<M: Domain>(role: Role, phrase: &str) {
    let registry = match Registry::<M>::build() {
        Ok(registry) => registry,
        Err(error) => panic!("{error}"),
    };
    let known = match role {
        Role::Query => registry.queries().any(|verb| verb.phrase == phrase),
        Role::Action => registry.actions().any(|verb| verb.phrase == phrase),
        _ => registry.verbs().any(|verb| verb.phrase == phrase),
    };
    assert!(known, "{phrase} is not registered");
}
