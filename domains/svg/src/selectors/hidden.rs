//! `@hidden`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Elements of which nothing is seen: not displayed, not visible, or of opacity 0.
#[fcp_selector]
pub fn hidden(drawing: &Drawing) -> Pick<'_> {
    let styles = drawing.styles();
    Pick::test(move |row| styles.is_hidden(NodeId::new(row.id())))
}
