//! A document that becomes another text, and keeps the nodes whose text stays.

use imara_diff::{Algorithm, Diff, InternedInput};

use super::limits::Limits;
use super::node::{Kind, Node};
use super::read::read;
use crate::bail;
use crate::diag::Result;
use crate::model::{Id, Ids, Journaled, RowIndex, Tree};

/// A node that a rewritten text changed or made.
#[derive(Debug)]
pub struct Rewritten {
    /// The node.
    pub id: Id<Node>,
    /// The node as it was, if it is not new.
    pub before: Option<Node>,
}

/// What tells a node from its siblings: its kind, and of an element its name and its id.
type Key = (std::mem::Discriminant<Kind>, String, String);

/// Makes a tree write another text. A node whose text stays is not touched, and one whose start tag, end tag or own text
/// differs keeps its id. Returns the nodes that differ or are new.
///
/// # Errors
/// The text is not well-formed or passes a limit, or its XML declaration is another.
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
        bail!("an XML declaration stays as it is: it says how the file is encoded")
    }
    // What refers to an entity differs where the entity does, with the same text.
    let declares = |kind: &Kind| matches!(kind, Kind::Doctype(_));
    let of_old = tree.children(Tree::<Node, I>::ROOT);
    let of_old = of_old.filter(|id| tree.get(*id).is_some_and(|node| declares(node.kind())));
    let of_new = other.children(Tree::<Node>::ROOT);
    let of_new = of_new.filter(|id| other.get(*id).is_some_and(|node| declares(node.kind())));
    let old: Vec<String> = of_old.map(|id| tree.text_of(id)).collect();
    let new: Vec<String> = of_new.map(|id| other.text_of(id)).collect();
    let mut work = Work {
        tree,
        other,
        by_text: old == new,
        found: Vec::new(),
    };
    let mut stack = vec![(Tree::<Node, I>::ROOT, Tree::<Node>::ROOT)];
    while let Some((old, new)) = stack.pop() {
        work.children(old, new, &mut stack)?;
    }
    Ok(work.found)
}

struct Work<'t, I> {
    tree: &'t mut Tree<Node, I>,
    other: Tree<Node>,
    /// Nodes with the same text are the same.
    by_text: bool,
    found: Vec<Rewritten>,
}

impl<I: RowIndex<Node>> Work<'_, I> {
    /// Makes the children of one node those of another.
    fn children(
        &mut self,
        parent: Id<Node>,
        other: Id<Node>,
        stack: &mut Vec<(Id<Node>, Id<Node>)>,
    ) -> Result<()> {
        let old: Vec<Id<Node>> = self.tree.children(parent).collect();
        let new: Vec<Id<Node>> = self.other.children(other).collect();
        let partners = self.partners(&old, &new);
        let mut is_kept = vec![false; old.len()];
        for at in partners.iter().flatten() {
            if let Some(kept) = is_kept.get_mut(*at) {
                *kept = true;
            }
        }
        for (id, _) in old.iter().zip(&is_kept).filter(|(_, kept)| !**kept) {
            self.tree.remove(*id);
        }
        let mut before = None;
        for (ix, id) in new.iter().enumerate().rev() {
            let partner = partners.get(ix).copied().flatten();
            let Some(own) = partner.and_then(|at| old.get(at)).copied() else {
                before = Some(self.insert(*id, parent, before)?);
                continue;
            };
            before = Some(own);
            if self.by_text && self.tree.hash_of(own) == self.other.hash_of(*id) {
                continue;
            }
            let (was, is) = (self.tree.get(own).cloned(), self.other.get(*id));
            if let Some(is) = is.filter(|is| was.as_ref() != Some(*is)) {
                let is = is.owned();
                self.tree.modify(own, |node| *node = is);
                self.found.push(Rewritten {
                    id: own,
                    before: was,
                });
            }
            stack.push((own, *id));
        }
        Ok(())
    }

    /// Adds a node of the other tree, with all that is in it.
    fn insert(
        &mut self,
        from: Id<Node>,
        parent: Id<Node>,
        before: Option<Id<Node>>,
    ) -> Result<Id<Node>> {
        let mut top = None;
        let mut stack = vec![(from, parent, before)];
        while let Some((from, parent, before)) = stack.pop() {
            let node = self.other.need(from)?.owned();
            let id = self.tree.insert(node, parent, before)?;
            top = top.or(Some(id));
            self.found.push(Rewritten { id, before: None });
            let inner: Vec<Id<Node>> = self.other.children(from).collect();
            // The first is taken first, so that each goes behind those before it.
            stack.extend(inner.into_iter().rev().map(|inner| (inner, id, None)));
        }
        match top {
            Some(id) => Ok(id),
            None => bail!("nothing was inserted"),
        }
    }

    /// The old node that each new one is, in rising order.
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
        let (mut from, mut to) = (0, 0);
        for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
            let (gone, come) = (
                hunk.before.start as usize..hunk.before.end as usize,
                hunk.after.start as usize..hunk.after.end as usize,
            );
            for (old, new) in (from..gone.start).zip(to..come.start) {
                pair(new, old);
            }
            (from, to) = (gone.end, come.end);
            // What differs in its text is the same node if it is called the same.
            let mut keys = InternedInput::default();
            let old_keys = gone
                .clone()
                .map(|ix| key(old.get(ix).and_then(|id| self.tree.get(*id))));
            let new_keys = come
                .clone()
                .map(|ix| key(new.get(ix).and_then(|id| self.other.get(*id))));
            let (old_keys, new_keys): (Vec<_>, Vec<_>) = (old_keys.collect(), new_keys.collect());
            let loose =
                |key: &Option<Key>| key.as_ref().map(|(kind, name, _)| (*kind, name.clone()));
            let alike = old_keys.len() == new_keys.len()
                && old_keys
                    .iter()
                    .zip(&new_keys)
                    .all(|(one, other)| loose(one) == loose(other));
            if alike {
                for (old, new) in gone.zip(come) {
                    pair(new, old);
                }
                continue;
            }
            keys.update_before(old_keys.into_iter());
            keys.update_after(new_keys.into_iter());
            let (mut old_at, mut new_at) = (0, 0);
            for inner in Diff::compute(Algorithm::Myers, &keys).hunks() {
                let same = (inner.before.start as usize) - old_at;
                for step in 0..same {
                    pair(come.start + new_at + step, gone.start + old_at + step);
                }
                (old_at, new_at) = (inner.before.end as usize, inner.after.end as usize);
            }
            for (old, new) in (gone.start + old_at..gone.end).zip(come.start + new_at..come.end) {
                pair(new, old);
            }
        }
        for (old, new) in (from..old.len()).zip(to..new.len()) {
            pair(new, old);
        }
        partners
    }
}

fn key(node: Option<&Node>) -> Option<Key> {
    let node = node?;
    let element = node.element();
    let name = element.map_or("", |element| element.name()).to_owned();
    let id = element.and_then(|element| element.raw_attr("id"));
    Some((
        std::mem::discriminant(node.kind()),
        name,
        id.unwrap_or_default().to_owned(),
    ))
}
