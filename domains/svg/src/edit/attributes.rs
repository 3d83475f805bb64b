//! Attribute writes that keep entity references, and characters that the encoding lacks.

use std::collections::BTreeMap;

use fcp::format::xml::{self, Kind};
use fcp::prelude::*;

use fcp::model::TreeChange;
use fcp::op::quote_value;

use crate::edit::attribute_values;
use crate::model::at_source::set_at_source;
use crate::model::{Drawing, DrawingEvent, NodeId};
use crate::property;
use crate::style::{overridden, refused};
use crate::syntax::scripts;

/// The result of setting an attribute.
pub struct Set {
    /// The attribute's value, as it is written.
    pub written: String,
    /// The elements whose value changed, with their old values.
    pub changed: Vec<(NodeId, Option<String>)>,
}

impl Drawing {
    /// Sets an attribute; see [`xml::set_attr`]. Returns whether its value changed.
    ///
    /// # Errors
    /// If it cannot be written, or its value comes from an entity of the DOCTYPE that has another
    /// use.
    pub fn put_attr(&mut self, id: NodeId, name: &str, value: &str) -> Result<bool> {
        if let Err(reason) = self.keeps_entity(id, name, value) {
            // At its source, if it has no other use.
            let new = (id, Some(name.to_owned()), value.to_owned());
            return match set_at_source(self, vec![new]) {
                Ok(others) if others.is_empty() => Ok(true),
                _ => Err(reason),
            };
        }
        xml::set_attr(self.nodes.tree_mut(), id, name, value)
    }

    /// Sets attributes of one element, as [`put_attr`](Self::put_attr) does. Returns whether any value changed.
    ///
    /// # Errors
    /// Those of [`put_attr`](Self::put_attr).
    pub fn put_attrs(&mut self, id: NodeId, values: &[(String, String)]) -> Result<bool> {
        let values = values.iter().map(|(name, value)| (&**name, &**value));
        let values: Vec<(&str, &str)> = values.collect();
        if values
            .iter()
            .all(|(name, value)| self.keeps_entity(id, name, value).is_ok())
        {
            return xml::set_attrs(self.nodes.tree_mut(), id, &values);
        }
        let mut any = false;
        for (name, value) in values {
            any |= self.put_attr(id, name, value)?;
        }
        Ok(any)
    }

    /// A value of an attribute of elements as it is written.
    ///
    /// # Errors
    /// If no op writes the attribute, or it does not accept the value.
    pub fn written_attribute(&self, ids: &[NodeId], name: &str, text: &str) -> Result<String> {
        let first = ids.first().map_or(String::new(), |id| self.nodes.name(*id));
        refused(name, &first)?;
        if !xml::is_qualified(name) {
            let near = crate::syntax::id::mended(name).unwrap_or_else(|| "data-k".to_owned());
            bail!("\"{name}\" is not an attribute name"; try: "set {first} {near} {}", fcp::op::quote(text))
        }
        if let Some(runs) = scripts::in_attribute(name, text) {
            let harmless = if scripts::in_attribute(name, "").is_some() {
                "data-k v".to_owned()
            } else {
                format!("{name} \"#\"")
            };
            bail!("{runs}, which no op writes"; try: "set {first} {harmless}")
        }
        let written = attribute_values::checked(self, ids, name, text).map_err(|error| {
            let subject = format!("{name} {}", quote_value(text));
            let wrong = Diagnostic::new(error.about(&subject));
            match &error.fix {
                Some(fix) => wrong.or_try(format!("set {first} {name} {}", fcp::op::quote(fix))),
                None => wrong,
            }
        })?;
        Ok(written)
    }

