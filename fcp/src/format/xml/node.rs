//! The pieces of a document.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attr::{references, spliced};
use super::declared::EntityDecl;
use super::element::{Element, End};
use super::entity::{Entities, Within};
use super::error::XmlError;
use super::escape;
use super::limits::Limits;
use super::read::Fragment;
use super::segments::{Places, SPLIT, section, segments, splice};
use super::slice::Slice;
use crate::bail;
use crate::diag::Result;
use crate::model::TreeRow;

/// A piece of a document, with the white space before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// The white space between the markup before and this.
    pub(super) lead: Slice,
    pub(super) kind: Kind,
}

/// The kind of a piece. All of them are kept as they were written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Kind {
    /// An element, but for what is in it.
    Element(Element),
    /// Text between markup, the references in it included, but for those that stand for markup.
    Text(Run),
    /// `<![CDATA[…]]>`.
    CData(Slice),
    /// `<!--…-->`.
    Comment(Slice),
    /// A processing instruction: `<?…?>`.
    Instruction(Slice),
    /// `<?xml …?>`.
    Declaration(Slice),
    /// `<!DOCTYPE …>`, but for the declarations in it.
    Doctype(Doctype),
    /// The declaration of an entity in a DOCTYPE: `<!ENTITY …>`.
    EntityDecl(EntityDecl),
    /// Another declaration in a DOCTYPE: `<!ATTLIST …>`.
    Markup(Slice),
    /// A reference to an entity that stands for markup.
    Entity(EntityRef),
}

/// A run of text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    pub(super) raw: Slice,
    /// The entities that it refers to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) entities: Option<Entities>,
}

/// A DOCTYPE. What its internal subset declares is in it; here are its beginning and its end, and the entities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Doctype {
    /// Up to the bracket that opens the internal subset, that included; all of it if there is no subset.
    pub(super) head: Slice,
    /// From the white space before the bracket that closes the subset.
    pub(super) tail: Slice,
    pub(super) entities: Entities,
}

impl Doctype {
    /// The entities that it declares.
    #[must_use]
    pub const fn entities(&self) -> &Entities {
        &self.entities
    }
}

/// A reference to an entity that stands for markup. What it stands for can be read, not edited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EntityRef {
    pub(super) raw: Slice,
    pub(super) entities: Entities,
}

impl EntityRef {
    /// The entity's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.raw.trim_start_matches('&').trim_end_matches(';')
    }

    /// Its text, as declared.
    #[must_use]
    pub fn text(&self) -> &str {
        self.entities.text(self.name()).unwrap_or("")
    }

    /// Its text, split into nodes. `bound` returns whether a prefix is bound at the reference.
    ///
    /// # Errors
    /// The text is not well-formed, which is possible only in a tree that was not read from a
    /// document.
    pub fn expansion(&self, bound: impl Fn(&str) -> bool) -> Result<Fragment, XmlError> {
        Fragment::of_entity(self, &Limits::default(), bound)
    }
}

impl Node {
    pub(super) const fn new(lead: Slice, kind: Kind) -> Self {
        Self { lead, kind }
    }

    /// A new run of text.
    ///
    /// # Errors
    /// It has a character that XML forbids.
    pub fn text_run(text: &str) -> Result<Self> {
        let raw = escape::content(text)?.into();
        let run = Run {
            raw,
            entities: None,
        };
        Ok(Self::new(Slice::default(), Kind::Text(run)))
    }

    /// A new comment.
    ///
    /// # Errors
    /// The text contains `--`, ends in `-`, or has a character that XML forbids.
    pub fn comment(text: &str) -> Result<Self> {
        if text.contains("--") || text.ends_with('-') {
            bail!("a comment has no -- in it and does not end in -")
        }
        escape::cdata(text)?;
        let raw = format!("<!--{text}-->").into();
        Ok(Self::new(Slice::default(), Kind::Comment(raw)))
    }

