//! Texts that follow a path.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;

use super::href;
use crate::model::{Drawing, NodeId};

impl Drawing {
    /// The shape that a text is to follow.
    ///
    /// # Errors
    /// It is no shape.
    pub fn followed(&self, to: &Spanned<Row>) -> Result<NodeId> {
        let id = NodeId::new(to.get().id());
        if self.geometry().outline(id).is_some() {
            return Ok(id);
        }
        let (kind, name) = (self.nodes.kind_name(id), self.nodes.name(id));
        let paths = self
            .nodes
            .elements()
            .find(|id| self.nodes.kind_name(*id) == "path");
        let near = paths.map(|path| self.nodes.name(path));
        let error = format!("{name} is a {kind}, which no text follows");
        Err(to.wrong(ValueError::sentence(error).maybe_fix(near)))
    }

    /// Writes what a text that has no children says along a path.
    ///
    /// # Errors
    /// XML forbids a character of it.
    pub fn write_along(
        &mut self,
        text: NodeId,
        path: NodeId,
        offset: Option<&str>,
        said: &str,
    ) -> Result<()> {
        let (target, _) = self.referable(path)?;
        let href = href(self);
        let tree = self.nodes.tree_mut();
        let mut along = Element::new(&xml::qualified_like(tree, text, "textPath"))?
            .with(href, &format!("#{target}"))?;
        if let Some(offset) = offset {
            along = along.with("startOffset", offset)?;
        }
        let along = xml::insert_node(tree, Node::from(along), text, None)?;
        xml::insert_node(tree, Node::text_run(said)?, along, None)?;
        Ok(())
    }

    /// The shape that a text follows, by the name that replies call it.
    #[must_use]
    pub fn follows(&self, text: NodeId) -> Option<String> {
        let nodes = &self.nodes;
        let mut inside = nodes.tree().children(text);
        let along = inside.find(|id| nodes.kind_name(*id) == "textPath")?;
        self.geometry().target(along).map(|path| nodes.name(path))
    }
}
