//! Attributes as written.

use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::chars::{is_qualified, is_space};
use super::entity::{Entities, Within, reference};
use super::escape;
use super::segments::{Form, segments, splice};
use super::slice::Slice;
use crate::bail;
use crate::diag::Result;

/// An attribute: the white space before it, its name, the equals sign with white space around it, and its value
/// between quotes, all as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Attr(Slice);

impl Attr {
    /// A new attribute, preceded by `space`.
    ///
    /// # Errors
    /// The name is invalid, or the value has a character that XML forbids.
    pub fn new(space: &str, name: &str, value: &str) -> Result<Self> {
        if !is_qualified(name) {
            bail!("{name:?} is not an attribute name")
        }
        let value = escape::value(value, '"')?;
        Ok(Self(format!("{space}{name}=\"{value}\"").into()))
    }

    /// An attribute as it was read.
    pub(super) const fn read(raw: Slice) -> Self {
        Self(raw)
    }

    /// All of it, as written.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The same as a slice.
    pub(super) const fn slice(&self) -> &Slice {
        &self.0
    }

    /// The whitespace before it.
    #[must_use]
    pub fn space(&self) -> &str {
        let raw = self.raw();
        raw.get(..self.indent()).unwrap_or_default()
    }

    /// The length of the whitespace before it.
    fn indent(&self) -> usize {
        let mut bytes = self.raw().bytes();
        bytes.position(|byte| !is_space(byte)).unwrap_or(0)
    }

    /// Whether it has this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let name = name.as_bytes();
        let rest = self.raw().as_bytes().get(self.indent()..);
        let rest = rest.unwrap_or_default();
        // Most names are distinguished by their end.
        let end = rest.get(name.len());
        end.is_none_or(|end| *end == b'=' || is_space(*end)) && rest.starts_with(name)
    }

    /// Its name: `width`, `xlink:href`.
    #[must_use]
    pub fn name(&self) -> &str {
        let rest = self.raw().get(self.indent()..).unwrap_or_default();
        let mut bytes = rest.bytes();
        let end = bytes.position(|byte| byte == b'=' || is_space(byte));
        end.and_then(|end| rest.get(..end)).unwrap_or(rest)
    }

    /// The range of its value in [`Self::raw`].
    fn range(&self) -> Range<usize> {
        let raw = self.raw();
        let quote = raw.bytes().position(|byte| matches!(byte, b'"' | b'\''));
        let start = quote.map_or(raw.len(), |at| at + 1);
        start..raw.len().saturating_sub(1).max(start)
    }

    /// The quote around its value.
    #[must_use]
    pub fn quote(&self) -> char {
        if self.raw().ends_with('\'') {
            '\''
        } else {
            '"'
        }
    }

    /// Its value as written.
    #[must_use]
    pub fn raw_value(&self) -> &str {
        &self.raw()[self.range()]
    }

    /// Its decoded value: references expanded, whitespace as spaces.
    pub(super) fn value(&self, entities: Option<&Entities>) -> Cow<'_, str> {
        escape::expand(self.raw_value(), Within::Value, entities)
    }

    /// A copy with another value between the same quotes. Unchanged references keep their spelling.
    ///
    /// # Errors
    /// A reference to an entity would be lost, or the value has a character that XML forbids.
    pub(super) fn with_value(&self, value: &str, entities: Option<&Entities>) -> Result<Self> {
        let raw = self.raw_value();
        if !raw.bytes().any(|byte| byte == b'&' || byte < b' ') {
            return self.replaced(value);
        }
        let old = self.value(entities);
        match splice(&segments(raw, Within::Value, entities), &old, value) {
            Ok((part, text)) => self.with_parts(&[(part, text)], escape::value),
            Err(lost) => {
                let reference = raw.get(lost.raw).unwrap_or_default();
                bail!(
                    "{} comes from {reference}, which would be lost",
                    self.name()
                )
            }
        }
    }

    /// The entity whose reference a new value would lose, if there is one.
    pub(super) fn would_lose(&self, value: &str, entities: Option<&Entities>) -> Option<&str> {
        let raw = self.raw_value();
        if !raw.contains('&') {
            return None;
        }
        let old = self.value(entities);
        let lost = splice(&segments(raw, Within::Value, entities), &old, value).err()?;
        raw.get(lost.raw.start + 1..lost.raw.end.saturating_sub(1))
    }

    /// Whether its value refers to an entity of the document.
    pub(super) fn refers(&self) -> bool {
        let found = segments(self.raw_value(), Within::Value, None);
        found.iter().any(|segment| segment.form == Form::Entity)
    }

    /// A copy with a new value, without keeping any of the old one.
    pub(super) fn replaced(&self, value: &str) -> Result<Self> {
        let value = escape::value(value, self.quote())?;
        Ok(self.with(self.range(), &value))
    }

    /// A copy with parts of its raw value replaced by texts, which `written` escapes for its quotes.
    pub(super) fn with_parts(
        &self,
        parts: &[(Range<usize>, impl AsRef<str>)],
        written: impl Fn(&str, char) -> Result<String>,
    ) -> Result<Self> {
        let (raw, quote) = (self.raw_value(), self.quote());
        match spliced(raw, &references(raw), parts, |text| written(text, quote))? {
            Ok(new) => Ok(self.with(self.range(), &new)),
            Err(part) => bail!(
                "bytes {}-{} are outside the value {raw:?}",
                part.start,
                part.end
            ),
        }
    }

    fn with(&self, range: Range<usize>, raw: &str) -> Self {
        let own = self.raw();
        let (before, after) = (&own[..range.start], &own[range.end..]);
        Self(format!("{before}{raw}{after}").into())
    }

    /// A copy with another name.
    pub(super) fn renamed(&self, name: &str) -> Self {
        let start = self.space().len();
        self.with(start..start + self.name().len(), name)
    }
}

