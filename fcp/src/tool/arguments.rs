//! The text of arguments, parsed no further than necessary.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Keywords of a schema that do not restrict the value.
const WORDS: [&str; 4] = ["title", "description", "default", "examples"];

/// Arguments with their spelling.
pub(super) struct Spelled<'t> {
    text: Cow<'t, str>,
    brief: Value,
}

/// The members of an object, in order. If a key is repeated, its last value counts.
#[derive(Default)]
struct Fields<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

/// Unwraps an object that an agent sent as a string with JSON text.
pub(super) fn inner(text: &str) -> Cow<'_, str> {
    let quoted = text.trim_start().starts_with('"');
    let inner = quoted.then(|| serde_json::from_str::<String>(text).ok());
    let object = |inner: &String| serde_json::from_str::<Map<String, Value>>(inner).is_ok();
    match inner.flatten().filter(object) {
        Some(inner) => Cow::Owned(inner),
        None => Cow::Borrowed(text),
    }
}

impl<'t> Spelled<'t> {
    /// Parses arguments. Tolerates two habits of agents: an empty text, and null for a field with a
    /// default.
    pub(super) fn read(text: &'t str, schema: &Map<String, Value>) -> serde_json::Result<Self> {
        let trimmed = text.trim_start();
        if !trimmed.is_empty() && !trimmed.starts_with('{') {
            let brief = serde_json::from_str(text)?;
            let brief = Some(brief).filter(|value: &Value| !value.is_null());
            return Ok(Self {
                text: Cow::Borrowed(if brief.is_some() { text } else { "{}" }),
                brief: brief.unwrap_or_else(|| Value::Object(Map::new())),
            });
        }
        let text = if trimmed.is_empty() { "{}" } else { trimmed };
        let (brief, odd) = read(text, schema)?;
        if !odd {
            let text = Cow::Borrowed(text);
            return Ok(Self { text, brief });
        }
        let mut fields: Fields<'_> = serde_json::from_str(text)?;
        fields
            .0
            .retain(|(name, value)| value.get() != "null" || !has_default(schema, name));
        let text = fields.text();
        let (brief, _) = read(&text, schema)?;
        let text = Cow::Owned(text);
        Ok(Self { text, brief })
    }

    /// The arguments, with null for parts that may be anything: the schema check does not need
    /// these.
    pub(super) const fn brief(&self) -> &Value {
        &self.brief
    }

    /// The complete arguments, or those in brief if some spelling cannot be a value.
    pub(super) fn whole(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| self.brief.clone())
    }

    /// Their text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl Fields<'_> {
    fn text(&self) -> String {
        let mut text = String::from("{");
        for (ix, (name, value)) in self.0.iter().enumerate() {
            text.push_str(if ix > 0 { "," } else { "" });
            text.push_str(&Value::from(name.as_ref()).to_string());
            text.push(':');
            text.push_str(value.get());
        }
        text + "}"
    }
}

/// Returns whether an argument has a default other than null.
fn has_default(schema: &Map<String, Value>, name: &str) -> bool {
    let default = || schema.get("properties")?.get(name)?.get("default");
    default().is_some_and(|default| !default.is_null())
}

/// Reads an object in brief, in one pass. Also returns whether a key is repeated or is null and has
/// a default.
fn read(text: &str, schema: &Map<String, Value>) -> serde_json::Result<(Value, bool)> {
    let mut odd = false;
    let top = Top {
        schema,
        odd: &mut odd,
    };
    let mut from = serde_json::Deserializer::from_str(text);
    let brief = from.deserialize_map(top)?;
    from.end()?;
    Ok((Value::Object(brief), odd))
}

/// Reads the top-level arguments.
struct Top<'s> {
    schema: &'s Map<String, Value>,
    odd: &'s mut bool,
}

impl<'de> Visitor<'de> for Top<'_> {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut brief = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let declared = || self.schema.get("properties")?.get(&name);
            let value = members.next_value_seed(Brief {
                schema: declared(),
                defs: self.schema.get("$defs"),
            })?;
            *self.odd |= value.is_null() && has_default(self.schema, &name);
            *self.odd |= brief.insert(name, value).is_some();
        }
        Ok(brief)
    }
}

/// Reads a value, with null for each part that may be anything: such parts are skipped unread.
#[derive(Clone, Copy)]
struct Brief<'s> {
    /// The schema of the value, if known.
    schema: Option<&'s Value>,
    /// The definitions that references point to.
    defs: Option<&'s Value>,
}

