//! How a new element looks.

use std::borrow::Cow;

use fcp::format::xml::{self, Element, Node};
use fcp::model::Level;
use fcp::prelude::*;

use super::{Drawn, Site, properties};
use crate::id::{ElementId, next_free};
use crate::model::{Drawing, NodeId};
use crate::property::Property;

/// An element that is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// What the verb calls it: `star`.
    pub what: &'static str,
    /// Its local name: `polygon`.
    pub element: &'static str,
    /// Its own attributes, in order.
    pub attrs: Vec<(Cow<'static, str>, String)>,
    /// Properties that come before those of the op.
    pub properties: Vec<(&'static Property, String)>,
    /// The words that would make a like object the same: `r:8`.
    pub words: String,
}

impl Sketch {
    /// An element with attributes.
    #[must_use]
    pub fn new(what: &'static str, attrs: Vec<(&'static str, String)>, words: String) -> Self {
        Self {
            what,
            element: what,
            attrs: attrs
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
            properties: Vec::new(),
            words,
        }
    }
}

impl Drawing {
    /// Draws an element: its id, its class, its own attributes, its transforms, then its properties, each where it takes
    /// effect.
    ///
    /// # Errors
    /// The id is taken, a key is no property, or a value would not take effect.
    pub fn draw(&mut self, sketch: Sketch, drawn: &Drawn, site: Site) -> Result<NodeId> {
        self.is_free(&sketch, drawn)?;
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

    /// That no element has an id that an op gives to a new one.
    ///
    /// # Errors
    /// One has; the next that is free is the repair.
    pub fn is_vacant(&self, wanted: &Spanned<ElementId>) -> Result<()> {
        let id = wanted.get().as_str();
        let index = self.nodes.tree().index();
        let Some(taken) = index.with_id(id, Level::Exact).first().copied() else {
            return Ok(());
        };
        let is_taken = |id: &str| !index.with_id(id, Level::Exact).is_empty();
        let kind = self.nodes.kind_name(NodeId::new(taken));
        let error = ValueError::sentence(format!("id:{id} is already a {kind}"));
        Err(wanted.wrong(error.fix(next_free(id, is_taken))))
    }

    /// That no element has the new one's id.
    fn is_free(&self, sketch: &Sketch, drawn: &Drawn) -> Result<()> {
        let Some(wanted) = &drawn.id else {
            return Ok(());
        };
        let id = wanted.get().as_str();
        let index = self.nodes.tree().index();
        let taken = index.with_id(id, Level::Exact).first().copied();
        let kind = taken.map(|taken| self.nodes.kind_name(NodeId::new(taken)));
        match kind {
            Some(kind) if kind == sketch.element && !sketch.words.is_empty() => {
                bail!("id:{id} is already a {kind}"; try: "modify {id} {}", sketch.words)
            }
            _ => self.is_vacant(wanted),
        }
    }
}
