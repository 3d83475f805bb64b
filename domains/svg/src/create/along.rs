//! Texts along paths.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;
use fcp::value::Length;

use super::{WRAP, href};
use crate::model::{Drawing, NodeId};
use crate::resolve::Toward;

impl Drawing {
    /// The shape for a text to follow.
    ///
    /// # Errors
    /// If the row is not a shape.
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
        let error = format!("{name} is a {kind}, which no text can follow");
        Err(to.wrong(ValueError::sentence(error).maybe_fix(near)))
    }

    /// The path that an existing text can be made to follow.
    ///
    /// # Errors
    /// If it is not a shape, or the text has separate runs or several lines.
    pub fn can_follow(&self, text: NodeId, to: &Toward) -> Result<NodeId> {
        let path = to.row()?;
        let name = self.nodes.name(text);
        if self.geometry().outline(path).is_none() {
            let (kind, path) = (self.nodes.kind_name(path), self.nodes.name(path));
            bail!("{path} is a {kind}, which no text can follow"; try: "? list @type:path")
        }
        let follows = self.nodes.child_called(text, "textPath").is_some();
        if follows || (self.is_plain(text) && self.lines(text).len() == 1) {
            return Ok(path);
        }
        bail!("a text on a path has one line and one style"; try: "? describe {name}")
    }

    /// Makes a text follow a path. Returns whether that changed it.
    ///
    /// # Errors
    /// If XML forbids one of its characters.
    pub fn lead_along(&mut self, text: NodeId, path: NodeId) -> Result<bool> {
        if let Some(along) = self.nodes.child_called(text, "textPath") {
            let (target, _) = self.referable(path)?;
            return self.reshape(along, "href", &format!("#{target}"));
        }
        let content = self.lines(text).concat();
        let children: Vec<NodeId> = self.nodes.tree().children(text).collect();
        let tree = self.nodes.tree_mut();
        for child in children {
            tree.remove(child);
        }
        // Its own position would move it away from the path's start.
        xml::modify_element(tree, text, |element| {
            for name in ["x", "y", "dx", "dy", WRAP] {
                element.remove_attr(name);
            }
            Ok(())
        })?;
        self.write_along(text, path, None, &content)?;
        Ok(true)
    }

    /// Sets the start of a text along its path. Returns whether that changed it.
    ///
    /// # Errors
    /// If it does not follow a path.
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

    /// Writes the content of an empty text along a path.
    ///
    /// # Errors
    /// If XML forbids one of its characters.
    pub fn write_along(
        &mut self,
        text: NodeId,
        path: NodeId,
        offset: Option<&str>,
        content: &str,
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
        xml::insert_node(tree, Node::text_run(content)?, along, None)?;
        Ok(())
    }

    /// The name of the shape that a text follows, as in replies.
    #[must_use]
    pub fn follows(&self, text: NodeId) -> Option<String> {
        let nodes = &self.nodes;
        let mut inside = nodes.tree().children(text);
        let along = inside.find(|id| nodes.kind_name(*id) == "textPath")?;
        self.geometry().target(along).map(|path| nodes.name(path))
    }
}
