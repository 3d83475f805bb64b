//! What people call an element, and what it shows in words.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

impl Drawing {
    /// Gives an element another `<title>` or `<desc>`; none if the text is empty. Hands back what to tell of it; nothing if
    /// it said so.
    ///
    /// # Errors
    /// XML forbids a character of it.
    pub fn entitle(&mut self, id: NodeId, local: &str, text: &str) -> Result<Option<String>> {
        let standing = self.nodes.child_called(id, local);
        let before = standing.map(|inner| self.nodes.text_of(inner));
        if before.as_deref().unwrap_or_default() == text {
            return Ok(None);
        }
        let (nodes, title) = (&self.nodes, self.nodes.child_called(id, "title"));
        let first = nodes.tree().children(id).next();
        // In a text, white space is seen.
        let in_line = first.is_none() || nodes.kind_name(id) == "text";
        // A title is an element's first child, and what it shows stands behind that.
        let place = match title.filter(|_| local == "desc") {
            Some(title) => nodes.tree().next_sibling(title),
            None => first,
        };
        let tree = self.nodes.tree_mut();
        match standing {
            Some(inner) if text.is_empty() => {
                xml::remove_node(tree, inner)?;
            }
            Some(inner) => {
                let old: Vec<NodeId> = tree.children(inner).collect();
                for child in old {
                    tree.remove(child);
                }
                xml::insert_node(tree, Node::text_run(text)?, inner, None)?;
            }
            None => {
                let inner = Element::new(&xml::qualified_like(tree, id, local))?;
                let inner = if in_line {
                    xml::insert_node(tree, Node::from(inner), id, place)?
                } else {
                    xml::insert_element(tree, inner, id, place)?
                };
                xml::insert_node(tree, Node::text_run(text)?, inner, None)?;
            }
        }
        let shown = |text: &str| match text {
            "" => "none".to_owned(),
            text => format!("\"{}\"", text.escape_debug()),
        };
        let (before, after) = (shown(before.as_deref().unwrap_or_default()), shown(text));
        Ok(Some(format!("{local} {before} -> {after}")))
    }
}
