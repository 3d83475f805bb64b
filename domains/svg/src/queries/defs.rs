//! `defs`

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::Drawing;
use crate::model::kind::Role;

/// List definitions, with how many references each has.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/><rect id="card" width="40" height="20" fill="url(#sky)"/>'
/// ? defs
/// > gradient sky: 1 use
/// ```
#[fcp_query]
pub fn defs(drawing: &Drawing) -> Result<Vec<String>> {
    let nodes = &drawing.nodes;
    let definitions = nodes
        .elements()
        .filter(|id| nodes.role(*id) == Role::Definition);
    let counts = definitions.map(|id| {
        let own = nodes.attr(id, "id");
        let uses = own.map_or(0, |own| nodes.tree().index().references_to(&own));
        format!("{}: {}", drawing.titled(id), count(uses, "use"))
    });
    let counts: Vec<String> = counts.collect();
    Ok(if counts.is_empty() {
        vec!["no definitions".to_owned()]
    } else {
        counts
    })
}
