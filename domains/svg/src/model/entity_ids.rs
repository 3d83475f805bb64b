//! The ids of elements in the markup of entities, which references can name and no op changes.

use std::collections::BTreeMap;

use fcp::format::xml::{Element, Kind, Node};

/// Ids, with the number of elements that have them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct EntityIds(BTreeMap<Box<str>, usize>);

impl EntityIds {
    /// The ids in the markup that a row refers to.
    pub fn of(row: &Node) -> Vec<String> {
        let Kind::Entity(reference) = row.kind() else {
            return Vec::new();
        };
        let Ok(markup) = reference.expansion(|_| true) else {
            return Vec::new();
        };
        let elements = markup.nodes().filter_map(|(node, _)| node.element());
        let ids = elements.filter_map(|element: &Element| element.attr("id"));
        ids.map(std::borrow::Cow::into_owned).collect()
    }

    /// Adds or removes an id.
    pub fn note(&mut self, id: &str, there: bool) {
        if there {
            *self.0.entry(id.into()).or_default() += 1;
        } else if let Some(count) = self.0.get_mut(id) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.0.remove(id);
            }
        }
    }

    pub fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }
}
