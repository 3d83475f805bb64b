//! Titles and descriptions of elements.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

impl Drawing {
    /// Sets an element's `<title>` or `<desc>`, or removes it if the text is empty. Returns the
    /// description of the change, or `None` if there is none.
    ///
    /// # Errors
    /// If XML forbids one of its characters.
    pub fn entitle(&mut self, id: NodeId, local: &str, text: &str) -> Result<Option<String>> {
        let existing = self.nodes.child_called(id, local);
        let before = existing.map(|inner| self.nodes.text_of(inner));
        if before.as_deref().unwrap_or_default() == text {
            return Ok(None);
        }
        let (nodes, title) = (&self.nodes, self.nodes.child_called(id, "title"));
        let first = nodes.tree().children(id).next();
        // In a text, whitespace is visible.
        let in_line = first.is_none() || nodes.kind_name(id) == "text";
        // The title is the first child, and a description follows it.
        let place = match title.filter(|_| local == "desc") {
            Some(title) => nodes.tree().next_sibling(title),
            None => first,
        };
        let tree = self.nodes.tree_mut();
        match existing {
            Some(inner) if text.is_empty() => {
                xml::remove_node(tree, inner)?;
            }
            Some(inner) => {
                let old: Vec<NodeId> = tree.children(inner).collect();
                if let [only] = old[..]
                    && tree.get(only).is_some_and(|node| node.text().is_some())
                {
                    self.put_texts(vec![(only, text.to_owned())], false)?;
                } else {
                    for child in old {
                        tree.remove(child);
                    }
                    xml::insert_node(tree, Node::text_run(text)?, inner, None)?;
                }
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
