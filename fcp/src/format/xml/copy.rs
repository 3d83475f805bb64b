//! Copies of nodes.

use super::edit::{meant_there, open, stands_in};
use super::error::Reason;
use super::limits::Limits;
use super::node::Node;
use super::space;
use crate::diag::{Diagnostic, Result};
use crate::model::{Id, RowIndex, Step, Tree};
use crate::work;

/// Copies a node, with its descendants, to the children of `parent`, before one of them or last.
/// The bytes are the same except the whitespace before it, which is that of a new element. Returns
/// every copied node with its copy, in the order of the document.
///
/// # Errors
/// One of the rows does not exist, `parent` is not an element, `before` is not one of its children,
/// a used prefix means something else there, or the copy would exceed the limits.
pub fn copy_node<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    parent: Id<Node>,
    before: Option<Id<Node>>,
    limits: &Limits,
) -> Result<Vec<(Id<Node>, Id<Node>)>> {
    tree.need(id)?;
    stands_in(tree, before, parent)?;
    super::element(tree, parent)?;
    meant_there(tree, id, parent)?;
    let left = limits.nodes.saturating_sub(tree.len());
    let mut nodes = Vec::new();
    let (mut depth, top) = (tree.depth(parent) + 1, tree.depth(parent) + 1);
    for step in tree.walk(id) {
        match step {
            Step::Leave(_) => depth = depth.saturating_sub(1).max(top),
            Step::Enter(id) => {
                if depth > limits.depth {
                    return Err(would_be(&Reason::Depth(limits.depth)));
                }
                if nodes.len() >= left {
                    return Err(would_be(&Reason::Nodes(limits.nodes)));
                }
                nodes.push((id, tree.need(id)?.clone()));
                depth += 1;
            }
        }
    }
    let outer: Vec<Option<Id<Node>>> = nodes.iter().map(|(id, _)| tree.parent(*id)).collect();
    open(tree, parent)?;
    let lead = space::lead(tree, parent, before);
    let mut copies: Vec<(Id<Node>, Id<Node>)> = Vec::with_capacity(nodes.len());
    // The copies of the nodes around the current one.
    let mut way: Vec<(Id<Node>, Id<Node>)> = Vec::new();
    for ((id, node), outer) in nodes.into_iter().zip(outer) {
        while way.last().is_some_and(|(old, _)| Some(*old) != outer) {
            way.pop();
        }
        work::spend(work::STEPS_A_CHANGE)?;
        let copy = match way.last() {
            Some((_, new)) => tree.insert(node, *new, None)?,
            None => tree.insert(node.led_by(&lead), parent, before)?,
        };
        way.push((id, copy));
        copies.push((id, copy));
    }
    Ok(copies)
}

/// The error for a copy that exceeds a limit.
fn would_be(reason: &Reason) -> Diagnostic {
    let error = Diagnostic::new(format!("with the copy {reason}"));
    match reason.moved_by() {
        Some(setting) => error.or_try(format!("! {setting}")),
        None => error,
    }
}
