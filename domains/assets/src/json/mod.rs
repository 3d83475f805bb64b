//! JSON values that keep the order of keys and the text of numbers.
//! Nothing here knows a schema.

mod decimal;
pub mod diff;
mod outline;
pub mod patch;
mod pointer;
mod raw;
mod read;
mod tape;
mod write;

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use indexmap::IndexMap;

pub use outline::{Outline, outline};
pub(crate) use pointer::index as pointer_index;
pub use pointer::{Pointer, escaped};
pub use raw::{Object, Raw};
pub use read::{DEPTH, Fault, read};
pub use tape::{At, BACKTRACKS, Costs, Ended, Tape, Tapes, look_deeper, within};

/// The members of an object, in the order of first appearance. Of equal keys the last value wins.
pub type Members<'s> = IndexMap<Cow<'s, str>, Json<'s>, Seeded>;

/// Hashes by one random seed of the process: a seed in each object would take more memory than a short text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seeded;

impl BuildHasher for Seeded {
    type Hasher = ahash::AHasher;

    fn build_hasher(&self) -> Self::Hasher {
        static SEED: LazyLock<ahash::RandomState> = LazyLock::new(ahash::RandomState::new);
        SEED.build_hasher()
    }
}

/// A JSON value that borrows from its text.
///
/// Numbers are compared by value, objects regardless of the order of their keys.
#[derive(Clone, Debug)]
pub enum Json<'s> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number as written; its double is finite.
    Number(Cow<'s, str>),
    /// A text.
    String(Cow<'s, str>),
    /// A list.
    Array(Vec<Self>),
    /// An object.
    Object(Members<'s>),
}

impl<'s> Json<'s> {
    /// The member of an object, mutably.
    pub fn member(&mut self, key: &str) -> Option<&mut Json<'s>> {
        match self {
            Self::Object(members) => members.get_mut(key),
            _ => None,
        }
    }

    /// Its type in JSON Schema: a number is an `integer` if it has no point or exponent.
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

    /// The text, if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value, without borrowed text.
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

    /// The value for the validator: whole 64-bit numbers as such, others as doubles.
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

impl Json<'_> {
    /// Like [`Self::to_value`], but each part is freed as soon as it has been copied.
    #[must_use]
    pub fn into_value(self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::String(text) => Value::String(text.into_owned()),
            Self::Array(items) => Value::Array(items.into_iter().map(Json::into_value).collect()),
            Self::Object(members) => {
                let members = members.into_iter();
                let members = members.map(|(key, value)| (key.into_owned(), value.into_value()));
                Value::Object(members.collect())
            }
            other => other.to_value(),
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
