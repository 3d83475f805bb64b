//! `@range`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::values::Area;

/// Objects whose box lies wholly inside an area, borders included.
#[fcp_selector]
pub fn range(drawing: &Drawing, area: Area) -> Pick<'_> {
    let (geometry, area) = (drawing.geometry(), area.rect());
    Pick::test(move |row| {
        let found = geometry.bbox(NodeId::new(row.id()));
        found.is_some_and(|found| {
            area.x0 <= found.x0 && area.y0 <= found.y0 && found.x1 <= area.x1 && found.y1 <= area.y1
        })
    })
}