    /// The whitespace between the markup before and this.
    #[must_use]
    pub fn lead(&self) -> &str {
        &self.lead
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The element, if it is one.
    #[must_use]
    pub const fn element(&self) -> Option<&Element> {
        match &self.kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The element, mutable, if it is one.
    pub const fn element_mut(&mut self) -> Option<&mut Element> {
        match &mut self.kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// Its bytes without the whitespace before it; of a DOCTYPE those up to its declarations.
    /// `None` for an element.
    #[must_use]
    pub fn raw(&self) -> Option<&str> {
        match &self.kind {
            Kind::Element(_) => None,
            Kind::Text(run) => Some(&run.raw),
            Kind::CData(raw)
            | Kind::Comment(raw)
            | Kind::Instruction(raw)
            | Kind::Declaration(raw) => Some(raw),
            Kind::Doctype(doctype) => Some(&doctype.head),
            Kind::EntityDecl(declared) => Some(declared.raw()),
            Kind::Markup(raw) => Some(raw),
            Kind::Entity(reference) => Some(&reference.raw),
        }
    }

    /// The declaration of an entity, if it is one.
    #[must_use]
    pub const fn entity_decl(&self) -> Option<&EntityDecl> {
        match &self.kind {
            Kind::EntityDecl(declared) => Some(declared),
            _ => None,
        }
    }

    /// The decoded characters of a run of text or a CDATA section; `None` for anything else. The
    /// whitespace before it ([`Self::lead`]) is not included.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match &self.kind {
            Kind::Text(run) => {
                let entities = run.entities.as_ref();
                Some(escape::expand(&run.raw, Within::Content, entities))
            }
            Kind::CData(raw) => {
                let inner = inner(raw, "<![CDATA[", "]]>");
                let joined = match inner.contains(SPLIT) {
                    true => Cow::Owned(inner.replace(SPLIT, "")),
                    false => Cow::Borrowed(inner),
                };
                Some(if joined.contains('\r') {
                    joined.replace("\r\n", "\n").replace('\r', "\n").into()
                } else {
                    joined
                })
            }
            _ => None,
        }
    }

    /// The characters of a run of text or a CDATA section as written, without the marks of a
    /// section and the whitespace before it; `None` for anything else.
    #[must_use]
    pub fn raw_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(run) => Some(&run.raw),
            Kind::CData(raw) => Some(inner(raw, "<![CDATA[", "]]>")),
            _ => None,
        }
    }

    /// The text of a comment.
    #[must_use]
    pub fn comment_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Comment(raw) => Some(inner(raw, "<!--", "-->")),
            _ => None,
        }
    }

    /// The target and the rest of a processing instruction.
    #[must_use]
    pub fn instruction(&self) -> Option<(&str, &str)> {
        let Kind::Instruction(raw) = &self.kind else {
            return None;
        };
        let inner = inner(raw, "<?", "?>");
        let (target, rest) = inner.split_at(super::chars::name_len(inner));
        Some((target, rest.trim_start_matches(super::chars::SPACE)))
    }

    /// Sets the characters of a run of text or a CDATA section, which keeps its kind and its line
    /// ends. Returns whether they changed.
    ///
    /// # Errors
    /// It is neither, or the text has a character that XML forbids.
    pub fn set_text(&mut self, text: &str) -> Result<bool> {
        if self.text().is_some_and(|old| old == text) {
            return Ok(false);
        }
        match &mut self.kind {
            Kind::Text(run) => {
                let old = escape::expand(&run.raw, Within::Content, run.entities.as_ref());
                let segments = segments(&run.raw, Within::Content, run.entities.as_ref());
                let edit = splice(&segments, &old, text).ok();
                let kept = edit.and_then(|(part, new)| {
                    let (before, after) = (run.raw.get(..part.start)?, run.raw.get(part.end..)?);
                    let new = escape::content(&new).ok()?;
                    let new = escape::broken_as(&new, &run.raw);
                    let raw = format!("{before}{new}{after}");
                    // Two brackets and a `>` may have become adjacent.
                    (!raw.contains("]]>")).then_some(raw)
                });
                match kept {
                    Some(raw) => run.raw = raw.into(),
                    None => {
                        *run = Run {
                            raw: escape::content(text)?.into(),
                            entities: None,
                        };
                    }
                }
            }
            Kind::CData(_) => {
                let old = self.text().unwrap_or_default();
                let raw = self.raw_text().unwrap_or_default();
                let kept = splice(&section(raw), &old, text)
                    .ok()
                    .and_then(|(part, new)| {
                        let (before, after) = (raw.get(..part.start)?, raw.get(part.end..)?);
                        let new = format!("{before}{}{after}", escape::broken_as(&new, raw));
                        (!ends_section(&new)).then_some(new)
                    });
                let whole = escape::cdata(text)?;
                let new = kept.map_or(whole, |new| format!("<![CDATA[{new}]]>"));
                self.kind = Kind::CData(new.into());
            }
            _ => bail!("this is not a text"),
        }
        Ok(true)
    }

    /// Sets the text of a comment. Returns whether it changed.
    ///
    /// # Errors
    /// It is not a comment, or a comment cannot have the text.
    pub fn set_comment(&mut self, text: &str) -> Result<bool> {
        if self.comment_text() == Some(text) {
            return Ok(false);
        }
        match &mut self.kind {
            Kind::Comment(_) => self.kind = Self::comment(text)?.kind,
            _ => bail!("this is not a comment"),
        }
        Ok(true)
    }

    /// Replaces the parts of a processing instruction after its target.
    ///
    /// # Errors
    /// It is not one, or the text would end it.
    pub fn set_instruction(&mut self, text: &str) -> Result<()> {
        match self.instruction() {
            Some((target, _)) if !text.contains("?>") => {
                let raw = format!("<?{target} {text}?>");
                self.kind = Kind::Instruction(raw.into());
                Ok(())
            }
            _ => bail!("this is not a processing instruction"),
        }
    }

    /// The places of parts of a run of text; `None` for anything else.
    #[must_use]
    pub fn places_in_text(&self) -> Option<Places<'_>> {
        match &self.kind {
            Kind::Text(run) => Some(Places::new(
                &run.raw,
                Within::Content,
                run.entities.as_ref(),
            )),
            Kind::CData(_) => Some(Places::of_section(self.raw_text()?)),
            _ => None,
        }
    }

    /// Replaces parts of [`Self::raw_text`] by escaped texts with the line ends of the others,
    /// which are kept. The parts are in order and apart.
    ///
    /// # Errors
    /// It is not a text, a range is outside it or cuts a character or a reference, or a text has a
    /// character that XML forbids or would end a CDATA section.
    pub fn replace_in_text(&mut self, parts: &[(Range<usize>, impl AsRef<str>)]) -> Result<()> {
        let Some(raw) = self.raw_text() else {
            bail!("this is not a text")
        };
        let section = matches!(self.kind, Kind::CData(_));
        let references = match section {
            true => Vec::new(),
            false => references(raw),
        };
        let model = if raw.contains('\n') { raw } else { self.lead() };
        let model = if model.contains("\r\n") { "\r\n" } else { "" };
        let written = |text: &str| {
            let text = text.replace("\r\n", "\n");
            // Both forms reject characters that XML forbids.
            let escaped = escape::content(&text)?;
            let new = if section { text } else { escaped };
            Ok(escape::broken_as(&new, model).into_owned())
        };
        let new = match spliced(raw, &references, parts, written)? {
            Ok(new) => new,
            Err(part) => bail!("bytes {}-{} are outside the text", part.start, part.end),
        };
        if ends_section(&new) {
            bail!("a text cannot contain ]]>")
        }
        match &mut self.kind {
            Kind::Text(run) => run.raw = new.into(),
            Kind::CData(raw) => *raw = format!("<![CDATA[{new}]]>").into(),
            _ => {}
        }
        Ok(())
    }

    /// A copy that shares no text with the document that it was read from.
    pub(super) fn owned(&self) -> Self {
        let own = |slice: &Slice| Slice::from(slice.as_str());
        let kind = match &self.kind {
            Kind::Element(element) => Kind::Element(element.owned()),
            Kind::Text(run) => Kind::Text(Run {
                raw: own(&run.raw),
                entities: run.entities.clone(),
            }),
            Kind::CData(raw) => Kind::CData(own(raw)),
            Kind::Comment(raw) => Kind::Comment(own(raw)),
            Kind::Instruction(raw) => Kind::Instruction(own(raw)),
            Kind::Declaration(raw) => Kind::Declaration(own(raw)),
            Kind::Doctype(doctype) => Kind::Doctype(Doctype {
                head: own(&doctype.head),
                tail: own(&doctype.tail),
                entities: doctype.entities.clone(),
            }),
            Kind::EntityDecl(declared) => Kind::EntityDecl(declared.clone()),
            Kind::Markup(raw) => Kind::Markup(own(raw)),
            Kind::Entity(reference) => Kind::Entity(EntityRef {
                raw: own(&reference.raw),
                entities: reference.entities.clone(),
            }),
        };
        Self::new(own(&self.lead), kind)
    }

    /// A copy with other whitespace before it.
    #[must_use]
    pub(super) fn led_by(mut self, lead: &str) -> Self {
        self.lead = lead.into();
        self
    }
}

