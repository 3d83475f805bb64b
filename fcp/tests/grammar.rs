//! Runs the language-neutral fixtures of the op grammar. `fixtures/README.md` describes their form.

// To clippy, helpers of tests are not tests.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fcp::diag::Span;
use fcp::op::{OpWord, ParseError, ParsedOp, Quoted, parse, parse_action, words};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    suite: String,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Test {
    name: String,
    input: Input,
    #[serde(default)]
    form: Form,
    expected: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    Pieces(Vec<Piece>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Piece {
    Text(String),
    Repeat { repeat: String, times: usize },
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    #[default]
    Op,
    Action,
}

impl Input {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Pieces(pieces) => pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Repeat { repeat, times } => repeat.repeat(*times),
                })
                .collect(),
        }
    }
}

impl Form {
    fn parse(self, text: &str) -> Result<ParsedOp<'_>, ParseError> {
        match self {
            Self::Op => parse(text),
            Self::Action => parse_action(text),
        }
    }
}

fn quoted(quoted: Quoted) -> &'static str {
    match quoted {
        Quoted::No => "no",
        Quoted::Whole => "whole",
        Quoted::Value => "value",
    }
}

fn tokenize(text: &str, _: Form) -> Result<Value, ParseError> {
    let words = words(text)?;
    Ok(json!({
        "words": words.iter().map(|word| &*word.text).collect::<Vec<_>>(),
        "quoted": words.iter().map(|word| quoted(word.quoted)).collect::<Vec<_>>(),
        "spans": words.iter().map(|word| word.span).collect::<Vec<Span>>(),
        "count": words.len(),
    }))
}

fn classify(text: &str, form: Form) -> Result<Value, ParseError> {
    let op = form.parse(text)?;
    let words = op.words.iter().map(|word| match word {
        OpWord::Positional(word) => json!({
            "positional": word.text,
            "quoted": quoted(word.quoted),
            "span": word.span,
        }),
        OpWord::Param(param) => json!({
            "key": param.key,
            "value": param.value,
            "quoted": quoted(param.quoted),
            "span": param.span,
            "key_span": param.key_span,
            "value_span": param.value_span,
        }),
        OpWord::Selector(selector) => json!({
            "type": selector.kind,
            "value": selector.value,
            "negated": selector.negated,
            "has_value": selector.has_value,
            "quoted": quoted(selector.quoted),
            "span": selector.span,
            "kind_span": selector.kind_span,
            "value_span": selector.value_span,
        }),
        OpWord::Arrow(arrow) => json!({ "arrow": arrow.kind.as_str(), "span": arrow.span }),
    });
    Ok(json!({
        "verb": op.verb.text,
        "verb_span": op.verb.span,
        "words": words.collect::<Vec<_>>(),
        "params": op.to_json()["params"],
        "arrows": op.arrows().map(|arrow| arrow.kind.as_str()).collect::<Vec<_>>(),
    }))
}

fn whole(text: &str, form: Form) -> Result<Value, ParseError> {
    form.parse(text)
        .map(|op| serde_json::to_value(&op).unwrap())
}

/// The first difference, if any.
fn compare(expected: &Map<String, Value>, actual: &Value) -> Option<String> {
    expected.iter().find_map(|(key, wanted)| {
        let found = actual.get(key);
        let same = match (key.as_str(), wanted, found) {
            (_, Value::Null, found) => found.is_none(),
            ("error", Value::Bool(true), Some(Value::String(message))) => !message.is_empty(),
            ("words", Value::Array(wanted), Some(Value::Array(found))) => {
                wanted.len() == found.len()
                    && wanted
                        .iter()
                        .zip(found)
                        .all(|(wanted, found)| word(wanted, found))
            }
            (_, wanted, found) => found == Some(wanted),
        };
        let found = found.map_or("nothing".to_owned(), Value::to_string);
        (!same).then(|| format!("{key}: expected {wanted}, found {found}"))
    })
}

fn word(wanted: &Value, found: &Value) -> bool {
    match wanted {
        Value::Object(wanted) => compare(wanted, found).is_none(),
        wanted => wanted == found,
    }
}

fn run(file: &str, least: usize, answer: fn(&str, Form) -> Result<Value, ParseError>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/grammar")
        .join(file);
    let suite: Suite = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(
        suite.suite,
        format!("grammar/{}", file.trim_end_matches(".json"))
    );
    assert!(
        suite.tests.len() >= least,
        "{file} has lost tests: {}",
        suite.tests.len()
    );

    let mut failed = String::new();
    let mut names = HashSet::new();
    for test in &suite.tests {
        let mut fail = |why: String| writeln!(failed, "  {}: {why}", test.name).unwrap();
        if !names.insert(&test.name) {
            fail("another test has this name".to_owned());
        }
        let text = test.input.text();
        let wants_error = test.expected.contains_key("error");
        match answer(&text, test.form) {
            Err(error) if !wants_error => fail(format!("refused: {error}")),
            Ok(_) if wants_error => fail("accepted".to_owned()),
            Err(error) => {
                let value = serde_json::to_value(error).unwrap();
                compare(&test.expected, &value).into_iter().for_each(fail);
            }
            Ok(value) => compare(&test.expected, &value).into_iter().for_each(fail),
        }
    }
    assert!(failed.is_empty(), "{file}:\n{failed}");
}

#[test]
fn tokenizer() {
    run("tokenizer.json", 100, tokenize);
}

#[test]
fn classifier() {
    run("classifier.json", 150, classify);
}

#[test]
fn parsed_op() {
    run("parsed-op.json", 50, whole);
}

/// The suites must be able to fail: an empty comparison would pass everything.
#[test]
fn a_difference_is_found() {
    let actual = json!({ "words": [{ "key": "a", "value": "b" }], "params": { "a": "b" } });
    let differs = |expected: Value| compare(expected.as_object().unwrap(), &actual).is_some();
    assert!(!differs(
        json!({ "words": [{ "key": "a" }], "arrows": null })
    ));
    assert!(differs(json!({ "words": [{ "key": "b" }] })));
    assert!(differs(json!({ "words": [] })));
    assert!(differs(json!({ "words": [{ "positional": "a" }] })));
    assert!(differs(json!({ "params": {} })));
    assert!(differs(json!({ "params": null })));
    assert!(differs(json!({ "arrows": [] })));
}
