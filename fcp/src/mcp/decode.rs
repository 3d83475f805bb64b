//! Decodes the arguments of a tool call into a call of the endpoint.
//!
//! The published schemas show one form for each tool. This accepts a few more that agents are known
//! to send, and rejects all others: an argument is understood or an error, never dropped.

use serde_json::{Map, Value};

use super::{action::action, tools::Kind};
use crate::diag::{Diagnostic, Result, short_name};
use crate::tool::noun;

/// The longest unknown argument for which a similar one is sought, in bytes.
const LONGEST_KEY: usize = 256;

/// A decoded tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// A batch of ops.
    Edit(Vec<String>),
    /// A query.
    Query(String),
    /// A session action.
    Act(String),
    /// The card, or one topic of it.
    Help(Option<String>),
}

/// Reads the `arguments` of a call, whatever JSON they are.
pub(super) fn arguments(kind: Kind, value: Option<Value>) -> Result<Map<String, Value>> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map),
        Some(Value::String(text)) => {
            match serde_json::from_str(&text) {
                Ok(Value::Object(map)) => Ok(map),
                _ => Err(Diagnostic::new("the arguments are text, not a JSON object")
                    .or_syntax(legal(kind))),
            }
        }
        Some(other) => {
            let what = noun(&other);
            Err(
                Diagnostic::new(format!("the arguments are {what}, not a JSON object"))
                    .or_syntax(legal(kind)),
            )
        }
    }
}

/// Decodes the arguments of a call to a tool of this kind. A `null` argument counts as omitted.
pub(super) fn decode(kind: Kind, mut arguments: Map<String, Value>) -> Result<Call> {
    arguments.retain(|_, value| !value.is_null());
    let call = match kind {
        Kind::Edit => edit(&mut arguments),
        Kind::Query => text(&mut arguments, "q").map(Call::Query),
        Kind::Session => action(&mut arguments).map(Call::Act),
        Kind::Help if arguments.contains_key("topic") => {
            text(&mut arguments, "topic").map(|topic| Call::Help(Some(topic)))
        }
        Kind::Help => Ok(Call::Help(None)),
    };
    // A misspelled name explains a missing one better than the reverse.
    let unknown = arguments
        .keys()
        .find(|key| !known(kind).contains(&key.as_str()));
    match (unknown, call) {
        (Some(key), _) => Err(strange(kind, key)),
        (None, call) => call.map_err(|problem| problem.or_syntax(legal(kind))),
    }
}

fn edit(arguments: &mut Map<String, Value>) -> Result<Call> {
    match (arguments.shift_remove("ops"), arguments.shift_remove("op")) {
        (Some(_), Some(_)) => Err(Diagnostic::new(
            "both \"ops\" and \"op\" are given; send one of them",
        )),
        (None, None) => Err(Diagnostic::new("the argument \"ops\" is missing")),
        (None, Some(Value::String(op))) => Ok(Call::Edit(vec![op])),
        (None, Some(other)) => Err(Diagnostic::new(format!(
            "\"op\" is {}, not one op as text",
            noun(&other)
        ))),
        (Some(Value::Array(ops)), None) => strings(ops).map(Call::Edit),
        (Some(Value::String(ops)), None) if ops.trim_start().starts_with('[') => {
            match serde_json::from_str(&ops) {
                Ok(ops) => strings(ops).map(Call::Edit),
                Err(problem) => Err(Diagnostic::new(format!(
                    "\"ops\" looks like the JSON text of an array, but is not: {problem}"
                ))),
            }
        }
        (Some(Value::String(op)), None) => Ok(Call::Edit(vec![op])),
        (Some(other), None) => Err(Diagnostic::new(format!(
            "\"ops\" is {}, not an array of strings",
            noun(&other)
        ))),
    }
}

