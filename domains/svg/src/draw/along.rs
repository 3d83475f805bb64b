//! Texts that follow a path.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;
use fcp::value::Length;

use super::{WRAP, href};
use crate::model::{Drawing, NodeId};
use crate::values::Toward;

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

    /// The path that a text which is there can be made to follow.
    ///
    /// # Errors
    /// It names no shape, or the text has runs of its own or several lines.
    pub fn can_follow(&self, text: NodeId, to: &Toward) -> Result<NodeId> {
        let path = to.row()?;
        let name = self.nodes.name(text);
        if self.geometry().outline(path).is_none() {
            let (kind, path) = (self.nodes.kind_name(path), self.nodes.name(path));
            bail!("{path} is a {kind}, which no text follows"; try: "? list @type:path")
        }
        let follows = self.nodes.child_called(text, "textPath").is_some();
        if follows || (self.is_plain(text) && self.lines(text).len() == 1) {
            return Ok(path);
        }
        bail!("a text that follows a path is of one line and of one style"; try: "? describe {name}")
    }

    /// Makes a text follow a path. Says whether it followed another or none.
    ///
    /// # Errors
    /// XML forbids a character of it.
    pub fn lead_along(&mut self, text: NodeId, path: NodeId) -> Result<bool> {
        if let Some(along) = self.nodes.child_called(text, "textPath") {
            let (target, _) = self.referable(path)?;
            return self.reshape(along, "href", &format!("#{target}"));
        }
        let said = self.lines(text).concat();
        let children: Vec<NodeId> = self.nodes.tree().children(text).collect();
        let tree = self.nodes.tree_mut();
        for child in children {
            tree.remove(child);
        }
        // A place of its own would move it away from the path's beginning.
        xml::modify_element(tree, text, |element| {
            for name in ["x", "y", "dx", "dy", WRAP] {
                element.remove_attr(name);
            }
            Ok(())
        })?;
        self.write_along(text, path, None, &said)?;
        Ok(true)
    }

    /// Sets where on its path a text begins. Says whether it began somewhere else.
    ///
    /// # Errors
    /// It follows no path.
    pub fn start_at(&mut self, text: NodeId, offset: &Spanned<Length>) -> Result<bool> {
        let Some(along) = self.nodes.child_called(text, "textPath") else {
            let name = self.nodes.name(text);
            let paths = (self.nodes.elements()).find(|id| self.nodes.kind_name(*id) == "path");
            let error = format!("{name} follows no path");
            let Some(path) = paths else {
                return Err(offset.wrong(ValueError::sentence(error)));
            };
            let (path, offset) = (self.nodes.name(path), offset.get());
            bail!("{error}"; try: "modify {name} to:{path} start-offset:{offset}")
        };
        self.reshape(along, "startOffset", &offset.get().to_string())
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
