//! Counts the elements that a `use` draws before drawing them, since a short file can request an
//! enormous number of copies.

use fcp::prelude::*;

use super::{Geometry, MOST_COPIES};
use crate::model::NodeId;

impl Geometry<'_> {
    /// The number of elements drawn with an element, including those of nested `use`. Elements in a
    /// cycle count once. Takes time proportional to existing elements, not to copies.
    pub(super) fn copied(&self, id: NodeId) -> u64 {
        // `None` while an element's parts are being counted.
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

    /// Checks that an element does not draw too many copies.
    ///
    /// # Errors
    /// If it draws more than [`MOST_COPIES`] elements, including copies by `use`.
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
