//! The text of arguments, taken apart no further than it has to be.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What says nothing of which values there may be.
const WORDS: [&str; 4] = ["title", "description", "default", "examples"];

/// Arguments by their fields, each as it is spelled.
pub(super) struct Spelled<'t> {
    fields: Fields<'t>,
    brief: Value,
}

/// The members of an object, in order. Of a key that stands twice the last value holds.
#[derive(Default)]
struct Fields<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

/// What agents send for an object: its text as a text.
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
    /// Takes arguments apart. What agents send besides: nothing, and null for what has a default.
    pub(super) fn read(text: &'t str, schema: &Map<String, Value>) -> serde_json::Result<Self> {
        let trimmed = text.trim_start();
        if !trimmed.is_empty() && !trimmed.starts_with('{') {
            let brief = serde_json::from_str(text)?;
            let brief = Some(brief).filter(|value: &Value| !value.is_null());
            return Ok(Self {
                fields: Fields::default(),
                brief: brief.unwrap_or_else(|| Value::Object(Map::new())),
            });
        }
        let mut fields = match trimmed {
            "" => Fields::default(),
            some => serde_json::from_str(some)?,
        };
        let declared = |name: &str| schema.get("properties")?.get(name);
        let default = |name: &str| declared(name)?.get("default");
        fields.0.retain(|(name, value)| {
            value.get() != "null" || default(name).is_none_or(Value::is_null)
        });
        let mut brief = Map::new();
        for (name, value) in &fields.0 {
            let value = if declared(name).is_some_and(takes_anything) {
                Value::Null
            } else {
                serde_json::from_str(value.get())?
            };
            brief.insert(name.clone().into_owned(), value);
        }
        Ok(Self {
            fields,
            brief: Value::Object(brief),
        })
    }

    /// The arguments, with null for what may be anything: that need not be read to be held against the schema.
    pub(super) const fn brief(&self) -> &Value {
        &self.brief
    }

    /// The arguments.
    pub(super) fn whole(&self) -> Value {
        let mut whole = self.brief.clone();
        if let Value::Object(whole) = &mut whole {
            for (name, value) in &self.fields.0 {
                let value = serde_json::from_str(value.get()).unwrap_or_default();
                whole.insert(name.clone().into_owned(), value);
            }
        }
        whole
    }

    /// Their text.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("{");
        for (ix, (name, value)) in self.fields.0.iter().enumerate() {
            text.push_str(if ix > 0 { "," } else { "" });
            text.push_str(&Value::from(name.as_ref()).to_string());
            text.push(':');
            text.push_str(value.get());
        }
        text + "}"
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

/// A key, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read<'t>(text: &'t str) -> Spelled<'t> {
        let schema = json!({ "properties": {
            "any": { "description": "Whatever it is." }, "n": { "type": "number", "default": 2 }, "none": { "default": null },
        } });
        Spelled::read(text, schema.as_object().unwrap()).unwrap()
    }

    #[test]
    fn text_stays_as_it_is_spelled() {
        let read = read(r#" {"any": {"k" : 1.50}, "n":1e3, "\u0061ny": [1E400 ],"x":"\u00e9"}"#);
        assert_eq!(read.text(), r#"{"any":[1E400 ],"n":1e3,"x":"\u00e9"}"#);
        assert_eq!(*read.brief(), json!({ "any": null, "n": 1e3, "x": "é" }));
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
    fn what_is_no_object_is_left_to_the_schema() {
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
