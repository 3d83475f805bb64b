//! A document's text with a piece inserted byte for byte.

use super::element::End;
use super::node::{Kind, Node};
use crate::model::{Id, Step, Tree, TreeRow};

/// A place next to the markup of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// After its start tag.
    First,
    /// Before its end tag.
    Last,
    /// Before its start tag.
    Before,
    /// After its end tag.
    After,
}

/// The text of a document with `piece` at an edge of an element, for
/// [`rewrite`](super::rewrite()). Whitespace in it and around it stays as it is.
#[must_use]
pub fn text_with<I>(tree: &Tree<Node, I>, piece: &str, (id, edge): (Id<Node>, Edge)) -> String {
    let mut text = String::new();
    for step in tree.walk(Tree::<Node, I>::ROOT) {
        let (Step::Enter(own) | Step::Leave(own)) = step;
        let Some(node) = tree.get(own) else { continue };
        let is_entered = matches!(step, Step::Enter(_));
        let start = text.len();
        match is_entered {
            true => node.head(&mut |part| text.push_str(part)),
            false => node.tail(&mut |part| text.push_str(part)),
        }
        if own != id {
            continue;
        }
        let empty = match node.kind() {
            Kind::Element(element) if element.end == End::Empty => Some(element.name()),
            _ => None,
        };
        let space = node
            .element()
            .map_or("", |element| element.space_before_end());
        match (edge, empty) {
            (Edge::First | Edge::Last, Some(name)) if is_entered => {
                text.truncate(text.len().saturating_sub("/>".len()));
                text.push('>');
                text.push_str(piece);
                text.push_str(&format!("</{name}>"));
            }
            (Edge::First | Edge::Last, Some(_)) => {}
            (Edge::Before, _) if is_entered => text.insert_str(start + node.lead().len(), piece),
            (Edge::Last, None) if !is_entered => text.insert_str(start + space.len(), piece),
            (Edge::First, None) if is_entered => text.push_str(piece),
            (Edge::After, _) if !is_entered => text.push_str(piece),
            _ => {}
        }
    }
    text
}
