//! `refs`

use fcp::prelude::*;
use fcp::work;

use crate::edit::sheet_links;
use crate::model::{Drawing, LINK_FROM, LINK_TO, NodeId};

/// The steps of a row's references.
const STEPS_A_ROW: usize = 10;

/// Say what refers to elements, and what they refer to.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/><rect id="card" width="40" height="20" fill="url(#sky)"/>'
/// ? refs sky
/// > used by rect card (fill)
/// ? refs card
/// > uses sky
/// # raw '<circle id="dot" cy="90" r="9"/>'
/// # connect card -> dot
/// ? refs dot
/// > used by link card-dot (to)
/// ? refs sky,dot
/// > gradient sky
/// >   used by rect card (fill)
/// > circle dot
/// >   used by link card-dot (to)
/// ```
#[fcp_query]
pub fn refs(
    drawing: &Drawing,
    /// The elements.
    rows: Rows,
) -> Result<Listing<'_>> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    if let [id] = ids.as_slice() {
        return Ok(Listing::of(references(drawing, *id)));
    }
    let of_row = move |id| {
        // The call fails at its next check.
        let _ = work::spend(STEPS_A_ROW);
        let lines = references(drawing, id).into_iter();
        let lines = lines.map(|line| format!("  {line}"));
        std::iter::once(drawing.titled(id)).chain(lines).collect()
    };
    Ok(Listing::rows(ids.len(), ids.into_iter().map(of_row)))
}

/// The references to and from an element, a line each.
fn references(drawing: &Drawing, id: NodeId) -> Vec<String> {
    if let Some(declared) = drawing.nodes.entity_decl(id) {
        let users = drawing.entity_users(declared.name()).into_iter();
        let lines: Vec<String> = users.map(|user| format!("used by {user}")).collect();
        return match lines.is_empty() {
            true => vec![format!("nothing refers to {}", drawing.titled(id))],
            false => lines,
        };
    }
    let own = drawing.nodes.own_id(id).map(std::borrow::Cow::into_owned);
    let users = drawing.users(own.as_slice());
    let mut lines: Vec<String> = users
        .into_iter()
        .map(|(user, attribute)| format!("used by {} ({attribute})", drawing.titled(user)))
        .collect();
    lines.extend(own.iter().flat_map(|own| links(drawing, own)));
    let ids = own.iter().map(String::as_str).collect();
    let instructions = sheet_links::users(drawing, &ids).into_iter();
    lines.extend(instructions.map(|_| format!("used by <?{}?>", sheet_links::NAME)));
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
    lines
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
