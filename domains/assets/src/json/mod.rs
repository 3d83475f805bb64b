//! JSON that keeps what its author wrote: the order of keys and the text of numbers.

mod decimal;
mod outline;
mod pointer;
mod raw;
mod read;
mod tape;
mod write;

use std::borrow::Cow;

use indexmap::IndexMap;

pub use outline::{Outline, outline};
pub(crate) use pointer::index as pointer_index;
pub use pointer::{Pointer, escaped};
pub use raw::{Object, Raw};
pub use read::{DEPTH, Fault, read};
pub use tape::{At, Tape, Tapes};

/// The members of an object, in the order of their keys' first places. Of a key that stands twice the last value holds.
pub type Members<'s> = IndexMap<Cow<'s, str>, Json<'s>, ahash::RandomState>;

/// A JSON value that borrows from its text.
///
/// Two values are equal if they say the same: numbers by what they are worth, objects whatever the order of their keys.
#[derive(Clone, Debug)]
pub enum Json<'s> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, as it is written; its double is finite.
    Number(Cow<'s, str>),
    /// A text.
    String(Cow<'s, str>),
    /// A list.
    Array(Vec<Self>),
    /// An object.
    Object(Members<'s>),
}

impl<'s> Json<'s> {
    /// The member of an object, to be changed.
    pub fn member(&mut self, key: &str) -> Option<&mut Json<'s>> {
        match self {
            Self::Object(members) => members.get_mut(key),
            _ => None,
        }
    }

    /// What kind of value it is, as JSON Schema calls it: of numbers, `integer` if no point or exponent is written.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(text) if text.contains(['.', 'e', 'E']) => "number",
            Self::Number(_) => "integer",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// The member of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.get(key),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The same, borrowed from nothing.
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(given) => Json::Bool(given),
            Self::Number(text) => Json::Number(text.into_owned().into()),
            Self::String(text) => Json::String(text.into_owned().into()),
            Self::Array(items) => Json::Array(items.into_iter().map(Json::into_owned).collect()),
            Self::Object(members) => {
                let members = members.into_iter();
                let members =
                    members.map(|(key, value)| (key.into_owned().into(), value.into_owned()));
                Json::Object(members.collect())
            }
        }
    }

    /// As the validator takes it: whole numbers of 64 bits as such, others as doubles.
    #[must_use]
    pub fn to_value(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Null => Value::Null,
            Self::Bool(given) => Value::Bool(*given),
            Self::Number(text) => text.parse().map_or(Value::Null, Value::Number),
            Self::String(text) => Value::String(text.clone().into_owned()),
            Self::Array(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Self::Object(members) => {
                let members = members.iter();
                let members =
                    members.map(|(key, value)| (key.clone().into_owned(), value.to_value()));
                Value::Object(members.collect())
            }
        }
    }
}

impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => decimal::equal(one, other),
            (Self::String(one), Self::String(other)) => one == other,
            (Self::Array(one), Self::Array(other)) => one == other,
            (Self::Object(one), Self::Object(other)) => one == other,
            _ => false,
        }
    }
}
