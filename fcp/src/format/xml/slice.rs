//! Slices of a shared text.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text that slices refer to.
#[derive(Clone, Debug)]
pub struct Source(Arc<Box<str>>);

impl Source {
    /// A text of at most 4 GiB; `None` for a longer one.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        Some(Self(Arc::new(text.into_boxed_str())))
    }

    /// The whole text.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The slice of a range; empty if the range is outside the text or cuts a character.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Slice {
        let whole = self.0.get(range.clone()).filter(|text| !text.is_empty());
        let part = |n: usize| u32::try_from(n).ok();
        match (whole, part(range.start), part(range.len())) {
            (Some(_), Some(start), Some(len)) => Slice {
                source: Some(Self(Arc::clone(&self.0))),
                start,
                len,
            },
            _ => Slice::default(),
        }
    }
}

impl AsRef<[u8]> for Source {
    fn as_ref(&self) -> &[u8] {
        self.text().as_bytes()
    }
}

/// A slice of a text. It takes 16 bytes: making and copying one copies no text.
///
/// It is displayed, compared and serialised as its text.
#[derive(Clone, Default)]
pub struct Slice {
    /// `None` if it is empty.
    source: Option<Source>,
    start: u32,
    len: u32,
}

impl Slice {
    /// The text that it is a slice of; `None` if it is empty.
    pub(super) const fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Its text.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        let (start, len) = (self.start as usize, self.len as usize);
        let text = self.source.as_ref().map_or("", Source::text);
        text.get(start..start + len).unwrap_or("")
    }
}

/// A stretch of a text: slices that follow each other there, as far as known.
pub(super) struct Stretch<'a> {
    source: &'a Source,
    start: u32,
    end: u32,
}

impl Slice {
    /// The stretch of this slice alone; `None` if it is empty.
    pub(super) fn stretch(&self) -> Option<Stretch<'_>> {
        self.source.as_ref().map(|source| Stretch {
            source,
            start: self.start,
            end: self.start + self.len,
        })
    }
}

impl<'a> Stretch<'a> {
    /// The stretch with another slice, if that follows in the same text. An empty one always does.
    pub(super) fn then(self, next: &Slice) -> Option<Self> {
        let Some(source) = &next.source else {
            return Some(self);
        };
        let follows = next.start == self.end && Arc::ptr_eq(&source.0, &self.source.0);
        follows.then_some(Self {
            end: next.start + next.len,
            ..self
        })
    }

    /// Its text, with this number of bytes before and after it.
    pub(super) fn text_with(&self, before: usize, after: usize) -> Option<&'a str> {
        let start = (self.start as usize).checked_sub(before)?;
        self.source.text().get(start..self.end as usize + after)
    }
}

impl Deref for Slice {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

/// A text longer than 4 GiB gives an empty slice.
impl From<String> for Slice {
    fn from(text: String) -> Self {
        let len = text.len();
        Source::new(text).map_or_else(Self::default, |source| source.slice(0..len))
    }
}

impl From<&str> for Slice {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for Slice {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Slice {}

impl fmt::Debug for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Serialize for Slice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Slice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl schemars::JsonSchema for Slice {
    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}
