//! Changes a document to another text, and keeps the nodes whose text stays.

use std::hash::Hasher;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::limits::Limits;
use super::node::{Kind, Node};
use super::read::read;
use crate::bail;
use crate::diag::Result;
use crate::model::{Id, Ids, Journaled, RowIndex, Tree, TreeRow};

/// A node that a rewrite changed or added.
#[derive(Debug)]
pub struct Rewritten {
    /// The node.
    pub id: Id<Node>,
    /// The old node, if it is not new.
    pub before: Option<Node>,
}

/// The key of a node among its siblings: its kind, the name of an entity that it declares, and of an
/// element its id, or its name if it has none. An element with an id stays the same under another name.
type Key = (std::mem::Discriminant<Kind>, String, String);

/// Changes a tree so that it writes another text. A node whose text stays is not touched; one whose
/// start tag, end tag or own text differs keeps its id, and so does an element that moved. Returns
/// the changed and new nodes.
///
/// # Errors
/// The text is not well-formed or exceeds a limit, or its XML declaration differs.
pub fn rewrite<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    text: &str,
    limits: &Limits,
) -> Result<Vec<Rewritten>> {
    let mut other: Tree<Node> = Tree::attach(&Ids::default());
    read(text.to_owned(), limits)?.place(&mut other, Tree::<Node>::ROOT, None)?;
    let head = |node: Option<&Node>| match node.map(Node::kind) {
        Some(Kind::Declaration(raw)) => Some(raw.to_string()),
        _ => None,
    };
    let (old, new) = (
        tree.first_child(Tree::<Node, I>::ROOT),
        other.first_child(Tree::<Node>::ROOT),
    );
    if head(old.and_then(|id| tree.get(id))) != head(new.and_then(|id| other.get(id))) {
        bail!("an XML declaration cannot change: it names the file's encoding")
    }
    // A reference with the same text differs if its entity does.
    let declares = |kind: &Kind| matches!(kind, Kind::Doctype(_));
    let of_old = tree.children(Tree::<Node, I>::ROOT);
    let of_old = of_old.filter(|id| tree.get(*id).is_some_and(|node| declares(node.kind())));
    let of_new = other.children(Tree::<Node>::ROOT);
    let of_new = of_new.filter(|id| other.get(*id).is_some_and(|node| declares(node.kind())));
    let old: Vec<String> = of_old.map(|id| tree.text_of(id)).collect();
    let new: Vec<String> = of_new.map(|id| other.text_of(id)).collect();
    let mut pairing = Pairing {
        tree,
        other: &other,
        by_text: old == new,
        pairs: FxHashMap::default(),
        gone: Vec::new(),
        come: Vec::new(),
    };
    pairing.all();
    pairing.moved_elsewhere();
    let Pairing { pairs, gone, .. } = pairing;
    let found = place(tree, &other, &pairs)?;
    for id in gone {
        tree.remove(id);
    }
    Ok(found)
}

/// The partner in the tree of a node of the new text.
#[derive(Clone, Copy, Debug)]
struct Partner {
    own: Id<Node>,
    /// Whether its place among its siblings, or its parent, changed.
    is_moved: bool,
    /// Whether all its content is equal.
    is_whole: bool,
}

/// Pairs nodes of a new text with nodes of the tree. It descends only into nodes that differ.
struct Pairing<'t, I> {
    tree: &'t Tree<Node, I>,
    other: &'t Tree<Node>,
    /// Whether nodes with the same text are equal.
    by_text: bool,
    /// By nodes of the new text.
    pairs: FxHashMap<Id<Node>, Partner>,
    /// Nodes of the tree that are not in the new text at that place.
    gone: Vec<Id<Node>>,
    /// Nodes of the new text that are not in the tree at that place.
    come: Vec<Id<Node>>,
}

