//! Which warnings may be others after a change.

use std::collections::HashSet;

use fcp::model::{Level, Row, TreeChange};

use crate::model::kind::BOX;
use crate::model::{Drawing, DrawingEvent, NodeId, targets};
use crate::stacking::MOST;

/// How far above a label's text its box is looked for: run, span, text, box.
const LABEL_DEPTH: usize = 4;

impl Drawing {
    /// The rows next to where a change puts a row or takes one from: what lies over or under it is near.
    pub(crate) fn next_to(&self, change: &DrawingEvent) -> Vec<Row> {
        let places = match change {
            DrawingEvent::Nodes(TreeChange::Added { at, .. } | TreeChange::Removed { at, .. }) => {
                vec![at]
            }
            DrawingEvent::Nodes(TreeChange::Moved { from, to, .. }) => vec![from, to],
            _ => Vec::new(),
        };
        let tree = self.nodes.tree();
        let next = places.into_iter().filter_map(|at| {
            let before = at.before.map(NodeId::new).filter(|id| tree.contains(*id));
            before.or_else(|| tree.last_child(NodeId::new(at.parent)))
        });
        next.map(|id| Row::new(Self::NODES, id.number())).collect()
    }

    /// The rows whose warnings hang on rows that were touched: what stands in them, what refers to them, what they refer
    /// to, what has the same id, and what lies next to them. Of a style sheet, all.
    pub(crate) fn hanging_on(&self, touched: &HashSet<Row>) -> Vec<Row> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let row = |id: NodeId| Row::new(Self::NODES, id.number());
        let mut seeds: HashSet<NodeId> = HashSet::new();
        let own = touched.iter().filter(|row| row.part() == Self::NODES);
        let mut pending: Vec<NodeId> = own.map(|row| NodeId::new(row.id())).collect();
        // What draws another by `use`, and so on.
        while let Some(id) = pending.pop() {
            if !tree.contains(id) || !seeds.insert(id) {
                continue;
            }
            if nodes.is_sheet(id) || tree.parent(id).is_some_and(|outer| nodes.is_sheet(outer)) {
                return nodes.elements().map(row).collect();
            }
            let outer = std::iter::once(id).chain(tree.ancestors(id));
            for name in outer.filter_map(|id| nodes.attr(id, "id")) {
                pending.extend(tree.index().mentioning(&name).map(NodeId::new));
            }
            if let Some(element) = nodes.element(id) {
                let ids = targets(element).into_iter();
                let ids = ids.chain(element.attr("id").map(std::borrow::Cow::into_owned));
                for name in ids {
                    let found = tree.index().with_id(&name, Level::Exact);
                    pending.extend(found.into_iter().map(NodeId::new));
                }
            }
        }
        let mut found: Vec<NodeId> = Vec::new();
        for id in &seeds {
            let outer = tree.parent(*id);
            // What stands in a row whose outer one is looked at as well is found there.
            if outer.is_none_or(|outer| !seeds.contains(&outer)) {
                found.extend(tree.descendants(*id));
            }
            // A box is drawn as a whole, and what its label says stands some levels within it.
            let mut above = tree.ancestors(*id).take(LABEL_DEPTH);
            let boxed = above.find(|outer| nodes.kind_name(*outer) == BOX);
            let whole = boxed.unwrap_or(*id);
            let back = std::iter::successors(Some(whole), |id| tree.previous_sibling(*id));
            let on = std::iter::successors(Some(whole), |id| tree.next_sibling(*id));
            found.extend(outer.into_iter().chain([*id]));
            found.extend(back.take(MOST + 2).chain(on.take(MOST + 2)));
        }
        let elements = found.into_iter().filter(|id| nodes.element(*id).is_some());
        elements.map(row).collect()
    }
}