impl<'s> Brief<'s> {
    /// The reader of a part of the value.
    fn part(self, schema: impl FnOnce(&'s Value) -> Option<&'s Value>) -> Self {
        let named = |path: &Value| self.defs?.get(path.as_str()?.strip_prefix("#/$defs/")?);
        let own = self.schema.map(|own| match own.get("$ref") {
            Some(path) => named(path).unwrap_or(own),
            None => own,
        });
        Self {
            schema: own.and_then(schema),
            ..self
        }
    }
}

impl<'de> DeserializeSeed<'de> for Brief<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        match self.schema {
            Some(schema) if takes_anything(schema) => {
                IgnoredAny::deserialize(from).map(|_| Value::Null)
            }
            // No part of it can be skipped.
            None => Value::deserialize(from),
            Some(_) => from.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Brief<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let part = self.part(|schema| schema.get("items"));
        let mut read = Vec::new();
        while let Some(item) = items.next_element_seed(part)? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let part = self.part(|schema| schema.get("properties")?.get(&name));
            let value = members.next_value_seed(part)?;
            read.insert(name, value);
        }
        Ok(Value::Object(read))
    }
}

fn takes_anything(schema: &Value) -> bool {
    match schema {
        Value::Bool(anything) => *anything,
        Value::Object(keywords) => keywords.keys().all(|word| WORDS.contains(&word.as_str())),
        _ => false,
    }
}

impl<'de: 't, 't> Deserialize<'de> for Fields<'t> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Fields::default();
                let mut places = HashMap::new();
                while let Some((Key(name), value)) = map.next_entry()? {
                    let place = *places.entry(name.clone()).or_insert(fields.0.len());
                    match fields.0.get_mut(place) {
                        Some(earlier) => earlier.1 = value,
                        None => fields.0.push((name, value)),
                    }
                }
                Ok(fields)
            }
        }

        from.deserialize_map(Reader)
    }
}

/// A key, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read<'t>(text: &'t str) -> Spelled<'t> {
        let schema = json!({ "properties": {
            "any": { "description": "Whatever it is." }, "all": { "type": "array", "items": { "$ref": "#/$defs/one" } }, "n": { "type": "number", "default": 2 }, "none": { "default": null },
        }, "$defs": { "one": { "properties": { "any": true, "n": { "type": "number" } } } } });
        Spelled::read(text, schema.as_object().unwrap()).unwrap()
    }

    #[test]
    fn text_stays_as_it_is_spelled() {
        let read = read(r#" {"any": {"k" : 1.50}, "n":1e3, "\u0061ny": [1E400 ],"x":"\u00e9"}"#);
        assert_eq!(read.text(), r#"{"any":[1E400 ],"n":1e3,"x":"\u00e9"}"#);
        assert_eq!(*read.brief(), json!({ "any": null, "n": 1e3, "x": "é" }));
    }

    #[test]
    fn values_of_any_kind_are_skipped_everywhere() {
        let read = read(r#"{"all":[{"any":{"k":[1E400]},"n":1,"x":[2]},7,{"any":"a"}]}"#);
        let brief = json!({ "all": [{ "any": null, "n": 1, "x": [2] }, 7, { "any": null }] });
        assert_eq!(*read.brief(), brief);
    }

    #[test]
    fn nothing_is_an_empty_object_and_null_a_default() {
        for (text, spelled) in [
            ("", "{}"),
            (" null", "{}"),
            ("{}", "{}"),
            (
                r#"{"n":null,"none":null,"any":null}"#,
                r#"{"none":null,"any":null}"#,
            ),
        ] {
            assert_eq!(read(text).text(), spelled, "{text}");
        }
    }

    #[test]
    fn values_other_than_objects_are_left_to_the_schema() {
        for (text, value) in [("[1]", json!([1])), ("7", json!(7)), ("\"a\"", json!("a"))] {
            assert_eq!(*read(text).brief(), value);
            assert_eq!(read(text).whole(), value);
        }
        assert_eq!(inner(r#""{\"n\":1}""#), r#"{"n":1}"#);
        for text in [r#""{""#, r#""n""#, r#"{"n":1}"#, "\"[1]\""] {
            assert_eq!(inner(text), text);
        }
    }
}