impl<I: RowIndex<Node>> Pairing<'_, I> {
    /// Pairs the children of every pair of parents.
    fn all(&mut self) {
        let mut stack = vec![(Tree::<Node, I>::ROOT, Tree::<Node>::ROOT)];
        while let Some((old, new)) = stack.pop() {
            self.children(old, new, &mut stack);
        }
    }

    fn children(
        &mut self,
        parent: Id<Node>,
        other: Id<Node>,
        stack: &mut Vec<(Id<Node>, Id<Node>)>,
    ) {
        let old: Vec<Id<Node>> = self.tree.children(parent).collect();
        let new: Vec<Id<Node>> = self.other.children(other).collect();
        let in_order = self.partners(&old, &new);
        let mut is_left = vec![true; old.len()];
        for at in in_order.iter().flatten() {
            if let Some(left) = is_left.get_mut(*at) {
                *left = false;
            }
        }
        let mut left: FxHashMap<Named, Vec<Id<Node>>> = FxHashMap::default();
        for (id, _) in old.iter().zip(&is_left).rev().filter(|(_, left)| **left) {
            for name in self.names(self.tree, *id) {
                left.entry(name).or_default().push(*id);
            }
        }
        let mut taken = FxHashSet::default();
        for (ix, id) in new.iter().enumerate() {
            let partner = in_order.get(ix).copied().flatten();
            let at_place = partner.and_then(|at| old.get(at)).copied();
            let moved = || {
                let mut names = self.names(self.other, *id);
                names.find_map(|name| {
                    let ids = left.get_mut(&name)?;
                    std::iter::from_fn(|| ids.pop()).find(|id| taken.insert(*id))
                })
            };
            let Some(own) = at_place.or_else(moved) else {
                self.come.push(*id);
                continue;
            };
            let is_whole = self.by_text && self.tree.hash_of(own) == self.other.hash_of(*id);
            let partner = Partner {
                own,
                is_moved: at_place.is_none(),
                is_whole,
            };
            self.pairs.insert(*id, partner);
            if !is_whole {
                stack.push((own, *id));
            }
        }
        let gone = old.iter().zip(&is_left).filter(|(_, left)| **left);
        let gone = gone.map(|(id, _)| *id).filter(|id| !taken.contains(id));
        self.gone.extend(gone);
    }

    /// The names by which a moved node is found: its whole text, the id of the element, or its text
    /// without indentation. Loose text has none.
    fn names<J: RowIndex<Node>>(
        &self,
        tree: &Tree<Node, J>,
        id: Id<Node>,
    ) -> impl Iterator<Item = Named> + use<I, J> {
        let node = tree.get(id);
        let is_loose = is_loose(node);
        let text = (self.by_text && !is_loose).then(|| Named::Text(tree.hash_of(id)));
        let key = key(node).filter(|(_, _, id)| !id.is_empty());
        let bare = (self.by_text && !is_loose)
            .then(|| bare(tree, id).remove(&id).map(Named::Bare))
            .flatten();
        text.into_iter().chain(key.map(Named::Key)).chain(bare)
    }

    /// Pairs elements that moved to another parent, by their whole text or by that without its
    /// indentation. The outermost are paired first.
    fn moved_elsewhere(&mut self) {
        if !self.by_text || self.gone.is_empty() || self.come.is_empty() {
            return;
        }
        let mut lost: FxHashMap<Named, Vec<Id<Node>>> = FxHashMap::default();
        for top in self.gone.iter().rev() {
            let bare = bare(self.tree, *top);
            for id in std::iter::once(*top).chain(self.tree.descendants(*top)) {
                let node = self.tree.get(id);
                if node.is_some_and(|node| node.element().is_some()) {
                    let whole = Named::Text(self.tree.hash_of(id));
                    for name in
                        std::iter::once(whole).chain(bare.get(&id).copied().map(Named::Bare))
                    {
                        lost.entry(name).or_default().push(id);
                    }
                }
            }
        }
        let mut taken = FxHashSet::default();
        let mut indented = Vec::new();
        let mut stack = Vec::new();
        for top in &self.come {
            let bare = bare(self.other, *top);
            stack.push(*top);
            while let Some(new) = stack.pop() {
                let is_free = |id: &Id<Node>| {
                    let mut inner = std::iter::once(*id).chain(self.tree.descendants(*id));
                    inner.all(|id| !taken.contains(&id))
                };
                let mut found = |name: Named| {
                    let ids = lost.get_mut(&name)?;
                    std::iter::from_fn(|| ids.pop()).find(is_free)
                };
                let whole = found(Named::Text(self.other.hash_of(new)));
                let is_whole = whole.is_some();
                let bare = || found(Named::Bare(*bare.get(&new)?));
                let Some(own) = whole.or_else(bare) else {
                    stack.extend(self.other.children(new));
                    continue;
                };
                taken.insert(own);
                taken.extend(self.tree.descendants(own));
                let partner = Partner {
                    own,
                    is_moved: true,
                    is_whole,
                };
                self.pairs.insert(new, partner);
                indented.extend((!is_whole).then_some((own, new)));
            }
        }
        self.gone.retain(|id| !taken.contains(id));
        while let Some((own, new)) = indented.pop() {
            self.children(own, new, &mut indented);
        }
    }

    /// The index of the old partner of each new node, in ascending order.
    fn partners(&self, old: &[Id<Node>], new: &[Id<Node>]) -> Vec<Option<usize>> {
        let mut partners = vec![None; new.len()];
        let mut input = InternedInput::default();
        input.update_before(old.iter().map(|id| self.tree.hash_of(*id)));
        input.update_after(new.iter().map(|id| self.other.hash_of(*id)));
        let mut pair = |new: usize, old: usize| {
            if let Some(partner) = partners.get_mut(new) {
                *partner = Some(old);
            }
        };
        let hunks: Vec<Hunk> = Diff::compute(Algorithm::Myers, &input).hunks().collect();
        let (gone_whole, come_whole) = self.moved_whole(old, new, &hunks);
        let (mut from, mut to) = (0, 0);
        for hunk in hunks {
            let (gone, come) = (
                hunk.before.start as usize..hunk.before.end as usize,
                hunk.after.start as usize..hunk.after.end as usize,
            );
            for (old, new) in (from..gone.start).zip(to..come.start) {
                pair(new, old);
            }
            (from, to) = (gone.end, come.end);
            let gone: Vec<usize> = gone.filter(|ix| !gone_whole.contains(ix)).collect();
            let come: Vec<usize> = come.filter(|ix| !come_whole.contains(ix)).collect();
            // A node with different text is the same node if its key is the same.
            let mut keys = InternedInput::default();
            let old_keys = gone
                .iter()
                .map(|ix| key(old.get(*ix).and_then(|id| self.tree.get(*id))));
            let new_keys = come
                .iter()
                .map(|ix| key(new.get(*ix).and_then(|id| self.other.get(*id))));
            let (old_keys, new_keys): (Vec<_>, Vec<_>) = (old_keys.collect(), new_keys.collect());
            let loose =
                |key: &Option<Key>| key.as_ref().map(|(kind, name, _)| (*kind, name.clone()));
            let alike = old_keys.len() == new_keys.len()
                && old_keys
                    .iter()
                    .zip(&new_keys)
                    .all(|(one, other)| loose(one) == loose(other));
            if alike {
                for (old, new) in gone.iter().zip(&come) {
                    pair(*new, *old);
                }
                continue;
            }
            keys.update_before(old_keys.into_iter());
            keys.update_after(new_keys.into_iter());
            let (mut old_at, mut new_at) = (0, 0);
            for inner in Diff::compute(Algorithm::Myers, &keys).hunks() {
                let same = gone.iter().take(inner.before.start as usize).skip(old_at);
                for (old, new) in same.zip(come.iter().skip(new_at)) {
                    pair(*new, *old);
                }
                (old_at, new_at) = (inner.before.end as usize, inner.after.end as usize);
            }
            for (old, new) in gone.iter().skip(old_at).zip(come.iter().skip(new_at)) {
                pair(*new, *old);
            }
        }
        for (old, new) in (from..old.len()).zip(to..new.len()) {
            pair(new, old);
        }
        partners
    }

    /// The indices of old and new nodes in hunks that are to be found as moved, because the same text
    /// left one place and came to another: as many on both sides. Loose text is not among them.
    fn moved_whole(
        &self,
        old: &[Id<Node>],
        new: &[Id<Node>],
        hunks: &[Hunk],
    ) -> (FxHashSet<usize>, FxHashSet<usize>) {
        let (mut gone, mut come) = (FxHashSet::default(), FxHashSet::default());
        if !self.by_text {
            return (gone, come);
        }
        let mut lost: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for ix in hunks.iter().flat_map(|hunk| hunk.before.clone()).rev() {
            let Some(id) = old.get(ix as usize) else {
                continue;
            };
            if !is_loose(self.tree.get(*id)) {
                lost.entry(self.tree.hash_of(*id))
                    .or_default()
                    .push(ix as usize);
            }
        }
        for ix in hunks.iter().flat_map(|hunk| hunk.after.clone()) {
            let Some(id) = new.get(ix as usize) else {
                continue;
            };
            if let Some(from) = lost.get_mut(&self.other.hash_of(*id)).and_then(Vec::pop) {
                gone.insert(from);
                come.insert(ix as usize);
            }
        }
        (gone, come)
    }
}