fn strings(ops: Vec<Value>) -> Result<Vec<String>> {
    ops.into_iter()
        .enumerate()
        .map(|(at, op)| match op {
            Value::String(op) => Ok(op),
            other => {
                let (place, what) = (at + 1, noun(&other));
                Err(Diagnostic::new(format!(
                    "op {place} in \"ops\" is {what}, not a string"
                )))
            }
        })
        .collect()
}

/// The only string argument of a call.
pub(super) fn text(arguments: &mut Map<String, Value>, name: &str) -> Result<String> {
    match arguments.shift_remove(name) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(Diagnostic::new(format!(
            "\"{name}\" is {}, not a string",
            noun(&other)
        ))),
        None => Err(Diagnostic::new(format!(
            "the argument \"{name}\" is missing"
        ))),
    }
}

/// The names that may remain after decoding, whether it succeeded or failed before reading them.
fn known(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Edit => &["ops", "op"],
        Kind::Query => &["q"],
        // With `op`, other keys are free; with `action`, there must be none.
        Kind::Session => &["action", "op"],
        Kind::Help => &["topic"],
    }
}

fn strange(kind: Kind, key: &str) -> Diagnostic {
    let beside_op = ["file", "path", "as"];
    let message = if kind == Kind::Session && beside_op.contains(&key) {
        format!("\"{key}\" goes with \"op\"")
    } else if let Some(other) = Kind::ALL
        .into_iter()
        .find(|other| *other != kind && key != "op" && known(*other).contains(&key))
    {
        format!("\"{key}\" is an argument of the {} tool", other.noun())
    } else {
        let candidates = known(kind).iter().chain(if kind == Kind::Session {
            &beside_op[..]
        } else {
            &[]
        });
        // The cost grows with the length.
        let nearest = candidates
            .filter(|_| key.len() <= LONGEST_KEY)
            .min_by_key(|name| strsim::damerau_levenshtein(&key.to_lowercase(), name));
        let key = short_name(key);
        match nearest {
            Some(name) => format!("unknown argument \"{key}\", nearest is \"{name}\""),
            None => format!("unknown argument \"{key}\""),
        }
    };
    Diagnostic::new(message).or_syntax(legal(kind))
}

