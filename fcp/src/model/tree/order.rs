//! The order of a tree's nodes, without their content.
//!
//! The children of a node form a treap: a binary search tree by place that is a heap by priorities
//! drawn from the ids, and so about 2 · log n deep after any changes. Each node keeps the hash and
//! the number of the nodes of its treap below it. A change marks them as stale from there up to the
//! root, or to a node that is already stale; they are computed again on request. So all changes of
//! a file cost each node once.

use std::cell::Cell;
use std::cmp::Ordering;

use super::super::hash::spread;
use super::super::poly::Poly;

/// No node.
pub const NIL: u32 = u32::MAX;
/// The slot of the root.
pub const ROOT: u32 = 0;

/// Nodes by slot. A slot is an index in a list, reused after its node is removed.
#[derive(Debug)]
pub struct Order {
    links: Vec<Link>,
    free: Vec<u32>,
}

/// The neighbors of a node, and the hashes of its bytes.
#[derive(Debug)]
struct Link {
    id: u32,
    parent: u32,
    /// The parent in the treap of its siblings.
    up: u32,
    left: u32,
    right: u32,
    /// The top of the treap of its children.
    kids: u32,
    /// The last of its children.
    last: u32,
    /// Its bytes before its children.
    head: Poly,
    /// Its bytes after its children.
    tail: Poly,
    /// The bytes of the node and of the siblings below it in the treap, with all their descendants.
    sum: Cell<Poly>,
    /// The number of these siblings.
    size: Cell<u32>,
    /// Whether `sum` or `size` may be wrong. If so, all nodes above are stale as well.
    stale: Cell<bool>,
}

impl Link {
    const fn new(id: u32, head: Poly, tail: Poly) -> Self {
        Self {
            id,
            parent: NIL,
            up: NIL,
            left: NIL,
            right: NIL,
            kids: NIL,
            last: NIL,
            head,
            tail,
            sum: Cell::new(Poly::EMPTY),
            size: Cell::new(0),
            stale: Cell::new(true),
        }
    }

    const fn priority(&self) -> u64 {
        spread(self.id as u64)
    }
}

impl Order {
    /// A new order with only the root.
    pub fn new() -> Self {
        Self {
            links: vec![Link::new(0, Poly::EMPTY, Poly::EMPTY)],
            free: Vec::new(),
        }
    }

    /// Makes room for `nodes` more nodes.
    pub fn reserve(&mut self, nodes: usize) {
        self.links.reserve(nodes);
    }

    fn at(&self, slot: u32) -> &Link {
        &self.links[slot as usize]
    }

    fn at_mut(&mut self, slot: u32) -> &mut Link {
        &mut self.links[slot as usize]
    }