/// Moves, changes or adds each node of the new text. Goes from the top down, so that each parent is
/// already in its place.
fn place<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    other: &Tree<Node>,
    pairs: &FxHashMap<Id<Node>, Partner>,
) -> Result<Vec<Rewritten>> {
    let mut found = Vec::new();
    let mut stack = vec![(Tree::<Node, I>::ROOT, Tree::<Node>::ROOT)];
    while let Some((parent, new)) = stack.pop() {
        let new: Vec<Id<Node>> = other.children(new).collect();
        let mut before = None;
        for id in new.into_iter().rev() {
            let node = other.need(id)?;
            let Some(partner) = pairs.get(&id) else {
                let own = tree.insert(node.owned(), parent, before)?;
                found.push(Rewritten {
                    id: own,
                    before: None,
                });
                stack.push((own, id));
                before = Some(own);
                continue;
            };
            let own = partner.own;
            if partner.is_moved {
                tree.relocate(own, parent, before)?;
            }
            before = Some(own);
            if partner.is_whole {
                continue;
            }
            if let Some(was) = tree.get(own).filter(|was| *was != node).cloned() {
                tree.modify(own, |own| *own = node.owned());
                found.push(Rewritten {
                    id: own,
                    before: Some(was),
                });
            }
            stack.push((own, id));
        }
    }
    Ok(found)
}

