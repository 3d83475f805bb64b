//! Resources that clients read by address, in addition to calling tools.

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Something a client may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its address, a URI.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its description, in a sentence.
    pub about: String,
    /// The type of its text: `application/json`.
    pub mime: &'static str,
}

/// A kind of [resources](Resource), whose addresses differ in their last part.
///
/// ```
/// use fcp::tool::Template;
///
/// const BOOKS: Template = Template {
///     start: "shelf://book/",
///     variable: "title",
///     path: false,
///     name: "book",
///     about: "What is in a book.",
///     mime: "text/plain",
/// };
/// assert_eq!(BOOKS.pattern(), "shelf://book/{title}");
/// assert_eq!(BOOKS.uri("War & Peace"), "shelf://book/War%20%26%20Peace");
/// assert_eq!(BOOKS.value("shelf://book/War%20%26%20Peace").as_deref(), Some("War & Peace"));
///
/// const PAGES: Template = Template { start: "shelf://{shelf}/", variable: "page", path: true, ..BOOKS };
/// assert_eq!(PAGES.pattern(), "shelf://{shelf}/{+page}");
/// assert_eq!(PAGES.value("shelf://3/a%20b/7").as_deref(), Some("a b/7"));
/// assert_eq!(PAGES.value("shelf://3"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// The common beginning of the addresses. A `{variable}` in it matches the text up to the next
    /// `/`.
    pub start: &'static str,
    /// The name of the last part.
    pub variable: &'static str,
    /// Whether the last part is a path, in which `/` is not encoded.
    pub path: bool,
    /// The kind's name for programs.
    pub name: &'static str,
    /// Their description, in a sentence.
    pub about: &'static str,
    /// The type of their text: `application/json`.
    pub mime: &'static str,
}

/// The content of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Text or bytes.
    pub body: Body,
    /// Its type: `application/json`.
    pub mime: &'static str,
    /// The time for which it remains unchanged; zero if it may change at any time.
    pub fresh: Duration,
}

/// Text or bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Text.
    Text(String),
    /// Bytes, which travel as base64.
    Blob(Vec<u8>),
}

impl Contents {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>, mime: &'static str, fresh: Duration) -> Self {
        let body = Body::Text(text.into());
        Self { body, mime, fresh }
    }

    /// Bytes.
    #[must_use]
    pub const fn blob(bytes: Vec<u8>, mime: &'static str, fresh: Duration) -> Self {
        let body = Body::Blob(bytes);
        Self { body, mime, fresh }
    }
}

/// Characters that are not encoded in a part of a path (RFC 3986, unreserved).
const PART: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Characters that are not encoded in a path.
const PATH: &AsciiSet = &PART.remove(b'/');

impl Template {
    /// The pattern of their addresses (RFC 6570).
    #[must_use]
    pub fn pattern(&self) -> String {
        let (start, plus, variable) = (self.start, if self.path { "+" } else { "" }, self.variable);
        format!("{start}{{{plus}{variable}}}")
    }

    /// The address of one resource.
    #[must_use]
    pub fn uri(&self, value: &str) -> String {
        let set = if self.path { PATH } else { PART };
        format!("{}{}", self.start, utf8_percent_encode(value, set))
    }

    /// The value of the variable in an address.
    #[must_use]
    pub fn value(&self, uri: &str) -> Option<String> {
        let rest = percent_decode_str(rest(self.start, uri)?);
        let value = rest.decode_utf8().ok()?;
        (!value.is_empty()).then(|| value.into_owned())
    }

    /// Returns whether clients fill in a variable of this name before the last one.
    pub(crate) fn has_before(&self, variable: &str) -> bool {
        self.start.contains(&format!("{{{variable}}}"))
    }
}

/// The rest of an address after a start whose variables match up to the next `/`.
fn rest<'u>(start: &str, uri: &'u str) -> Option<&'u str> {
    let Some((before, after)) = start.split_once('{') else {
        return uri.strip_prefix(start);
    };
    let (_, after) = after.split_once('}')?;
    let filled = uri.strip_prefix(before)?;
    let end = filled.find('/').filter(|end| *end > 0)?;
    rest(after, filled.get(end..)?)
}
