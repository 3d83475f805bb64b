//! `list`

use fcp::prelude::*;

use crate::geometry::Geometry;
use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::style::Styles;

/// List objects: name, type, box, fill, stroke, and the container.
///
/// ```fcp
/// # raw '<g id="logo"><circle id="dot" cx="5" cy="5" r="5" fill="red"/></g><text id="t" x="3" y="4">Hi</text>'
/// ? list
/// > logo group @(0,0 10x10)
/// > dot circle @(0,0 10x10) red none in:logo
/// > t text @(3,4) black none
/// ? list @type:text
/// > t text @(3,4) black none
/// ```
#[fcp_query]
pub fn list(
    drawing: &Drawing,
    /// The objects; all if left out.
    rows: Option<Rows>,
) -> Result<Listing<'_>> {
    let nodes = &drawing.nodes;
    let ids: Vec<NodeId> = match &rows {
        Some(rows) => rows.iter().map(|row| NodeId::new(row.id())).collect(),
        None => nodes.elements().filter(|id| nodes.is_object(*id)).collect(),
    };
    let (geometry, styles) = (drawing.geometry(), drawing.styles());
    Ok(Listing::lines(
        ids.len(),
        ids.into_iter()
            .map(move |id| listed(drawing, &geometry, &styles, id)),
    ))
}

/// `dot circle @(0,0 10x10) red none in:logo`
fn listed(drawing: &Drawing, geometry: &Geometry<'_>, styles: &Styles<'_>, id: NodeId) -> String {
    let nodes = &drawing.nodes;
    if nodes.declared_kind(id).is_some() {
        return drawing.declaration(id);
    }
    let mut line = format!(
        "{} {}{}",
        nodes.name(id),
        nodes.kind_name(id),
        drawing.lying(geometry, id)
    );
    let graphic = Some(id).filter(|id| nodes.role(*id) == Role::Graphic);
    let painted = graphic.filter(|id| !matches!(nodes.kind_name(*id), "image" | "use"));
    if let Some(painted) = painted.or_else(|| nodes.painted(id)) {
        for property in ["fill", "stroke"] {
            let paint = styles.computed(painted, property);
            line.push(' ');
            line.push_str(&nodes.shown_value(&paint.value));
        }
    }
    line + &drawing.container_suffix(id)
}
