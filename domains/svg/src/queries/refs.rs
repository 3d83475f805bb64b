//! `refs`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId, targets};

/// Say what refers to an element, and what it refers to.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/><rect id="card" width="40" height="20" fill="url(#sky)"/>'
/// ? refs sky
/// > used by rect card (fill)
/// ? refs card
/// > uses sky
/// ```
#[fcp_query]
pub fn refs(
    drawing: &Drawing,
    /// The element.
    #[fcp(positional)]
    element: Row,
) -> Result<Vec<String>> {
    let id = NodeId::new(element.id());
    let own = drawing.nodes.own_id(id).map(std::borrow::Cow::into_owned);
    let users = drawing.users(own.as_slice());
    let mut lines: Vec<String> = users
        .into_iter()
        .map(|(user, attribute)| format!("used by {} ({attribute})", drawing.titled(user)))
        .collect();
    let inside = drawing.nodes.element(id).map(targets).unwrap_or_default();
    lines.extend(inside.into_iter().map(|target| format!("uses {target}")));
    if lines.is_empty() {
        lines.push(format!(
            "nothing refers to {}, and it refers to nothing",
            drawing.nodes.name(id)
        ));
    }
    Ok(lines)
}
