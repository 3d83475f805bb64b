//! The keyword of an error, in its schema.

use jsonschema::ValidationError;
use percent_encoding::percent_decode_str;

use crate::json::{Json, Pointer};
use crate::library::Library;

/// The place of a keyword: its schema, and the keys that lead to it.
pub(super) struct Place<'l> {
    schema: &'l Json<'static>,
    pointer: Pointer,
}

impl<'l> Place<'l> {
    /// The place of an error's keyword, or `None` if it cannot be found; the message is shorter
    /// then. `spelled` turns a pointer of the validator into one of the schema.
    pub fn of(
        library: &'l Library,
        error: &ValidationError<'_>,
        spelled: impl Fn(&str) -> String,
    ) -> Option<Self> {
        let (address, pointer) = error
            .absolute_keyword_location()?
            .as_str()
            .split_once('#')?;
        let mut schemas = library.schemas().iter();
        let schema = schemas.find(|schema| schema.base == address)?;
        Some(Self {
            schema: schema.tree(),
            pointer: Pointer::read(&spelled(&percent_decode_str(pointer).decode_utf8().ok()?))?,
        })
    }

    /// The value of the keyword.
    pub fn keyword_value(&self) -> Option<&'l Json<'static>> {
        self.schema.at(self.pointer.keys())
    }

    /// The properties declared by the object that contains the keyword.
    pub fn declared(&self) -> Vec<&'l str> {
        let around = self
            .pointer
            .split()
            .and_then(|(around, _)| self.schema.at(around));
        match around.and_then(|around| around.get("properties")) {
            Some(Json::Object(properties)) => properties.keys().map(AsRef::as_ref).collect(),
            _ => Vec::new(),
        }
    }
}
