//! The text of a call's arguments, which is skipped when a line is parsed, so that only the tool
//! parses it.

use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The place of arguments in a line.
const PLACE: [&str; 2] = ["params", "arguments"];

/// The text of a call's arguments, as in its line. The request carries it to its tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelled(pub(super) Arc<str>);

/// The message of a line that calls a tool, with empty arguments if they are an object, and their
/// text. `None` for any other line, which must be parsed as a whole.
pub(super) fn call(line: &str) -> Option<(Value, Spelled)> {
    let mut found = None;
    let around = Around {
        place: &PLACE,
        found: &mut found,
    };
    let mut from = serde_json::Deserializer::from_str(line);
    let value = around.deserialize(&mut from).ok()?;
    from.end().ok()?;
    let calls = value.get("method").is_some_and(|it| it == "tools/call");
    let text = found.filter(|_| calls)?;
    Some((value, Spelled(text.get().into())))
}

/// Reads an object whose members lead to arguments. Of duplicate members the last one counts, as
/// elsewhere.
struct Around<'f, 't> {
    place: &'static [&'static str],
    found: &'f mut Option<&'t RawValue>,
}

impl<'t> DeserializeSeed<'t> for Around<'_, 't> {
    type Value = Value;

    fn deserialize<D: Deserializer<'t>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'t> Visitor<'t> for Around<'_, 't> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        *self.found = None;
        while let Some(name) = members.next_key::<String>()? {
            let value = match self.place {
                [last] if name == *last => {
                    let text: &RawValue = members.next_value()?;
                    *self.found = Some(text);
                    brief(text).map_err(serde::de::Error::custom)?
                }
                [first, rest @ ..] if name == *first => members.next_value_seed(Around {
                    place: rest,
                    found: self.found,
                })?,
                _ => members.next_value()?,
            };
            read.insert(name, value);
        }
        Ok(Value::Object(read))
    }
}

/// An empty object for any object; any other value unchanged.
fn brief(text: &RawValue) -> serde_json::Result<Value> {
    if text.get().starts_with('{') {
        return Ok(Value::Object(Map::new()));
    }
    serde_json::from_str(text.get())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_keep_the_text_of_their_line() {
        for (params, brief, spelled) in [
            (
                r#"{"name":"a","arguments": {"n": 1.50} }"#,
                json!({ "name": "a", "arguments": {} }),
                r#"{"n": 1.50}"#,
            ),
            (
                r#"{"arguments":"{\"n\":1}"}"#,
                json!({ "arguments": "{\"n\":1}" }),
                r#""{\"n\":1}""#,
            ),
            (
                r#"{"arguments":[]},"params":{"arguments":{"n":2}}"#,
                json!({ "arguments": {} }),
                r#"{"n":2}"#,
            ),
        ] {
            let line = format!(r#"{{"id":1,"params":{params},"method":"tools/call"}} "#);
            let (value, found) = call(&line).expect(&line);
            assert_eq!((&*found.0, &value["params"]), (spelled, &brief), "{line}");
            assert_eq!(value["id"], 1);
        }
    }

    #[test]
    fn lines_without_a_call_with_arguments_are_left() {
        for line in [
            r#"{"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"method":"tools/call","params":{"arguments":{}},"params":{}}"#,
            r#"{"method":"tools/call","params":[]}"#,
            r#"{"method":"prompts/get","params":{"arguments":{}}}"#,
            r#"{"method":"tools/call","params":{"arguments":{}}},"#,
            r#"[{"method":"tools/call","params":{"arguments":{}}}]"#,
            "hello",
        ] {
            assert_eq!(call(line), None, "{line}");
        }
    }
}
