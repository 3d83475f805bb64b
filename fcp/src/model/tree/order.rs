//! The order of a tree's nodes, without their content.
//!
//! The children of a node form a treap: a binary search tree by place that is a heap by priorities
//! drawn from the ids, and so about 2 · log n deep after any changes. Each node keeps the hash and
//! the number of the nodes of its treap below it. A change marks them as stale from there up to the
//! root, or to a node that is already stale; they are computed again on request. So all changes of
//! a file cost each node once.
//!
//! Siblings are also linked in their order, and the links are kept apart from the hashes: a walk
//! over a large tree reads them one after the other and little else.

use std::cell::Cell;
use std::cmp::Ordering;

use super::super::hash::spread;
use super::super::rolling_hash::Poly;

/// No node.
pub const NIL: u32 = u32::MAX;
/// The slot of the root.
pub const ROOT: u32 = 0;

/// Nodes by slot. A slot is an index in a list, reused after its node is removed.
#[derive(Debug)]
pub struct Order {
    links: Vec<Link>,
    /// By slot, as the links: a walk reads the links only.
    weights: Vec<Weight>,
    free: Vec<u32>,
}

/// The neighbors of a node.
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
    /// The sibling before it.
    previous: u32,
    /// The sibling after it.
    next: u32,
}

/// The hashes of a node's bytes.
#[derive(Debug)]
struct Weight {
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
    const fn new(id: u32) -> Self {
        Self {
            id,
            parent: NIL,
            up: NIL,
            left: NIL,
            right: NIL,
            kids: NIL,
            last: NIL,
            previous: NIL,
            next: NIL,
        }
    }

    const fn priority(&self) -> u64 {
        spread(self.id as u64)
    }
}

impl Weight {
    const fn new(head: Poly, tail: Poly) -> Self {
        Self {
            head,
            tail,
            sum: Cell::new(Poly::EMPTY),
            size: Cell::new(0),
            stale: Cell::new(true),
        }
    }
}

impl Order {
    /// A new order with only the root.
    pub fn new() -> Self {
        Self {
            links: vec![Link::new(0)],
            weights: vec![Weight::new(Poly::EMPTY, Poly::EMPTY)],
            free: Vec::new(),
        }
    }

    /// Makes room for `nodes` more nodes.
    pub fn reserve(&mut self, nodes: usize) {
        self.links.reserve(nodes);
        self.weights.reserve(nodes);
    }

    fn at(&self, slot: u32) -> &Link {
        &self.links[slot as usize]
    }

    fn at_mut(&mut self, slot: u32) -> &mut Link {
        &mut self.links[slot as usize]
    }

    fn weight(&self, slot: u32) -> &Weight {
        &self.weights[slot as usize]
    }

    /// A slot for a node that has no place yet.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "each slot has its own id, of 32 bits"
    )]
    pub fn take(&mut self, id: u32, head: Poly, tail: Poly) -> u32 {
        let (link, weight) = (Link::new(id), Weight::new(head, tail));
        if let Some(slot) = self.free.pop() {
            *self.at_mut(slot) = link;
            self.weights[slot as usize] = weight;
            return slot;
        }
        self.links.push(link);
        self.weights.push(weight);
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
        self.weight(slot).stale.set(false);
        let Link { kids, last, .. } = *self.at(parent);
        let previous = match before {
            NIL => last,
            before => self.at(before).previous,
        };
        self.at_mut(slot).parent = parent;
        self.chain(parent, previous, slot);
        self.chain(parent, slot, before);
        if kids == NIL {
            self.at_mut(parent).kids = slot;
        } else if before == NIL || self.at(before).left != NIL {
            self.at_mut(previous).right = slot;
            self.at_mut(slot).up = previous;
        } else {
            self.at_mut(before).left = slot;
            self.at_mut(slot).up = before;
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
        let Link {
            parent,
            previous,
            next,
            ..
        } = *self.at(slot);
        self.chain(parent, previous, next);
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
        link.previous = NIL;
        link.next = NIL;
    }

    /// Makes two children neighbors; without the second, the first is the last child.
    fn chain(&mut self, parent: u32, one: u32, two: u32) {
        if one != NIL {
            self.at_mut(one).next = two;
        }
        match two {
            NIL => self.at_mut(parent).last = one,
            two => self.at_mut(two).previous = one,
        }
    }

    /// Replaces the bytes of a node.
    pub fn set(&mut self, slot: u32, head: Poly, tail: Poly) {
        let weight = &mut self.weights[slot as usize];
        weight.head = head;
        weight.tail = tail;
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
        self.at_mut(slot).up = top;
        self.weight(slot).stale.set(true);
        self.weight(above).stale.set(true);
    }

    /// Marks a node as stale, and all nodes whose bytes include its own.
    fn touch(&self, mut slot: u32) {
        while slot != NIL {
            if self.weight(slot).stale.replace(true) {
                break;
            }
            let link = self.at(slot);
            slot = if link.up == NIL { link.parent } else { link.up };
        }
    }

    fn leftmost(&self, mut slot: u32) -> u32 {
        while slot != NIL && self.at(slot).left != NIL {
            slot = self.at(slot).left;
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
    pub fn next(&self, slot: u32) -> u32 {
        self.at(slot).next
    }

    /// The previous sibling.
    pub fn previous(&self, slot: u32) -> u32 {
        self.at(slot).previous
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
        self.weight(slot).size.get() as usize
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
        let weight = self.weight(slot);
        let kids = self.sum(self.at(slot).kids);
        weight.head.then(kids).then(weight.tail)
    }

    fn sum(&self, slot: u32) -> Poly {
        if slot == NIL {
            return Poly::EMPTY;
        }
        self.settle(slot);
        self.weight(slot).sum.get()
    }

    /// Computes the stale values at and below a node, from the bottom.
    fn settle(&self, slot: u32) {
        if !self.weight(slot).stale.get() {
            return;
        }
        let mut way = vec![slot];
        while let Some(slot) = way.last() {
            let link = self.at(*slot);
            let below = [link.left, link.right, link.kids];
            let stale = |slot: &u32| *slot != NIL && self.weight(*slot).stale.get();
            if let Some(stale) = below.into_iter().find(stale) {
                way.push(stale);
                continue;
            }
            let sum = |slot| {
                if slot == NIL {
                    Poly::EMPTY
                } else {
                    self.weight(slot).sum.get()
                }
            };
            let size = |slot| {
                if slot == NIL {
                    0
                } else {
                    self.weight(slot).size.get()
                }
            };
            let weight = self.weight(*slot);
            let own = weight.head.then(sum(link.kids)).then(weight.tail);
            weight
                .sum
                .set(sum(link.left).then(own).then(sum(link.right)));
            weight.size.set(size(link.left) + 1 + size(link.right));
            weight.stale.set(false);
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
            let chained = link.previous == last && self.rank(slot) == count;
            if link.parent != parent || !up || !down || !chained {
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