impl From<Element> for Node {
    fn from(element: Element) -> Self {
        Self::new(Slice::default(), Kind::Element(element))
    }
}

/// Whether a raw text would end a CDATA section, or the marks of one are incomplete.
fn ends_section(raw: &str) -> bool {
    raw.split(SPLIT).any(|part| part.contains("]]>"))
}

fn inner<'t>(raw: &'t str, open: &str, close: &str) -> &'t str {
    let inner = raw.strip_prefix(open).unwrap_or(raw);
    inner.strip_suffix(close).unwrap_or(inner)
}

impl Node {
    /// Writes the part before its children, without the whitespace before it.
    pub(super) fn start(&self, sink: &mut dyn FnMut(&str)) {
        let Some(element) = self.element() else {
            return sink(self.raw().unwrap_or_default());
        };
        if let Some(text) = element.start_as_read() {
            return sink(text);
        }
        sink("<");
        sink(&element.name);
        for attr in element.attrs.iter() {
            sink(attr.raw());
        }
        sink(&element.gap);
        sink(element.start_end());
    }
}

impl TreeRow for Node {
    fn head(&self, sink: &mut dyn FnMut(&str)) {
        sink(&self.lead);
        self.start(sink);
    }

    fn tail(&self, sink: &mut dyn FnMut(&str)) {
        match &self.kind {
            Kind::Element(Element {
                end: End::Tag(tag), ..
            }) => sink(tag),
            Kind::Doctype(doctype) => sink(&doctype.tail),
            _ => {}
        }
    }

    fn heap(&self) -> usize {
        let own = match &self.kind {
            Kind::Element(element) => element.heap(),
            Kind::Doctype(doctype) => {
                doctype.head.len() + doctype.tail.len() + doctype.entities.heap()
            }
            _ => self.raw().map_or(0, str::len),
        };
        self.lead.len() + own
    }
}
