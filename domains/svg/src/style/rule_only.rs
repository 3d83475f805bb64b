//! Properties that only rules set.

use fcp::prelude::*;

use super::{Origin, Specified};
use crate::model::{Drawing, NodeId};
use crate::property;

/// The error that only rules set the properties, and the elements themselves do not; `None` if
/// there is something to remove.
///
/// # Errors
/// If there are too many rules to be certain.
pub(crate) fn decided(
    drawing: &Drawing,
    ids: &[NodeId],
    names: &[String],
) -> Result<Option<Diagnostic>> {
    let styles = drawing.styles();
    styles.whole()?;
    let mut first = None;
    for id in ids {
        for name in names {
            if drawing.declares(*id, name) {
                return Ok(None);
            }
            let specified = property::named(name).and_then(|_| styles.specified(*id, name));
            if let Some(Specified {
                origin: Origin::Rule(rule),
                ..
            }) = specified
            {
                first = first.or(Some((*id, name, rule)));
            }
        }
    }
    Ok(first.map(|(id, name, rule)| {
        let called = drawing.nodes.name(id);
        let error = Diagnostic::new(format!("rule {rule} decides the {name} of {called}"));
        match property::named(name) {
            Some(property) => error.or_try(format!(
                "style {called} {name}:{}",
                fcp::op::quote_value(property.initial)
            )),
            None => error,
        }
    }))
}
