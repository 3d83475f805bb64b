//! `refs`

use fcp::prelude::*;

use super::row;
use crate::model::reference::{Reference, in_attribute};
use crate::model::{Drawing, SHEET};

/// A reference to an element.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct RefRow {
    pub row: Row,
    /// The attribute it is in; css in the text of a style sheet.
    #[fcp(by = "set")]
    pub place: String,
    /// The id it names; UPDATE elements SET id=… changes it with the element.
    #[fcp(by = "set")]
    pub target: String,
    /// Whether an element has this id.
    #[fcp(by = "set")]
    pub found: bool,
}

/// References by id, wherever the grammar has one: href, url(#…), selectors, begin, aria-*, ends of links.
#[fcp_table]
pub fn refs(drawing: &Drawing) -> Vec<RefRow> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let is_there = |id: &str| tree.index().has_id(id);
    let mut rows = Vec::new();
    for id in tree.ids() {
        let mut add = |outer, place: &str, found: Vec<Reference>| {
            let mut ends: Option<Reference> = None;
            for one in found {
                // If a time may start with several ids, the existing one counts.
                let same = ends
                    .as_ref()
                    .is_some_and(|last| last.span.start == one.span.start);
                let known = is_there(&one.id);
                if same && !known {
                    continue;
                }
                if same {
                    rows.pop();
                }
                rows.push(RefRow {
                    row: row(outer),
                    place: place.to_owned(),
                    target: one.id.clone(),
                    found: known,
                });
                ends = Some(one);
            }
        };
        if let Some(element) = nodes.element(id) {
            for (name, value) in element.values() {
                add(id, name, in_attribute(element, name, &value));
            }
            if nodes.is_sheet(id) {
                let found = nodes.sheet_references(id).into_iter();
                add(id, SHEET, found.map(|(one, _)| one).collect());
            }
        }
    }
    rows
}
