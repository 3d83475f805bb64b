//! `bbox`

use fcp::prelude::*;
use kurbo::Rect;

use crate::display::lines;
use crate::model::{Drawing, NodeId};

/// Say where objects lie: corner and size in canvas units; of several, of each and of all.
///
/// ```fcp
/// # raw '<rect id="card" x="40" y="60" width="320" height="180" stroke="red" stroke-width="2"/>'
/// # raw '<circle id="dot" cx="10" cy="10" r="5"/>'
/// ? bbox card
/// > card 40,60 320x180
/// ? bbox card stroke:on
/// > card 39,59 322x182
/// ? bbox card,dot
/// > card 40,60 320x180
/// > dot 5,5 10x10
/// > all 5,5 355x235
/// ```
#[fcp_query]
pub fn bbox(
    drawing: &Drawing,
    /// The objects.
    rows: Rows,
    /// Strokes count.
    #[fcp(default = Switch(false))]
    stroke: Switch,
) -> Result<Vec<String>> {
    let geometry = drawing.geometry();
    let precision = geometry.precision();
    let mut all: Option<Rect> = None;
    let mut boxes = Vec::with_capacity(rows.len() + 1);
    for row in rows.iter() {
        let id = NodeId::new(row.id());
        geometry.check_copies(id)?;
        let found = if stroke.0 {
            geometry.stroke_box(id)
        } else {
            geometry.bbox(id)
        };
        let name = drawing.nodes.name(id);
        boxes.push(match found {
            Some(found) => format!("{name} {}", lines::frame(found, precision)),
            None => format!("{name} draws nothing"),
        });
        all = match (all, found) {
            (Some(all), Some(found)) => Some(all.union(found)),
            (all, found) => all.or(found),
        };
    }
    if let Some(all) = all.filter(|_| rows.len() > 1) {
        boxes.push(format!("all {}", lines::frame(all, precision)));
    }
    Ok(boxes)
}