/// The references of a raw text, in order.
pub(super) fn references(raw: &str) -> Vec<Range<usize>> {
    let found = raw.match_indices('&');
    found
        .map(|(at, _)| at..at + reference(&raw[at..]).map_or(1, |(len, _)| len))
        .collect()
}

/// A raw text with parts replaced, which are in order and apart; or the first part that is not,
/// or that begins or ends inside a character or a reference.
pub(super) fn spliced(
    raw: &str,
    references: &[Range<usize>],
    parts: &[(Range<usize>, impl AsRef<str>)],
    written: impl Fn(&str) -> Result<String>,
) -> Result<Result<String, Range<usize>>> {
    let is_inside = |place: usize| {
        let next = references.partition_point(|own| own.end <= place);
        references.get(next).is_some_and(|own| own.start < place)
    };
    let (mut new, mut done) = (String::with_capacity(raw.len()), 0);
    for (part, text) in parts {
        let text = written(text.as_ref())?;
        let whole = raw.get(part.clone()).is_some();
        let Some(before) = raw.get(done..part.start).filter(|_| whole) else {
            return Ok(Err(part.clone()));
        };
        if is_inside(part.start) || is_inside(part.end) {
            return Ok(Err(part.clone()));
        }
        new.push_str(before);
        new.push_str(&text);
        done = part.end;
    }
    new.push_str(raw.get(done..).unwrap_or_default());
    Ok(Ok(new))
}

/// An element's attributes, in order. Copying them copies no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attrs(Arc<[Attr]>);

impl Default for Attrs {
    fn default() -> Self {
        Self(Arc::new([]))
    }
}

impl Deref for Attrs {
    type Target = [Attr];

    fn deref(&self) -> &[Attr] {
        &self.0
    }
}

impl FromIterator<Attr> for Attrs {
    fn from_iter<I: IntoIterator<Item = Attr>>(attrs: I) -> Self {
        Self(attrs.into_iter().collect())
    }
}

impl Serialize for Attrs {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Attrs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Vec::<Attr>::deserialize(deserializer).map(Self::from_iter)
    }
}

impl JsonSchema for Attrs {
    fn schema_name() -> Cow<'static, str> {
        "Attrs".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Attr>::json_schema(generator)
    }
}
