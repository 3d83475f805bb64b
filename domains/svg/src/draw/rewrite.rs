//! Another content for a text that is there.

use fcp::prelude::*;

use super::{LINE_HEIGHT, lines_of};
use crate::model::{Drawing, NodeId};

impl Drawing {
    /// Whether a text is of plain lines, so that others can take their place.
    ///
    /// # Errors
    /// Some of it is styled or placed by itself.
    pub fn is_plain(&self, text: NodeId) -> Result<()> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let plain = |id: NodeId| match nodes.element(id) {
            None => true,
            Some(element) => {
                let line = |(name, _): (&str, _)| matches!(name, "x" | "dy");
                element.local_name() == "tspan"
                    && element.values().all(line)
                    && tree
                        .children(id)
                        .all(|inner| nodes.element(inner).is_none())
            }
        };
        let runs = tree
            .children(text)
            .filter(|id| nodes.element(*id).is_some())
            .count();
        if tree.children(text).all(plain) {
            return Ok(());
        }
        let name = nodes.name(text);
        bail!("{name} has runs of its own styles, {runs} in all"; try: "? describe {name}")
    }

    /// Puts other lines into a text of plain ones. Says whether it said something else.
    ///
    /// # Errors
    /// XML forbids a character of them.
    pub fn rewrite(&mut self, text: NodeId, new: &str) -> Result<bool> {
        let lines = lines_of(new);
        if self.lines(text) == lines {
            return Ok(false);
        }
        let children: Vec<NodeId> = self.nodes.tree().children(text).collect();
        let tree = self.nodes.tree_mut();
        for child in children {
            tree.remove(child);
        }
        let x = self
            .nodes
            .attr(text, "x")
            .map_or_else(|| "0".to_owned(), std::borrow::Cow::into_owned);
        self.write_lines(text, &lines, &x, LINE_HEIGHT)?;
        Ok(true)
    }
}
