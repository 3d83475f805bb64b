//! Elements: their tags as written, and edits of them.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attr::{Attr, Attrs};
use super::chars::{is_qualified, is_space};
use super::entity::{Entities, Within};
use super::escape;
use super::segments::Places;
use super::slice::{Slice, Source};
use crate::bail;
use crate::diag::Result;

/// An element: its start tag and how it ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Element {
    pub(super) name: Slice,
    pub(super) attrs: Attrs,
    /// The white space before the end of the start tag.
    pub(super) gap: Slice,
    pub(super) end: End,
    /// The entities that its attributes' values refer to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entities: Option<Entities>,
}

/// The end of an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum End {
    /// With its start tag: `<a/>`.
    Empty,
    /// With this end tag, the white space before it included.
    Tag(Slice),
}

impl Element {
    /// The end of its start tag.
    pub(super) const fn start_end(&self) -> &'static str {
        match self.end {
            End::Empty => "/>",
            End::Tag(_) => ">",
        }
    }

    /// Its start tag, if that is one stretch of a text, as in a document that was read: copied at
    /// once, it is written in half the time.
    pub(super) fn start_as_read(&self) -> Option<&str> {
        let mut stretch = self.name.stretch()?;
        for attr in self.attrs.iter() {
            stretch = stretch.then(attr.slice())?;
        }
        let end = self.start_end();
        let text = stretch.then(&self.gap)?.text_with(1, end.len())?;
        (text.starts_with('<') && text.ends_with(end)).then_some(text)
    }

    /// The whitespace before its end tag, if nothing else is between it and the markup before.
    #[must_use]
    pub fn trail(&self) -> &str {
        match &self.end {
            End::Empty => "",
            End::Tag(tag) => tag.split_once('<').map_or("", |(space, _)| space),
        }
    }

    /// Whether it has an end tag, unlike `<name/>`.
    #[must_use]
    pub fn has_end_tag(&self) -> bool {
        self.end != End::Empty
    }

    /// An element without attributes or content: `<name/>`.
    ///
    /// # Errors
    /// The name is invalid.
    pub fn new(name: &str) -> Result<Self> {
        if !is_qualified(name) {
            bail!("{name:?} is not an element name")
        }
        Ok(Self {
            name: name.into(),
            attrs: Attrs::default(),
            gap: Slice::default(),
            end: End::Empty,
            entities: None,
        })
    }

    /// Adds an attribute after the others.
    ///
    /// # Errors
    /// See [`Self::set_attr`].
    pub fn with(mut self, name: &str, value: &str) -> Result<Self> {
        self.set_attr(name, value)?;
        Ok(self)
    }

    /// Its name as written: `rect`, `svg:rect`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text that its name is a slice of: the document's, if it was read from one.
    #[must_use]
    pub const fn source(&self) -> Option<&Source> {
        self.name.source()
    }

    /// Its name without a prefix.
    #[must_use]
    pub fn local_name(&self) -> &str {
        super::scope::split(&self.name).1
    }

    /// The form of its end.
    #[must_use]
    pub const fn end(&self) -> &End {
        &self.end
    }

    /// Its attributes, in order.
    #[must_use]
    pub fn attrs(&self) -> &[Attr] {
        &self.attrs
    }

    /// Its attributes' names and decoded values, in order.
    pub fn values(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        let entities = self.entities.as_ref();
        self.attrs
            .iter()
            .map(move |attr| (attr.name(), attr.value(entities)))
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.attrs.iter().position(|attr| attr.is_called(name))
    }

    fn find(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|attr| attr.is_called(name))
    }

    /// An attribute's decoded value: references expanded, whitespace as spaces. The name is as
    /// written, with its prefix.
    #[must_use]
    pub fn attr(&self, name: &str) -> Option<Cow<'_, str>> {
        let attr = self.find(name)?;
        Some(attr.value(self.entities.as_ref()))
    }

    /// An attribute's value as written.
    #[must_use]
    pub fn raw_attr(&self, name: &str) -> Option<&str> {
        self.find(name).map(Attr::raw_value)
    }

    /// Sets an attribute. An existing one keeps its quotes, the whitespace around it and the
    /// spelling of unchanged parts; a new one goes last, with the whitespace that is before the
    /// last. Returns whether its value changed.
    ///
    /// # Errors
    /// The name is invalid, the value has a character that XML forbids, or a reference to an entity
    /// would be lost.
    pub fn set_attr(&mut self, name: &str, value: &str) -> Result<bool> {
        let Some(at) = self.place(name) else {
            self.insert_attr(self.attrs.len(), name, value)?;
            return Ok(true);
        };
        if self.attr(name).is_some_and(|old| old == value) {
            return Ok(false);
        }
        let new = self.attrs[at].with_value(value, self.entities.as_ref())?;
        self.put(at, new);
        Ok(true)
    }

    /// Like [`Self::set_attr`], but without keeping any of the old value: references to entities in
    /// it are lost.
    ///
    /// # Errors
    /// The name is invalid, or the value has a character that XML forbids.
    pub fn replace_attr(&mut self, name: &str, value: &str) -> Result<bool> {
        let place = self.place(name).filter(|_| self.entities.is_some());
        let Some(at) = place.filter(|at| self.attrs[*at].refers()) else {
            return self.set_attr(name, value);
        };
        let new = self.attrs[at].replaced(value)?;
        self.put(at, new);
        Ok(true)
    }

    /// The entity whose reference a value would lose, so that [`Self::set_attr`] rejects it.
    #[must_use]
    pub fn would_lose(&self, name: &str, value: &str) -> Option<&str> {
        let attr = self.find(name)?;
        attr.would_lose(value, self.entities.as_ref())
    }

    /// The places of parts of an attribute's value; `None` if there is no such attribute.
    #[must_use]
    pub fn places_in_attr(&self, name: &str) -> Option<Places<'_>> {
        let raw = self.raw_attr(name)?;
        Some(Places::new(raw, Within::Value, self.entities.as_ref()))
    }

    /// The entities of the document, if its attributes refer to any.
    #[must_use]
    pub const fn entities(&self) -> Option<&Entities> {
        self.entities.as_ref()
    }

    /// Adds an attribute before the one at `at`, or last.
    ///
    /// # Errors
    /// The attribute exists, the name is invalid, or the value has a character that XML forbids.
    pub fn insert_attr(&mut self, at: usize, name: &str, value: &str) -> Result<()> {
        if self.find(name).is_some() {
            bail!("<{}> has an attribute {name} already", self.name)
        }
        let at = at.min(self.attrs.len());
        let model = self.attrs.get(at).or(self.attrs.last());
        let new = Attr::new(model.map_or(" ", Attr::space), name, value)?;
        let (before, after) = self.attrs.split_at(at);
        let attrs = before.iter().cloned().chain([new]);
        self.attrs = attrs.chain(after.iter().cloned()).collect();
        Ok(())
    }

    /// Removes an attribute with the whitespace before it. Returns whether it existed.
    pub fn remove_attr(&mut self, name: &str) -> bool {
        let Some(at) = self.place(name) else {
            return false;
        };
        let kept = self.attrs.iter().enumerate().filter(|(ix, _)| *ix != at);
        self.attrs = kept.map(|(_, attr)| attr.clone()).collect();
        true
    }

    /// Renames an attribute. Returns whether it existed.
    ///
    /// # Errors
    /// The new name is invalid, or another attribute has it.
    pub fn rename_attr(&mut self, name: &str, new: &str) -> Result<bool> {
        let Some(at) = self.place(name) else {
            return Ok(false);
        };
        if !is_qualified(new) {
            bail!("{new:?} is not an attribute name")
        }
        if name != new && self.find(new).is_some() {
            bail!("<{}> has an attribute {new} already", self.name)
        }
        let renamed = self.attrs[at].renamed(new);
        self.put(at, renamed);
        Ok(true)
    }

    /// Replaces parts of an attribute's raw value, such as one number or one declaration, by
    /// escaped texts. The parts are in order and apart. Whitespace is written as it is, and is
    /// read as spaces.
    ///
    /// # Errors
    /// The attribute does not exist, a range is outside its raw value or cuts a character or a
    /// reference, or a text has a character that XML forbids.
    pub fn replace_in_attr(
        &mut self,
        name: &str,
        parts: &[(Range<usize>, impl AsRef<str>)],
    ) -> Result<()> {
        let Some(at) = self.place(name) else {
            bail!("<{}> has no attribute {name}", self.name)
        };
        let new = self.attrs[at].with_parts(parts, escape::source)?;
        self.put(at, new);
        Ok(())
    }

    fn put(&mut self, at: usize, new: Attr) {
        let attrs = self.attrs.iter().enumerate();
        let put = |(ix, attr): (usize, &Attr)| if ix == at { new.clone() } else { attr.clone() };
        self.attrs = attrs.map(put).collect();
    }

    /// Renames the element, in its end tag as well.
    ///
    /// # Errors
    /// The name is invalid.
    pub fn rename(&mut self, name: &str) -> Result<()> {
        if !is_qualified(name) {
            bail!("{name:?} is not an element name")
        }
        if let End::Tag(tag) = &self.end {
            let (space, _) = tag.split_once("</").unwrap_or(("", ""));
            let tail = tag.trim_end_matches('>');
            let kept = tail
                .bytes()
                .rev()
                .take_while(|byte| is_space(*byte))
                .count();
            let gap = &tail[tail.len() - kept..];
            self.end = End::Tag(format!("{space}</{name}{gap}>").into());
        }
        self.name = name.into();
        Ok(())
    }

    /// Gives an element without an end tag one, so that it can have content.
    pub(super) fn open(&mut self) {
        if self.end == End::Empty {
            self.end = End::Tag(format!("</{}>", self.name).into());
        }
    }

    /// The whitespace before its end tag.
    #[must_use]
    pub fn space_before_end(&self) -> &str {
        match &self.end {
            End::Empty => "",
            End::Tag(tag) => tag.split_once("</").map_or("", |(space, _)| space),
        }
    }

    /// Replaces the whitespace before its end tag.
    pub(super) fn set_space_before_end(&mut self, space: &str) {
        if let End::Tag(tag) = &self.end {
            let tag = tag.trim_start_matches(super::chars::SPACE);
            self.end = End::Tag(format!("{space}{tag}").into());
        }
    }

    /// A copy that shares no text with the document that it was read from.
    pub(super) fn owned(&self) -> Self {
        let own = |slice: &Slice| Slice::from(slice.as_str());
        let attrs = self.attrs.iter().map(|attr| Attr::read(attr.raw().into()));
        Self {
            name: own(&self.name),
            attrs: attrs.collect(),
            gap: own(&self.gap),
            end: match &self.end {
                End::Empty => End::Empty,
                End::Tag(tag) => End::Tag(own(tag)),
            },
            entities: self.entities.clone(),
        }
    }

    pub(super) fn heap(&self) -> usize {
        let end = match &self.end {
            End::Empty => 0,
            End::Tag(tag) => tag.len(),
        };
        let attrs = self
            .attrs
            .iter()
            .map(|attr| attr.raw().len() + size_of::<Attr>());
        self.name.len() + self.gap.len() + end + attrs.sum::<usize>()
    }
}
