//! `map`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::overview::outline::{counts, definitions, headline, is_opened, mapped, objects};

/// Show what the drawing holds: its title, size and counts, its definitions, and its content.
///
/// Containers are shown with the size of their content. If there is only one, its content is shown too.
///
/// ```fcp
/// # define gradient id:sunset colors:red,blue
/// # add circle id:sun r:150 at:300,300 fill:gradient:sunset
/// # add group id:bars
/// # add rect id:q1 at:40,140 size:60x100 fill:steelblue in:bars
/// # add box API id:api at:400,40 size:100x40 fill:#e8f0fe
/// # connect api -> sun
/// ? map
/// > untitled 800x600 viewBox 0,0,800,600
/// > 4 shapes, 1 text, 3 groups, 2 definitions
/// > defs: sunset(gradient), triangle-333(marker)
/// >   sun(circle) @(150,150 300x300) gradient:sunset
/// >   bars(group) @(40,140 60x100) 1 inside
/// >   api(box) @(400,40 100x40) #e8f0fe "API"
/// >   api-sun(link) api->sun
/// ```
#[fcp_query]
pub fn map(drawing: &Drawing) -> Result<Listing<'_>> {
    let nodes = &drawing.nodes;
    let Some(root) = nodes.root() else {
        bail!("there is no drawing"; try: "! new")
    };
    let mut rows: Vec<(usize, NodeId)> = Vec::new();
    let (mut level, mut outer) = (1, root);
    loop {
        let inner: Vec<NodeId> = objects(nodes, outer).collect();
        rows.extend(inner.iter().map(|id| (level, *id)));
        match inner.as_slice() {
            [only] if is_opened(nodes, *only) => (level, outer) = (level + 1, *only),
            _ => break,
        }
    }
    let (geometry, styles) = (drawing.geometry(), drawing.styles());
    let line = move |(level, id): (usize, NodeId)| {
        let indent = "  ".repeat(level.min(20));
        format!("{indent}{}", mapped(drawing, &geometry, &styles, id))
    };
    let mut listing = Listing::lines(rows.len(), rows.into_iter().map(line))
        .under(headline(drawing, root))
        .under(counts(nodes));
    if let Some(defs) = definitions(nodes) {
        listing = listing.under(defs);
    }
    Ok(listing)
}