/// A name by which a moved node is found.
#[derive(PartialEq, Eq, Hash)]
enum Named {
    Text(u64),
    Key(Key),
    Bare(u64),
}

/// The hash of the text of a node and of each descendant, without the whitespace before them and
/// before their end tags.
fn bare<I: RowIndex<Node>>(tree: &Tree<Node, I>, top: Id<Node>) -> FxHashMap<Id<Node>, u64> {
    let ids: Vec<Id<Node>> = std::iter::once(top).chain(tree.descendants(top)).collect();
    let mut hashes = FxHashMap::default();
    // In reverse, so that the hashes of a node's children are known before its own.
    for id in ids.into_iter().rev() {
        let Some(node) = tree.get(id) else { continue };
        let mut hasher = FxHasher::default();
        node.start(&mut |text| hasher.write(text.as_bytes()));
        for child in tree.children(id) {
            hasher.write_u64(hashes.get(&child).copied().unwrap_or_default());
        }
        node.tail(&mut |text| hasher.write(text.trim_start().as_bytes()));
        hashes.insert(id, hasher.finish());
    }
    hashes
}

/// Whether a node is text between elements, which does not move.
fn is_loose(node: Option<&Node>) -> bool {
    node.is_none_or(|node| matches!(node.kind(), Kind::Text(_)))
}

fn key(node: Option<&Node>) -> Option<Key> {
    let node = node?;
    let element = node.element();
    let id = match node.kind() {
        Kind::EntityDecl(declared) => Some(declared.name()),
        _ => element.and_then(|element| element.raw_attr("id")),
    };
    let id = id.unwrap_or_default().to_owned();
    let name = element.filter(|_| id.is_empty());
    let name = name.map_or("", |element| element.name()).to_owned();
    Some((std::mem::discriminant(node.kind()), name, id))
}
