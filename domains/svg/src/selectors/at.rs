//! `@at`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::resolve::Place;

/// Objects whose painted fill or stroke covers a point.
#[fcp_selector]
pub fn at(drawing: &Drawing, place: Place) -> Pick<'_> {
    let geometry = drawing.geometry();
    Pick::test(move |row| geometry.covers(NodeId::new(row.id()), place.0))
}
