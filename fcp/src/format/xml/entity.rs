//! Entities: their replacement texts, and their expansion.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::chars::{is_char, name_len};
use super::error::{Fault, Reason};

/// The bytes of memory of an entity besides its name and its text.
const ENTITY_BYTES: usize = 64;

/// The entities declared in a DOCTYPE. Copying it copies no text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entities(Arc<BTreeMap<String, Option<String>>>);

impl Entities {
    /// Makes it from names and replacement texts; `None` for an entity in another file.
    pub(super) fn new(map: BTreeMap<String, Option<String>>) -> Self {
        Self(Arc::new(map))
    }

    /// The replacement text of an entity, if it is declared within the document.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_deref()
    }

    /// Every entity's name and replacement text; `None` for one in another file.
    pub(super) fn all(&self) -> BTreeMap<String, Option<String>> {
        self.0.as_ref().clone()
    }

    /// The approximate number of bytes of memory.
    pub(super) fn heap(&self) -> usize {
        let texts = self.0.values().flatten().map(String::len);
        let names = self.0.keys().map(|name| name.len() + ENTITY_BYTES);
        texts.chain(names).sum()
    }

    /// Whether no entities are declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The replacement text of an entity.
    fn find(&self, name: &str) -> Result<&str, Reason> {
        match self.0.get(name) {
            Some(Some(text)) => Ok(text),
            Some(None) => Err(Reason::External(name.to_owned())),
            None => Err(Reason::Undefined(name.to_owned())),
        }
    }
}

impl Serialize for Entities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(deserializer).map(Self::new)
    }
}

impl schemars::JsonSchema for Entities {
    fn schema_name() -> Cow<'static, str> {
        "Entities".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        BTreeMap::<String, Option<String>>::json_schema(generator)
    }
}

/// A reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'t> {
    /// `&#65;`, `&lt;`.
    Char(char),
    /// `&name;`.
    Entity(&'t str),
}

/// The reference at the beginning of a text, and its length in bytes.
pub fn reference(text: &str) -> Result<(usize, Reference<'_>), Reason> {
    let rest = text.strip_prefix('&').ok_or(Reason::BadReference)?;
    let Some(digits) = rest.strip_prefix('#') else {
        let name = &rest[..name_len(rest)];
        if name.is_empty() || !rest[name.len()..].starts_with(';') {
            return Err(Reason::BadReference);
        }
        let found = match name {
            "lt" => Reference::Char('<'),
            "gt" => Reference::Char('>'),
            "amp" => Reference::Char('&'),
            "quot" => Reference::Char('"'),
            "apos" => Reference::Char('\''),
            name => Reference::Entity(name),
        };
        return Ok((name.len() + 2, found));
    };
    let (digits, radix) = match digits.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    let len = digits
        .bytes()
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    if len == 0 || !digits[len..].starts_with(';') {
        return Err(Reason::BadReference);
    }
    let taken = text.len() - digits.len() + len + 1;
    let number = u32::from_str_radix(&digits[..len], radix).ok();
    match number.and_then(char::from_u32).filter(|c| is_char(*c)) {
        Some(c) => Ok((taken, Reference::Char(c))),
        None => Err(Reason::BadCharReference(text[..taken].to_owned())),
    }
}

/// The context of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Content: line ends become line feeds.
    Content,
    /// An attribute's value: whitespace becomes spaces.
    Value,
}

/// Expands references, with limits for entities.
pub struct Expansion<'e> {
    entities: Option<&'e Entities>,
    within: Within,
    /// The entities being expanded, the outermost first.
    open: Vec<&'e str>,
    deepest: usize,
    /// The number of bytes that entities may still expand to.
    left: usize,
    budget: usize,
    /// Whether the text of an entity contains markup.
    pub markup: bool,
    /// The expanded text.
    pub text: String,
}

impl<'e> Expansion<'e> {
    /// An expansion where entities may still expand to `left` of `budget` bytes, nested at most
    /// `deepest` levels.
    pub fn new(
        within: Within,
        entities: Option<&'e Entities>,
        deepest: usize,
        left: usize,
        budget: usize,
    ) -> Self {
        Self {
            entities,
            within,
            open: Vec::new(),
            deepest,
            left,
            budget,
            markup: false,
            text: String::new(),
        }
    }

    /// The number of bytes that entities may still expand to.
    pub const fn left(&self) -> usize {
        self.left
    }

    /// Adds a text with its references expanded. Recurses once for each entity within an entity, to
    /// a limited depth.
    pub fn add(&mut self, text: &str) -> Result<(), Fault> {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let stop = |byte: &u8| matches!(byte, b'&' | b'\r' | b'\n' | b'\t' | b'<');
            let plain = rest
                .bytes()
                .position(|byte| stop(&byte))
                .unwrap_or(rest.len());
            self.push(&rest[..plain])
                .map_err(|reason| Fault::new(at, reason))?;
            at += plain;
            let rest = &rest[plain..];
            match rest.as_bytes().first() {
                None => break,
                Some(b'&') => {
                    let fault = |reason| Fault::new(at, reason);
                    let (len, found) = reference(rest).map_err(fault)?;
                    self.reference(found).map_err(fault)?;
                    at += len;
                }
                Some(b'<') => {
                    if !self.open.is_empty() {
                        self.markup = true;
                        if self.within == Within::Value {
                            return Err(Fault::new(at, Reason::LessInValue));
                        }
                    }
                    self.push("<").map_err(|reason| Fault::new(at, reason))?;
                    at += 1;
                }
                Some(byte) => {
                    at += if rest.starts_with("\r\n") { 2 } else { 1 };
                    let white = match (self.within, byte) {
                        (Within::Value, _) => " ",
                        (Within::Content, b'\t') => "\t",
                        (Within::Content, _) => "\n",
                    };
                    self.push(white).map_err(|reason| Fault::new(at, reason))?;
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, text: &str) -> Result<(), Reason> {
        if !self.open.is_empty() {
            self.charge(text.len())?;
        }
        self.text.push_str(text);
        Ok(())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Reason> {
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or(Reason::EntityBytes(self.budget))?;
        Ok(())
    }

    fn reference(&mut self, found: Reference<'_>) -> Result<(), Reason> {
        let name = match found {
            Reference::Char(c) => {
                return self.push(c.encode_utf8(&mut [0; 4]));
            }
            Reference::Entity(name) => name,
        };
        let Some(entities) = self.entities else {
            return Err(Reason::Undefined(name.to_owned()));
        };
        let text = entities.find(name)?;
        if self.open.contains(&name) {
            return Err(Reason::Circular(name.to_owned()));
        }
        if self.open.len() >= self.deepest {
            return Err(Reason::EntityDepth(self.deepest));
        }
        // An entity costs at least one byte; otherwise there could be any number of empty ones.
        self.charge(1)?;
        let key = entities.0.get_key_value(name).map_or("", |(key, _)| key);
        let before = self.text.len();
        self.open.push(key);
        let result = self.add(text).map_err(|fault| fault.reason);
        self.open.pop();
        if result.is_err() {
            self.text.truncate(before);
        }
        result.map_err(|reason| match reason {
            reason @ (Reason::InEntity(..) | Reason::Circular(_)) => reason,
            reason if reason.is_limit() => reason,
            reason => Reason::InEntity(name.to_owned(), Box::new(reason)),
        })
    }
}
