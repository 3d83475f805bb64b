//! Reasons why a text is not XML, or not supported here.

use std::fmt;

use super::limits::{ATTRIBUTES, DEPTH, MOST_ATTRIBUTES, MOST_DEPTH, MOST_NODES, NODES};
use crate::diag::{Diagnostic, one_line};

/// A reason and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The reason.
    pub reason: Reason,
}

/// The fault of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is shown by its sentence")]
pub enum Reason {
    /// It ends inside something: a tag, a comment.
    Ends(&'static str),
    /// Something is missing here: a name, a space.
    Expected(&'static str),
    ForbiddenChar(char),
    DoubleHyphen,
    CDataEnd,
    PiTarget(String),
    LateDeclaration,
    LateDoctype,
    LessInValue,
    DuplicateAttribute(String),
    UnboundPrefix(String),
    ReservedName(String),
    EmptyNamespace(String),
    Mismatch {
        open: String,
        close: String,
    },
    StrayEnd(String),
    Unclosed(String),
    NoRoot,
    OutsideRoot,
    BadReference,
    BadCharReference(String),
    Undefined(String),
    External(String),
    Parameter(String),
    Circular(String),
    /// A fault in the text of an entity.
    InEntity(String, Box<Reason>),
    EntityDepth(usize),
    EntityBytes(usize),
    Depth(usize),
    Nodes(usize),
    Attributes(usize),
    TooLong,
}

impl Reason {
    /// Whether the text may be well-formed, but exceeds a limit.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        match self {
            Self::InEntity(_, reason) => reason.is_limit(),
            Self::EntityDepth(_)
            | Self::EntityBytes(_)
            | Self::Depth(_)
            | Self::Nodes(_)
            | Self::Attributes(_)
            | Self::TooLong => true,
            _ => false,
        }
    }

    /// The setting that may admit the text, if the exceeded limit has one.
    #[must_use]
    pub fn moved_by(&self) -> Option<String> {
        let (key, now, most) = match self {
            Self::InEntity(_, reason) => return reason.moved_by(),
            Self::Depth(now) => (DEPTH, *now, MOST_DEPTH),
            Self::Nodes(now) => (NODES, *now, MOST_NODES),
            Self::Attributes(now) => (ATTRIBUTES, *now, MOST_ATTRIBUTES),
            _ => return None,
        };
        let next = now.saturating_mul(2).min(most);
        (next > now).then(|| format!("set {key}:{next}"))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(what) => write!(f, "the text ends within {what}"),
            Self::Expected(what) => write!(f, "{what} is expected here"),
            Self::ForbiddenChar(c) => {
                write!(f, "the character U+{:04X} is forbidden", u32::from(*c))
            }
            Self::DoubleHyphen => f.write_str("-- in a comment"),
            Self::CDataEnd => f.write_str("]]> in text"),
            Self::PiTarget(name) => write!(f, "{name} is not a processing instruction target"),
            Self::LateDeclaration => {
                f.write_str("an XML declaration is allowed only at the very start")
            }
            Self::LateDoctype => f.write_str("a DOCTYPE comes once, before the root element"),
            Self::LessInValue => f.write_str("< in an attribute's value"),
            Self::DuplicateAttribute(name) => write!(f, "the attribute {name} occurs twice"),
            Self::UnboundPrefix(prefix) => {
                write!(f, "the prefix {prefix} is bound to no namespace")
            }
            Self::ReservedName(name) => write!(f, "{name} is reserved"),
            Self::EmptyNamespace(prefix) => {
                write!(f, "the prefix {prefix} is bound to an empty namespace")
            }
            Self::Mismatch { open, close } => write!(f, "<{open}> is closed by </{close}>"),
            Self::StrayEnd(name) => write!(f, "</{name}> closes nothing"),
            Self::Unclosed(name) => write!(f, "<{name}> is never closed"),
            Self::NoRoot => f.write_str("there is no root element"),
            Self::OutsideRoot => f.write_str("content outside the root element"),
            Self::BadReference => f.write_str("& begins no reference"),
            Self::BadCharReference(text) => write!(f, "{text} is not a character"),
            Self::Undefined(name) => write!(f, "the entity &{name}; is not defined"),
            Self::External(name) => write!(
                f,
                "the entity &{name}; is in another file, which is not read"
            ),
            Self::Parameter(name) => write!(f, "the parameter entity %{name}; is not read"),
            Self::Circular(name) => write!(f, "the entity &{name}; refers to itself"),
            Self::InEntity(name, reason) => write!(f, "in the entity &{name}; {reason}"),
            Self::EntityDepth(most) => write!(f, "entities within entities more than {most} deep"),
            Self::EntityBytes(most) => write!(f, "entities expand to more than {most} bytes"),
            Self::Depth(most) => {
                write!(
                    f,
                    "elements nest more than {most} deep (set {DEPTH}:N moves it)"
                )
            }
            Self::Nodes(most) => write!(f, "more than {most} nodes (set {NODES}:N moves it)"),
            Self::Attributes(most) => write!(
                f,
                "more than {most} attributes in an element (set {ATTRIBUTES}:N moves it)"
            ),
            Self::TooLong => f.write_str("more than 4 GiB"),
        }
    }
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason.to_string();
        write!(
            f,
            "line {} column {}: {}",
            self.line,
            self.column,
            one_line(&reason)
        )
    }
}

impl std::error::Error for XmlError {}

impl From<XmlError> for Diagnostic {
    fn from(error: XmlError) -> Self {
        let diagnostic = Self::new(error.to_string());
        match error.reason.moved_by() {
            Some(setting) => diagnostic.or_try(format!("! {setting}")),
            None => diagnostic,
        }
    }
}

/// A reason and the byte of its place.
#[derive(Clone, Debug)]
pub struct Fault {
    pub at: usize,
    pub reason: Reason,
}

impl Fault {
    pub const fn new(at: usize, reason: Reason) -> Self {
        Self { at, reason }
    }

    /// The error, with its place in `text` as a line and a column.
    pub fn placed(self, text: &str) -> XmlError {
        let before = text.get(..self.at).unwrap_or(text);
        let breaks = |(at, byte): (usize, u8)| match byte {
            b'\n' => true,
            b'\r' => before.as_bytes().get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let lines = before.bytes().enumerate().filter(|pair| breaks(*pair));
        let (count, start) = lines.fold((0, 0), |(count, _), (at, _)| (count + 1, at + 1));
        let line = before.get(start..).unwrap_or_default();
        XmlError {
            line: count + 1,
            column: line.chars().count() + 1,
            reason: self.reason,
        }
    }
}
