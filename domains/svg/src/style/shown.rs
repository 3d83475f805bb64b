//! Tells of elements that an op displays, or no longer displays, by moving them.

use crate::model::{Drawing, NodeId};

/// Elements, each with whether it was displayed.
pub(super) struct Shown(Vec<(NodeId, bool)>);

impl Shown {
    pub(super) fn of(drawing: &Drawing, ids: &[NodeId]) -> Self {
        // Reading the style sheets takes steps.
        if ids.is_empty() {
            return Self(Vec::new());
        }
        let styles = drawing.styles();
        let there = ids.iter().copied();
        let there = there.filter(|id| drawing.nodes.element(*id).is_some());
        Self(there.map(|id| (id, styles.is_displayed(id))).collect())
    }

    /// The changes as lines of a reply: `* a, b: shown -> hidden (display none)`.
    pub(super) fn changes(&self, drawing: &Drawing) -> Vec<String> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let styles = drawing.styles();
        let changed = |was: bool| -> Vec<NodeId> {
            let of_it = self.0.iter().filter(|(_, shown)| *shown == was);
            let of_it = of_it.filter(|(id, _)| drawing.nodes.element(*id).is_some());
            let changed = of_it.filter(|(id, _)| styles.is_displayed(*id) != was);
            changed.map(|(id, _)| *id).collect()
        };
        let line = |was: bool, words: &str| {
            let ids = changed(was);
            (!ids.is_empty()).then(|| format!("* {}: {words}", drawing.names_of(&ids)))
        };
        let lines = [
            line(true, "shown -> hidden (display none)"),
            line(false, "hidden -> shown"),
        ];
        lines.into_iter().flatten().collect()
    }
}
