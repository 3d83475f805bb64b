//! Conditions on an element and all its ancestors.

use std::cell::RefCell;

use fcp::work;
use rustc_hash::FxHashMap;

use crate::model::NodeId;

/// Elements known to meet a condition with all their ancestors, or not. Siblings share ancestors,
/// so each ancestor is checked once.
#[derive(Debug, Default)]
pub struct Ancestry(RefCell<FxHashMap<NodeId, bool>>);

impl Ancestry {
    /// Whether an element and all its ancestors meet the condition. `outward` begins with the
    /// element, the nearest ancestor next.
    pub fn all(
        &self,
        outward: impl Iterator<Item = NodeId>,
        meets: impl Fn(NodeId) -> bool,
    ) -> bool {
        let mut known = self.0.borrow_mut();
        let (mut way, mut found) = (Vec::new(), true);
        for id in outward {
            if let Some(own) = known.get(&id) {
                found = *own;
                break;
            }
            way.push(id);
            if !meets(id) {
                found = false;
                break;
            }
        }
        // The call fails at its next check.
        if work::spend(2 * way.len()).is_ok() {
            known.extend(way.into_iter().map(|id| (id, found)));
        }
        found
    }
}
