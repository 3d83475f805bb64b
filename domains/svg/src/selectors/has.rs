//! `@has`

use fcp::prelude::*;
use fcp::work;

use crate::model::{Drawing, NodeId};
use crate::property;
use crate::syntax::declarations::Declarations;

/// The bytes of declarations that are read in the time of a step.
const BYTES_A_STEP: usize = 16;

/// Elements with an attribute, or a declaration in `style=`.
#[fcp_selector]
pub fn has(drawing: &Drawing, name: Text) -> Pick<'_> {
    let long = property::find(name.as_str())
        .ok()
        .map(|property| property.name);
    Pick::test(move |row| {
        let Some(element) = drawing.nodes.element(NodeId::new(row.id())) else {
            return false;
        };
        let declares = |long: &str| {
            let style = element.attr("style").unwrap_or_default();
            // The call fails at its next check.
            let _ = work::spend(style.len() / BYTES_A_STEP);
            Declarations::of_attribute(&style).get(long).is_some()
        };
        element.attr(name.as_str()).is_some()
            || long.is_some_and(|long| element.attr(long).is_some() || declares(long))
    })
}
