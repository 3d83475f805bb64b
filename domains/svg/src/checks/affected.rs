//! Finds the rows whose warnings a change may affect.

use std::collections::HashSet;

use fcp::model::{Level, Row, TreeChange};

use crate::checks::stacking::MOST;
use crate::model::kind::BOX;
use crate::model::{Drawing, DrawingEvent, NodeId, targets};

/// The maximum depth of a label's text below its box: run, span, text, box.
const LABEL_DEPTH: usize = 4;

impl Drawing {
    /// The rows next to those that a change adds, removes or moves: rows above and below them may
    /// be near.
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

    /// The rows whose warnings depend on touched rows: their content, the rows that refer to them
    /// or that they refer to, and those with the same id. All rows, if a style sheet was touched.
    pub(crate) fn hanging_on(&self, touched: &[Row]) -> Vec<Row> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let Some(seeds) = self.bound_to(touched) else {
            return nodes.elements().map(Self::row).collect();
        };
        let mut found: Vec<NodeId> = Vec::new();
        for id in &seeds {
            let outer = tree.parent(*id);
            // If the parent is a seed too, its descendants include these.
            if outer.is_none_or(|outer| !seeds.contains(&outer)) {
                found.extend(tree.descendants(*id));
            }
            found.extend(outer.into_iter().chain([*id]));
            // The text of a box's label is some levels below the box.
            found.extend(self.box_around(*id));
        }
        // A CSS rule may depend on preceding siblings.
        if !self.styles().are_kept() {
            let behind = |id: &NodeId| tree.next_sibling(*id);
            for id in &seeds {
                found.extend(std::iter::successors(behind(id), behind).take(MOST));
            }
        }
        let elements = found.into_iter().filter(|id| nodes.element(*id).is_some());
        elements.map(Self::row).collect()
    }

    /// The rows near touched rows: the ones under them, and texts over them.
    pub(crate) fn lying_near(&self, touched: &[Row]) -> Vec<Row> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let mut found: Vec<NodeId> = Vec::new();
        let mut wholes: HashSet<NodeId> = HashSet::new();
        for id in self.bound_to(touched).unwrap_or_default() {
            // A box is drawn as a whole.
            wholes.insert(self.box_around(id).unwrap_or(id));
        }
        for whole in &wholes {
            // The search ends at the next of these wholes, which searches on from there.
            let is_next = |id: &NodeId| id == whole || !wholes.contains(id);
            let back = std::iter::successors(Some(*whole), |id| tree.previous_sibling(*id));
            let on = std::iter::successors(Some(*whole), |id| tree.next_sibling(*id));
            let elements = back
                .take(MOST + 2)
                .take_while(is_next)
                .filter(|id| nodes.element(*id).is_some());
            found.extend(elements);
            let texts = on
                .take(MOST + 2)
                .take_while(is_next)
                .filter(|id| nodes.is_called(*id, "text"));
            found.extend(texts);
        }
        found.into_iter().map(Self::row).collect()
    }

    fn box_around(&self, id: NodeId) -> Option<NodeId> {
        let mut above = self.nodes.tree().ancestors(id).take(LABEL_DEPTH);
        above.find(|outer| self.nodes.kind_name(*outer) == BOX)
    }

    const fn row(id: NodeId) -> Row {
        Row::new(Self::NODES, id.number())
    }

    /// Touched elements, the elements bound to them by ids, and so on. `None` if a style sheet was
    /// touched.
    fn bound_to(&self, touched: &[Row]) -> Option<HashSet<NodeId>> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let mut seeds: HashSet<NodeId> = HashSet::new();
        let own = touched.iter().filter(|row| row.part() == Self::NODES);
        let mut pending: Vec<NodeId> = own.map(|row| NodeId::new(row.id())).collect();
        // Each shared ancestor and each id is looked up once.
        let mut outers: HashSet<NodeId> = HashSet::new();
        let mut bound: HashSet<String> = HashSet::new();
        // Follows chains of references, such as `use` of a `use`.
        while let Some(id) = pending.pop() {
            if !tree.contains(id) || !seeds.insert(id) {
                continue;
            }
            if nodes.is_sheet(id) || tree.parent(id).is_some_and(|outer| nodes.is_sheet(outer)) {
                return None;
            }
            let outer = std::iter::once(id).chain(tree.ancestors(id));
            let outer = outer.take_while(|id| outers.insert(*id));
            for name in outer.filter_map(|id| nodes.attr(id, "id")) {
                pending.extend(tree.index().mentioning(&name).map(NodeId::new));
            }
            if let Some(element) = nodes.element(id) {
                let ids = targets(element).into_iter();
                let ids = ids.chain(element.attr("id").map(std::borrow::Cow::into_owned));
                for name in ids {
                    if bound.contains(&name) {
                        continue;
                    }
                    let found = tree.index().with_id(&name, Level::Exact);
                    bound.insert(name);
                    pending.extend(found.into_iter().map(NodeId::new));
                }
            }
        }
        Some(seeds)
    }
}
