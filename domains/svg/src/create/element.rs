//! Drawing new elements.

use std::borrow::Cow;

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;

use super::shapes::ShapeError;
use super::{Drawn, Site, properties};
use crate::model::{Drawing, NodeId};
use crate::property::Property;

/// An element to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Its name in the verb: `star`.
    pub what: &'static str,
    /// Its local name: `polygon`.
    pub element: &'static str,
    /// Its own attributes, in order.
    pub attrs: Vec<(Cow<'static, str>, String)>,
    /// Properties to write before those of the op.
    pub properties: Vec<(&'static Property, String)>,
    /// The parameters that give an existing object the same geometry, if that is only a number: `r:8`.
    pub words: String,
}

impl Sketch {
    /// An element with attributes.
    #[must_use]
    pub fn new(what: &'static str, attrs: Vec<(&'static str, String)>) -> Self {
        Self {
            what,
            element: what,
            attrs: attrs
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
            properties: Vec::new(),
            words: String::new(),
        }
    }

    /// An element of computed points or path data, in the attribute `name`.
    ///
    /// # Errors
    /// If the shape cannot be made.
    pub fn shaped(
        what: &'static str,
        element: &'static str,
        name: &'static str,
        shape: Result<String, ShapeError>,
    ) -> Result<Self> {
        let text = shape.map_err(|error| Diagnostic::new(error.to_string()))?;
        Ok(Self {
            element,
            ..Self::new(what, vec![(name, text)])
        })
    }
}

impl Drawing {
    /// Draws an element as [`Self::draw`] does, and describes it.
    ///
    /// # Errors
    /// As for [`Self::draw`].
    pub fn create(&mut self, sketch: Sketch, drawn: &Drawn, site: Site) -> Result<Reply> {
        let id = self.draw(sketch, drawn, site)?;
        Ok(created!("{}", self.summary(&self.geometry(), id)))
    }

    /// Draws an element with its id, class, own attributes, transforms and properties, each written
    /// where it takes effect.
    ///
    /// # Errors
    /// If the id is taken, a key is not a property, or a value would not take effect.
    pub fn draw(&mut self, sketch: Sketch, drawn: &Drawn, site: Site) -> Result<NodeId> {
        if let Some(wanted) = &drawn.id {
            self.is_free(wanted, sketch.element, &sketch.words)?;
        }
        self.effective_at(sketch.element, sketch.what, drawn, site)?;
        let keys = drawn.style.iter();
        let mut values = sketch.properties;
        for given in properties(&self.nodes, sketch.what, keys, &[])? {
            if values.iter().any(|(known, _)| *known == given.0) {
                bail!("{} is given twice", given.0.name);
            }
            values.push(given);
        }
        let tree = self.nodes.tree_mut();
        let mut element = Element::new(&xml::qualified_like(tree, site.parent, sketch.element))?;
        if let Some(id) = &drawn.id {
            element = element.with("id", id.get().as_str())?;
        }
        if let Some(class) = drawn.class.as_ref().and_then(|class| class.of("")) {
            element = element.with("class", &class)?;
        }
        for (name, value) in &sketch.attrs {
            element = element.with(name, value)?;
        }
        if let Some(transform) = &drawn.transform {
            element = element.with("transform", &transform.to_string())?;
        }
        let id = xml::insert_element(tree, element, site.parent, site.before)?;
        for (name, text) in [("title", &drawn.title), ("desc", &drawn.desc)] {
            if let Some(text) = text {
                let inner = Element::new(&xml::qualified_like(tree, id, name))?;
                let inner = xml::insert_node(tree, Node::from(inner), id, None)?;
                xml::insert_node(tree, Node::text_run(text.as_str())?, inner, None)?;
            }
        }
        if !values.is_empty() {
            self.write_styles(&[id], &values, None)?;
        }
        Ok(id)
    }
}
