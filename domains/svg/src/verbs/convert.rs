//! `convert`

use fcp::prelude::*;

use crate::edit::convert::{converted, write};
use crate::model::{Drawing, NodeId};
use crate::values::ShapeKind;

/// Make shapes paths or polygons that draw the same. Their other attributes stay as they are.
///
/// A polygon in the place of curves goes along them within a tenth of a unit.
///
/// ```fcp
/// # raw '<rect id="card" x="1" y="2" width="40" height="20" fill="red"/>'
/// # raw '<circle id="dot" cx="50" cy="50" r="10"/>'
/// convert card,dot to:path
/// > @ 2 objects made paths: card, dot
/// ? svg card,dot
/// > <path id="card" d="M1,2 H41 V22 H1 Z" fill="red"/>
/// > <path id="dot" d="M60,50 A10,10 0 0 1 40,50 A10,10 0 0 1 60,50 Z"/>
/// convert card to:polygon
/// > * polygon card @(1,2 40x20)
/// convert card to:polygon
/// > = no change
/// # raw '<text id="word" x="1" y="2">word</text>'
/// convert word to:path
/// > ! word is a text, not a shape
/// >   try: ? describe word
/// ```
#[fcp_verb(category = "Paths")]
pub fn convert(
    drawing: &mut Drawing,
    /// The shapes.
    rows: Rows,
    /// The element they become.
    to: ShapeKind,
) -> Result<Reply> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    let geometry = drawing.geometry();
    let mut all = Vec::new();
    for id in &ids {
        if let Some(new) = converted(drawing, &geometry, *id, to)? {
            all.push((*id, new));
        }
    }
    let changed: Vec<NodeId> = all.iter().map(|(id, _)| *id).collect();
    for (id, new) in all {
        write(drawing, id, to, &new)?;
    }
    Ok(match changed.as_slice() {
        [] => return Ok(unchanged!("no change")),
        [id] => changed!("{}", drawing.placed(&drawing.geometry(), *id)),
        ids => bulk!(
            "{} objects made {}: {}",
            ids.len(),
            to.plural(),
            drawing.names_of(ids)
        ),
    })
}
