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
    /// to, and what has the same id. Of a style sheet, all.
    pub(crate) fn hanging_on(&self, touched: &[Row]) -> Vec<Row> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let Some(seeds) = self.bound_to(touched) else {
            return nodes.elements().map(Self::row).collect();
        };
        let mut found: Vec<NodeId> = Vec::new();
        for id in &seeds {
            let outer = tree.parent(*id);
            // What stands in a row whose outer one is looked at as well is found there.
            if outer.is_none_or(|outer| !seeds.contains(&outer)) {
                found.extend(tree.descendants(*id));
            }
            found.extend(outer.into_iter().chain([*id]));
            // What a box's label says stands some levels within the box.
            found.extend(self.box_around(*id));
        }
        // A rule may ask what an element stands behind.
        if !self.styles().are_kept() {
            let behind = |id: &NodeId| tree.next_sibling(*id);
            for id in &seeds {
                found.extend(std::iter::successors(behind(id), behind).take(MOST));
            }
        }
        let elements = found.into_iter().filter(|id| nodes.element(*id).is_some());
        elements.map(Self::row).collect()
    }

    /// The rows that lie near those that were touched: under them, and texts over them.
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
            // From another of them on it is looked for there, and as far.
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

    /// Elements that were touched, and those that ids bind to them, and so on. Nothing where a style sheet was touched.
    fn bound_to(&self, touched: &[Row]) -> Option<HashSet<NodeId>> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let mut seeds: HashSet<NodeId> = HashSet::new();
        let own = touched.iter().filter(|row| row.part() == Self::NODES);
        let mut pending: Vec<NodeId> = own.map(|row| NodeId::new(row.id())).collect();
        // What is around several is looked at once, and so are the rows that an id binds.
        let mut outers: HashSet<NodeId> = HashSet::new();
        let mut bound: HashSet<String> = HashSet::new();
        // What draws another by `use`, and so on.
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