    /// Sets an attribute of elements to a value that it accepts. Returns the elements that changed,
    /// with their old values.
    ///
    /// # Errors
    /// If no op writes the attribute, or it does not accept the value.
    pub fn set_attribute(&mut self, ids: &[NodeId], name: &str, text: &str) -> Result<Set> {
        let first = ids.first().map_or(String::new(), |id| self.nodes.name(*id));
        let written = self.written_attribute(ids, name, text)?;
        let mut changed = Vec::new();
        for id in ids {
            let old = self.nodes.attr(*id, name).map(std::borrow::Cow::into_owned);
            let tree = self.nodes.tree_mut();
            let is_new = xml::replace_attr(tree, *id, name, &written).map_err(|error| {
                let local = name.split_once(':').map_or(name, |(_, local)| local);
                let plain = if local == "href" {
                    local.to_owned()
                } else {
                    format!("data-{local}")
                };
                error.or_try(format!("set {first} {plain} {}", fcp::op::quote(text)))
            })?;
            if is_new {
                changed.push((*id, old));
            }
        }
        Ok(Set { written, changed })
    }

    /// Sets attributes of elements to values that they accept. Returns lines about those without effect.
    ///
    /// # Errors
    /// Those of [`set_attribute`](Self::set_attribute).
    pub fn set_attributes(
        &mut self,
        values: Vec<(NodeId, Option<String>, String)>,
    ) -> Result<Vec<String>> {
        let mut properties: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for (id, name, _) in &values {
            if let Some(property) = name.as_deref().and_then(property::named) {
                properties.entry(property.name).or_default().push(*id);
            }
        }
        for (id, name, value) in set_at_source(self, values)? {
            self.set_attribute(&[id], &name.unwrap_or_default(), &value)?;
        }
        let lines = properties.into_iter().filter_map(|(name, ids)| {
            let hidden = overridden(self, &ids, name)?;
            let names = self.names_of(&hidden.ids);
            Some(format!("? {name} of {names} is hidden by {}", hidden.by))
        });
        Ok(lines.collect())
    }

    /// Rejects a value that would remove an entity reference from an attribute.
    ///
    /// # Errors
    /// If it would.
    pub fn keeps_entity(&self, id: NodeId, name: &str, value: &str) -> Result<()> {
        let element = self.nodes.element(id);
        let lost = element.and_then(|element| element.would_lose(name, value));
        let Some(entity) = lost else {
            return Ok(());
        };
        let (title, called) = (self.titled(id), self.nodes.name(id));
        let current = self.nodes.attr(id, name).unwrap_or_default();
        let current = fcp::op::quote(&current).into_owned();
        bail!("{name} of {title} comes from the entity &{entity};: write it out first, or set entity:{entity} value VALUE for all that use it"; try: "set {called} {name} {current}")
    }

    /// Writes characters that the file's encoding lacks as numeric references, in all changed
    /// nodes.
    ///
    /// # Errors
    /// If such a character is in a place where XML allows no references.
    pub(crate) fn respell(&mut self, changes: &[DrawingEvent]) -> Result<()> {
        let encoding = self.envelope.encoding;
        if encoding.has_all() {
            return Ok(());
        }
        for change in changes {
            let DrawingEvent::Nodes(TreeChange::Added { id, .. } | TreeChange::Modified { id, .. }) =
                change
            else {
                continue;
            };
            let id = NodeId::new(*id);
            let tree = self.nodes.tree_mut();
            let Some(mut node) = tree.get(id).cloned() else {
                continue;
            };
            // A reference is possible in a text, but not in a CDATA section; one that was sent stays.
            let was_section = matches!(change, DrawingEvent::Nodes(TreeChange::Modified { before, .. })
                if matches!(before.kind(), Kind::CData(_)));
            let outer = tree.parent(id).and_then(|outer| tree.get(outer)?.element());
            let is_read_apart =
                outer.is_some_and(|outer| matches!(outer.local_name(), "style" | "script"));
            if was_section && !is_read_apart && node.lacks(encoding) {
                node.open_section()?;
            }
            if node.respell(encoding)? {
                tree.modify(id, |own| *own = node);
            }
        }
        Ok(())
    }
}
