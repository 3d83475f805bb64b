//! JSON as text, parsed on demand.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Fault, Json, read};

/// Any JSON, as it was sent or written. Its spelling is kept.
#[derive(Clone, Debug)]
pub struct Raw(Arc<RawValue>);

impl Raw {
    /// A value, written without whitespace.
    ///
    /// # Errors
    /// The written text is not JSON.
    pub fn written(json: &Json<'_>) -> serde_json::Result<Self> {
        RawValue::from_string(json.to_string()).map(|raw| Self(raw.into()))
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The value.
    ///
    /// # Errors
    /// Other parsers accept it and [`read()`] does not: too deep, or half of a surrogate pair.
    pub fn json(&self) -> Result<Json<'_>, Fault> {
        read(self.0.get())
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(from).map(|raw| Self(raw.into()))
    }
}

impl JsonSchema for Raw {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Any".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}

/// An object, as it was sent.
#[derive(Clone, Debug, Deserialize)]
pub struct Object(pub Raw);

impl JsonSchema for Object {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Object".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}
