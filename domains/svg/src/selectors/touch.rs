//! `@touch`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::values::Area;

/// Objects whose box meets an area, borders included.
#[fcp_selector]
pub fn touch(drawing: &Drawing, area: Area) -> Pick<'_> {
    let (geometry, area) = (drawing.geometry(), area.rect());
    Pick::test(move |row| {
        let found = geometry.bbox(NodeId::new(row.id()));
        found.is_some_and(|found| {
            area.x0 <= found.x1 && area.y0 <= found.y1 && found.x0 <= area.x1 && found.y0 <= area.y1
        })
    })
}
