//! Characters that a file's encoding lacks: written by number if XML allows that, rejected
//! elsewhere.

use super::attr::Attr;
use super::escape::{self, char_reference};
use super::node::{Kind, Node, Run};
use super::slice::Slice;
use crate::bail;
use crate::diag::Result;
use crate::format::encoding::Encoding;

impl Node {
    /// Writes the characters that an encoding lacks as numeric references, in texts, values of
    /// attributes and texts of entities. Returns whether there were any.
    ///
    /// # Errors
    /// A name, a comment, a processing instruction, a CDATA section or another part without
    /// references has such a character.
    pub fn respell(&mut self, encoding: Encoding) -> Result<bool> {
        if encoding.has_all() || !self.lacks(encoding) {
            return Ok(false);
        }
        match &mut self.kind {
            Kind::Element(element) => {
                refuse(element.name(), "the name of an element", encoding)?;
                for attr in element.attrs() {
                    refuse(attr.name(), "the name of an attribute", encoding)?;
                }
                let attrs = element.attrs().iter();
                element.attrs = attrs
                    .map(|attr| match spelled(attr.raw(), encoding) {
                        Some(raw) => Attr::read(raw),
                        None => attr.clone(),
                    })
                    .collect();
            }
            Kind::Text(run) => {
                if let Some(raw) = spelled(&run.raw, encoding) {
                    run.raw = raw;
                }
            }
            Kind::EntityDecl(declared) => {
                let (raw, literal) = (declared.raw(), declared.literal().unwrap_or_default());
                let start = raw.rfind(literal).unwrap_or(raw.len());
                let head = raw.get(..start).unwrap_or_default();
                refuse(head, "the name of an entity", encoding)?;
                if let Some(new) = spelled(raw, encoding) {
                    *declared = super::EntityDecl::read(new);
                }
            }
            Kind::CData(raw) => refuse(raw, "a CDATA section", encoding)?,
            Kind::Comment(raw) => refuse(raw, "a comment", encoding)?,
            Kind::Instruction(raw) => refuse(raw, "a processing instruction", encoding)?,
            Kind::Declaration(raw) | Kind::Markup(raw) => refuse(raw, "a declaration", encoding)?,
            Kind::Doctype(doctype) => refuse(&doctype.head, "a DOCTYPE", encoding)?,
            Kind::Entity(reference) => {
                refuse(&reference.raw, "the name of an entity", encoding)?;
            }
        }
        Ok(true)
    }

    /// Makes a CDATA section a run of text with the same characters, which may be references there.
    ///
    /// # Errors
    /// XML forbids one of the characters.
    pub fn open_section(&mut self) -> Result<()> {
        if let (Kind::CData(_), Some(text)) = (&self.kind, self.text()) {
            let raw = escape::content(&text)?;
            let raw = escape::broken_as(&raw, self.raw_text().unwrap_or_default());
            self.kind = Kind::Text(Run {
                raw: raw.into_owned().into(),
                entities: None,
            });
        }
        Ok(())
    }

    /// Whether an encoding lacks one of its characters.
    #[must_use]
    pub fn lacks(&self, encoding: Encoding) -> bool {
        match &self.kind {
            Kind::Element(element) => {
                let attrs = element.attrs().iter();
                let mut raw = attrs.map(Attr::raw).chain([element.name()]);
                raw.any(|raw| lacking(raw, encoding).is_some())
            }
            _ => self.raw().and_then(|raw| lacking(raw, encoding)).is_some(),
        }
    }
}

fn lacking(text: &str, encoding: Encoding) -> Option<char> {
    if text.is_ascii() {
        return None;
    }
    text.chars().find(|c| !encoding.has(*c))
}

fn spelled(raw: &str, encoding: Encoding) -> Option<Slice> {
    lacking(raw, encoding)?;
    let mut text = String::with_capacity(raw.len() + 8);
    for c in raw.chars() {
        if encoding.has(c) {
            text.push(c);
        } else {
            char_reference(&mut text, c);
        }
    }
    Some(text.into())
}

fn refuse(text: &str, part: &str, encoding: Encoding) -> Result<()> {
    let Some(c) = lacking(text, encoding) else {
        return Ok(());
    };
    let (name, section) = (encoding.name(), part == "a CDATA section");
    let code = u32::from(c);
    let way = if section {
        format!("; in a style sheet \\{code:x} with a space after it means {c}")
    } else {
        String::new()
    };
    bail!("{name} has no {c}, and {part} takes no &#{code};: spell it otherwise{way}")
}
