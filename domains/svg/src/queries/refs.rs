//! `refs`

use fcp::prelude::*;

use crate::model::{Drawing, LINK_FROM, LINK_TO, NodeId};

/// Say what refers to an element, and what it refers to.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/><rect id="card" width="40" height="20" fill="url(#sky)"/>'
/// ? refs sky
/// > used by rect card (fill)
/// ? refs card
/// > uses sky
/// # raw '<rect id="dot" y="90" width="9" height="9"/>'
/// # connect card -> dot
/// ? refs dot
/// > used by link card-dot (to)
/// ```
#[fcp_query]
pub fn refs(
    drawing: &Drawing,
    /// The element.
    #[fcp(positional)]
    element: Row,
) -> Result<Vec<String>> {
    let id = NodeId::new(element.id());
    if let Some(declared) = drawing.nodes.entity_decl(id) {
        let users = drawing.entity_users(declared.name()).into_iter();
        let lines: Vec<String> = users.map(|user| format!("used by {user}")).collect();
        return Ok(if lines.is_empty() {
            vec![format!("nothing refers to {}", drawing.titled(id))]
        } else {
            lines
        });
    }
    let own = drawing.nodes.own_id(id).map(std::borrow::Cow::into_owned);
    let users = drawing.users(own.as_slice());
    let mut lines: Vec<String> = users
        .into_iter()
        .map(|(user, attribute)| format!("used by {} ({attribute})", drawing.titled(user)))
        .collect();
    lines.extend(own.iter().flat_map(|own| links(drawing, own)));
    lines.extend(
        drawing
            .nodes
            .targets(id)
            .into_iter()
            .map(|target| format!("uses {target}")),
    );
    if lines.is_empty() {
        lines.push(format!(
            "nothing refers to {}, and it refers to nothing",
            drawing.nodes.name(id)
        ));
    }
    Ok(lines)
}

/// The links with this id as an end.
fn links<'d>(drawing: &'d Drawing, id: &'d str) -> impl Iterator<Item = String> + 'd {
    let nodes = &drawing.nodes;
    let links = nodes.tree().index().links_of(id).map(NodeId::new);
    links.flat_map(move |link| {
        let ends = [(LINK_FROM, "from"), (LINK_TO, "to")];
        let own = ends
            .into_iter()
            .filter(move |(name, _)| nodes.attr(link, name).is_some_and(|end| end == id));
        own.map(move |(_, end)| format!("used by {} ({end})", drawing.titled(link)))
    })
}
