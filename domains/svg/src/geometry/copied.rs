//! How much a `use` draws, counted before it is done: a short file can ask for more copies than anybody waits for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::Geometry;
use crate::model::NodeId;

impl Geometry<'_> {
    /// How many elements a `use` draws, those of `use` in `use` included. What leads in a circle counts once. Takes time
    /// by the elements that there are, not by their copies.
    pub(super) fn copied(&self, id: NodeId) -> u64 {
        // `None` while an element's own parts are counted.
        let mut sizes: HashMap<NodeId, Option<u64>> = HashMap::new();
        let mut steps = vec![(id, false)];
        while let Some((id, parts_known)) = steps.pop() {
            let target = || {
                self.kind(id)
                    .filter(|kind| *kind == "use")
                    .and_then(|_| self.target(id))
            };
            let children = self.nodes.tree().children(id);
            let elements = children.filter(|child| self.nodes.element(*child).is_some());
            let parts = elements.chain(target());
            if parts_known {
                let known = |part: NodeId| sizes.get(&part).copied().flatten().unwrap_or(0);
                let size = parts.map(known).fold(1, u64::saturating_add);
                sizes.insert(id, Some(size));
            } else if let Entry::Vacant(size) = sizes.entry(id) {
                size.insert(None);
                steps.push((id, true));
                steps.extend(parts.map(|part| (part, false)));
            }
        }
        sizes.get(&id).copied().flatten().unwrap_or(0)
    }
}
