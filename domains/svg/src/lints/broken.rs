//! `broken`

use fcp::format::xml::Element;
use fcp::model::Level;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId, aims};

/// A reference to an element that is not there.
#[fcp_lint(weight = 80)]
pub fn broken(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let index = nodes.tree().index();
    if index.references().1 == 0 {
        return Vec::new();
    }
    let missing = |row: &Row| {
        let id = NodeId::new(row.id());
        let mut values = nodes.element(id).into_iter().flat_map(Element::values);
        let told = values.find_map(|(name, value)| {
            let mut aims = aims(name, &value).into_iter();
            let lost = aims.find(|aim| index.with_id(aim, Level::Exact).is_empty())?;
            Some(format!(
                "{} refers to {lost}, which is not there ({name})",
                drawing.titled(id)
            ))
        });
        told.map(|told| (*row, told))
    };
    rows.iter().filter_map(missing).collect()
}