/// The correct form of a call of this kind.
pub(super) fn legal(kind: Kind) -> &'static str {
    match kind {
        Kind::Edit => r#"{"ops": ["VERB TARGET key:value", "VERB TARGET key:value"]}"#,
        Kind::Query => r#"{"q": "map"}"#,
        Kind::Session => r#"{"action": "open ./FILE"}, or {"op": "open", "file": "./FILE"}"#,
        Kind::Help => r#"{}, or {"topic": "VERB"}"#,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(kind: Kind, json: Value) -> Result<Call, String> {
        arguments(kind, Some(json))
            .and_then(|map| decode(kind, map))
            .map_err(|problem| problem.to_string())
    }

    fn edit(json: Value) -> Result<Call, String> {
        call(Kind::Edit, json)
    }

    #[test]
    fn ops_come_as_an_array_as_one_string_or_as_json_text() {
        let two = Ok(Call::Edit(vec!["add a".into(), "add b".into()]));
        assert_eq!(edit(json!({"ops": ["add a", "add b"]})), two);
        assert_eq!(edit(json!({"ops": "[\"add a\", \"add b\"]"})), two);
        assert_eq!(edit(json!({"ops": " [\"add a\",\n\"add b\"] "})), two);
        assert_eq!(edit(json!("{\"ops\": [\"add a\", \"add b\"]}")), two);
        let one = Ok(Call::Edit(vec!["add a".into()]));
        assert_eq!(edit(json!({"ops": "add a"})), one);
        assert_eq!(edit(json!({"op": "add a"})), one);
        assert_eq!(edit(json!({"op": "add a", "ops": null})), one);
        assert_eq!(edit(json!({"ops": []})), Ok(Call::Edit(vec![])));
    }

    #[test]
    fn wrong_ops_are_errors_that_show_the_right_form() {
        for (json, message) in [
            (json!({}), "the argument \"ops\" is missing"),
            (
                json!({"ops": 3}),
                "\"ops\" is a number, not an array of strings",
            ),
            (
                json!({"ops": ["a", {"op": "b"}]}),
                "op 2 in \"ops\" is an object, not a string",
            ),
            (
                json!({"ops": "[\"a\", 2]"}),
                "op 2 in \"ops\" is a number, not a string",
            ),
            (
                json!({"ops": ["a"], "op": "b"}),
                "both \"ops\" and \"op\" are given; send one of them",
            ),
            (
                json!({"op": ["a"]}),
                "\"op\" is an array, not one op as text",
            ),
            (
                json!({"opps": ["a"]}),
                "unknown argument \"opps\", nearest is \"ops\"",
            ),
            (
                json!({"ops": ["a"], "dry": true}),
                "unknown argument \"dry\", nearest is \"ops\"",
            ),
            (
                json!({"action": "save"}),
                "\"action\" is an argument of the session tool",
            ),
            (json!([1]), "the arguments are an array, not a JSON object"),
            (json!("add a"), "the arguments are text, not a JSON object"),
        ] {
            let text = edit(json).unwrap_err();
            assert_eq!(
                text,
                format!(
                    "! {message}\n  syntax: {{\"ops\": [\"VERB TARGET key:value\", \"VERB TARGET key:value\"]}}"
                )
            );
        }
        let broken = edit(json!({"ops": "[\"a\", "})).unwrap_err();
        assert!(
            broken.starts_with("! \"ops\" looks like the JSON text of an array, but is not: EOF"),
            "{broken}"
        );
    }

    #[test]
    fn queries_and_topics_are_text() {
        assert_eq!(
            call(Kind::Query, json!({"q": "map"})),
            Ok(Call::Query("map".into()))
        );
        assert_eq!(call(Kind::Help, json!({})), Ok(Call::Help(None)));
        assert_eq!(
            call(Kind::Help, json!({"topic": null})),
            Ok(Call::Help(None))
        );
        assert_eq!(
            call(Kind::Help, json!({"topic": "add"})),
            Ok(Call::Help(Some("add".into())))
        );
        assert!(
            call(Kind::Query, json!({"query": "map"}))
                .unwrap_err()
                .contains("nearest is \"q\"")
        );
        assert!(
            call(Kind::Query, json!({"q": 7}))
                .unwrap_err()
                .contains("\"q\" is a number")
        );
        assert!(
            call(Kind::Query, json!({}))
                .unwrap_err()
                .contains("{\"q\": \"map\"}")
        );
        assert!(
            call(Kind::Help, json!({"topics": "add"}))
                .unwrap_err()
                .contains("nearest is \"topic\"")
        );
    }

    #[test]
    fn wrong_actions_are_errors() {
        for (json, message) in [
            (json!({}), "the argument \"action\" is missing"),
            (json!({"action": 1}), "\"action\" is a number, not a string"),
            (
                json!({"action": "save", "op": "save"}),
                "both \"action\" and \"op\" are given",
            ),
            (
                json!({"action": "open", "file": "a"}),
                "\"file\" goes with \"op\"",
            ),
            (
                json!({"action": "save", "force": true}),
                "unknown argument \"force\"",
            ),
            (
                json!({"acton": "save"}),
                "unknown argument \"acton\", nearest is \"action\"",
            ),
            (
                json!({"op": "open", "file": "a", "path": "b"}),
                "both \"file\" and \"path\" are given",
            ),
            (json!({"op": "open", "file": ["a"]}), "\"file\" is an array"),
            (json!({"op": "set", "a b": 1}), "\"a b\" cannot be a key"),
            (json!({"op": "set", "a": {}}), "\"a\" is an object"),
            (
                json!({"ops": ["a"]}),
                "\"ops\" is an argument of the mutation tool",
            ),
        ] {
            let text = call(Kind::Session, json).unwrap_err();
            assert!(text.starts_with(&format!("! {message}")), "{text}");
            assert!(text.ends_with(legal(Kind::Session)), "{text}");
        }
    }
}
