//! How much a `use` draws, counted before it is done: a short file can ask for more copies than anybody waits for.

use fcp::prelude::*;

use super::{Geometry, MOST_COPIES};
use crate::model::NodeId;

impl Geometry<'_> {
    /// How many elements are drawn with an element, those of `use` in `use` included. What leads in a circle counts once.
    /// Takes time by the elements that there are, not by their copies.
    pub(super) fn copied(&self, id: NodeId) -> u64 {
        // `None` while an element's own parts are counted.
        let mut sizes = self.sizes.borrow_mut();
        let mut steps = vec![(id, false)];
        while let Some((id, parts_known)) = steps.pop() {
            if !parts_known && sizes.contains_key(&id) {
                continue;
            }
            let target = self.kind(id).filter(|kind| *kind == "use");
            let target = target.and_then(|_| self.target(id));
            let children = self.nodes.tree().children(id);
            let elements = children.filter(|child| self.nodes.element(*child).is_some());
            let parts = elements.chain(target);
            if parts_known {
                let known = |part: NodeId| sizes.get(&part).copied().flatten().unwrap_or(0);
                let size = parts.map(known).fold(1, u64::saturating_add);
                sizes.insert(id, Some(size));
            } else {
                sizes.insert(id, None);
                steps.push((id, true));
                steps.extend(parts.map(|part| (part, false)));
            }
        }
        sizes.get(&id).copied().flatten().unwrap_or(0)
    }

    /// That what an element draws is no more than anybody waits for.
    ///
    /// # Errors
    /// It is more than [`MOST_COPIES`] elements, copies by `use` included.
    pub(crate) fn check_copies(&self, id: NodeId) -> Result<()> {
        let index = self.nodes.tree().index();
        let copies = || self.copied(id).saturating_sub(index.elements() as u64);
        if index.has_uses() && copies() > MOST_COPIES as u64 {
            let name = self.nodes.name(id);
            bail!("{name} draws more than {MOST_COPIES} copies by use")
        }
        Ok(())
    }
}