    /// A slot for a node that has no place yet.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "each slot has its own id, of 32 bits"
    )]
    pub fn take(&mut self, id: u32, head: Poly, tail: Poly) -> u32 {
        let link = Link::new(id, head, tail);
        if let Some(slot) = self.free.pop() {
            *self.at_mut(slot) = link;
            return slot;
        }
        self.links.push(link);
        self.links.len() as u32 - 1
    }

    /// Frees the slot of a node without a place.
    pub fn give_back(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// The id of the node in a slot.
    pub fn id(&self, slot: u32) -> u32 {
        self.at(slot).id
    }

    /// The parent of a node; [`NIL`] for the root.
    pub fn parent(&self, slot: u32) -> u32 {
        self.at(slot).parent
    }

    /// Adds a node without a place to the children of `parent`, before one of them or, for [`NIL`],
    /// last.
    pub fn attach(&mut self, slot: u32, parent: u32, before: u32) {
        let link = self.at_mut(slot);
        link.parent = parent;
        link.stale.set(false);
        let Link { kids, last, .. } = *self.at(parent);
        if before == NIL {
            self.at_mut(parent).last = slot;
        }
        if kids == NIL {
            self.at_mut(parent).kids = slot;
        } else if before == NIL {
            self.at_mut(last).right = slot;
            self.at_mut(slot).up = last;
        } else if self.at(before).left == NIL {
            self.at_mut(before).left = slot;
            self.at_mut(slot).up = before;
        } else {
            let above = self.rightmost(self.at(before).left);
            self.at_mut(above).right = slot;
            self.at_mut(slot).up = above;
        }
        self.touch(slot);
        while self.at(slot).up != NIL
            && self.at(slot).priority() > self.at(self.at(slot).up).priority()
        {
            self.rotate(slot);
        }
    }

    /// Removes a node, with its descendants, from its place.
    pub fn detach(&mut self, slot: u32) {
        self.touch(slot);
        let parent = self.at(slot).parent;
        if self.at(parent).last == slot {
            self.at_mut(parent).last = self.previous(slot);
        }
        loop {
            let Link { left, right, .. } = *self.at(slot);
            let above = match (left, right) {
                (NIL, NIL) => break,
                (child, NIL) | (NIL, child) => child,
                (left, right) if self.at(left).priority() > self.at(right).priority() => left,
                (_, right) => right,
            };
            self.rotate(above);
        }
        self.replace(slot, NIL);
        let link = self.at_mut(slot);
        link.parent = NIL;
        link.up = NIL;
    }

    /// Replaces the bytes of a node.
    pub fn set(&mut self, slot: u32, head: Poly, tail: Poly) {
        let link = self.at_mut(slot);
        link.head = head;
        link.tail = tail;
        self.touch(slot);
    }

    /// Replaces a node by another in the link from above it in its treap.
    fn replace(&mut self, slot: u32, with: u32) {
        let Link { up, parent, .. } = *self.at(slot);
        if up == NIL {
            self.at_mut(parent).kids = with;
        } else if self.at(up).left == slot {
            self.at_mut(up).left = with;
        } else {
            self.at_mut(up).right = with;
        }
    }

    /// Rotates a node above its parent in the treap. All nodes above must be stale; these two are
    /// then too.
    fn rotate(&mut self, slot: u32) {
        let above = self.at(slot).up;
        let top = self.at(above).up;
        self.replace(above, slot);
        let inner = if self.at(above).left == slot {
            let inner = std::mem::replace(&mut self.at_mut(slot).right, above);
            self.at_mut(above).left = inner;
            inner
        } else {
            let inner = std::mem::replace(&mut self.at_mut(slot).left, above);
            self.at_mut(above).right = inner;
            inner
        };
        if inner != NIL {
            self.at_mut(inner).up = above;
        }
        self.at_mut(above).up = slot;
        let link = self.at_mut(slot);
        link.up = top;
        link.stale.set(true);
        self.at(above).stale.set(true);
    }

    /// Marks a node as stale, and all nodes whose bytes include its own.
    fn touch(&self, mut slot: u32) {
        while slot != NIL {
            let link = self.at(slot);
            if link.stale.replace(true) {
                break;
            }
            slot = if link.up == NIL { link.parent } else { link.up };
        }
    }

    fn leftmost(&self, mut slot: u32) -> u32 {
        while slot != NIL && self.at(slot).left != NIL {
            slot = self.at(slot).left;
        }
        slot
    }

    fn rightmost(&self, mut slot: u32) -> u32 {
        while slot != NIL && self.at(slot).right != NIL {
            slot = self.at(slot).right;
        }
        slot
    }

    /// The first child.
    pub fn first(&self, slot: u32) -> u32 {
        self.leftmost(self.at(slot).kids)
    }

    /// The last child.
    pub fn last(&self, slot: u32) -> u32 {
        self.at(slot).last
    }

    /// The next sibling.
    pub fn next(&self, mut slot: u32) -> u32 {
        let right = self.at(slot).right;
        if right != NIL {
            return self.leftmost(right);
        }
        loop {
            let up = self.at(slot).up;
            if up == NIL || self.at(up).left == slot {
                return up;
            }
            slot = up;
        }
    }

    /// The previous sibling.
    pub fn previous(&self, mut slot: u32) -> u32 {
        let left = self.at(slot).left;
        if left != NIL {
            return self.rightmost(left);
        }
        loop {
            let up = self.at(slot).up;
            if up == NIL || self.at(up).right == slot {
                return up;
            }
            slot = up;
        }
    }

    /// The number of children of a node.
    pub fn count(&self, slot: u32) -> usize {
        self.size(self.at(slot).kids)
    }

    fn size(&self, slot: u32) -> usize {
        if slot == NIL {
            return 0;
        }
        self.settle(slot);
        self.at(slot).size.get() as usize
    }

    /// The node's index among its siblings.
    pub fn rank(&self, mut slot: u32) -> usize {
        let mut rank = self.size(self.at(slot).left);
        loop {
            let up = self.at(slot).up;
            if up == NIL {
                return rank;
            }
            if self.at(up).right == slot {
                rank += 1 + self.size(self.at(up).left);
            }
            slot = up;
        }
    }

    /// The child at index `rank`.
    pub fn nth(&self, slot: u32, mut rank: usize) -> u32 {
        let mut slot = self.at(slot).kids;
        while slot != NIL {
            let before = self.size(self.at(slot).left);
            match rank.cmp(&before) {
                Ordering::Less => slot = self.at(slot).left,
                Ordering::Equal => break,
                Ordering::Greater => {
                    rank -= before + 1;
                    slot = self.at(slot).right;
                }
            }
        }
        slot
    }

    /// The order of two children of one node.
    pub fn siblings(&self, a: u32, b: u32) -> Ordering {
        let height = |mut slot: u32| {
            let mut height = 0_usize;
            while self.at(slot).up != NIL {
                slot = self.at(slot).up;
                height += 1;
            }
            height
        };
        let (mut a, mut b) = ((a, height(a), NIL), (b, height(b), NIL));
        // The slot, its distance from the top, and the slot that it was reached from.
        let lift = |at: &mut (u32, usize, u32)| {
            *at = (self.at(at.0).up, at.1.wrapping_sub(1), at.0);
        };
        while a.0 != b.0 {
            match a.1.cmp(&b.1) {
                Ordering::Less => lift(&mut b),
                Ordering::Greater => lift(&mut a),
                Ordering::Equal => {
                    lift(&mut a);
                    lift(&mut b);
                }
            }
        }
        let side = |from: u32| {
            if from == NIL {
                1
            } else if self.at(a.0).left == from {
                0
            } else {
                2
            }
        };
        side(a.2).cmp(&side(b.2))
    }

    /// The hash of a node's bytes with its descendants.
    pub fn whole(&self, slot: u32) -> Poly {
        let link = self.at(slot);
        link.head.then(self.sum(link.kids)).then(link.tail)
    }

    fn sum(&self, slot: u32) -> Poly {
        if slot == NIL {
            return Poly::EMPTY;
        }
        self.settle(slot);
        self.at(slot).sum.get()
    }

    /// Computes the stale values at and below a node, from the bottom.
    fn settle(&self, slot: u32) {
        if !self.at(slot).stale.get() {
            return;
        }
        let mut way = vec![slot];
        while let Some(slot) = way.last() {
            let link = self.at(*slot);
            let below = [link.left, link.right, link.kids];
            let stale = |slot: &u32| *slot != NIL && self.at(*slot).stale.get();
            if let Some(stale) = below.into_iter().find(stale) {
                way.push(stale);
                continue;
            }
            let sum = |slot| {
                if slot == NIL {
                    Poly::EMPTY
                } else {
                    self.at(slot).sum.get()
                }
            };
            let size = |slot| {
                if slot == NIL {
                    0
                } else {
                    self.at(slot).size.get()
                }
            };
            let own = link.head.then(sum(link.kids)).then(link.tail);
            link.sum.set(sum(link.left).then(own).then(sum(link.right)));
            link.size.set(size(link.left) + 1 + size(link.right));
            link.stale.set(false);
            way.pop();
        }
    }

    /// Checks the order of priorities and the links in both directions: for tests.
    pub fn audit(&self, parent: u32) -> Result<(), String> {
        let (mut count, mut slot) = (0, self.first(parent));
        let mut last = NIL;
        while slot != NIL {
            let link = self.at(slot);
            let up = link.up == NIL || self.at(link.up).priority() > link.priority();
            let down = [link.left, link.right]
                .into_iter()
                .all(|child| child == NIL || self.at(child).up == slot);
            if link.parent != parent || !up || !down || self.rank(slot) != count {
                return Err(format!("#{} does not match its siblings", link.id));
            }
            count += 1;
            last = slot;
            slot = self.next(slot);
        }
        if self.count(parent) == count && self.at(parent).last == last {
            Ok(())
        } else {
            Err(format!("#{} miscounts its children", self.id(parent)))
        }
    }
}
