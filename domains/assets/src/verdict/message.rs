//! The message for each keyword.

use std::fmt;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::place::Place;
use super::suggest::Suggestions;
use crate::json::Json;

/// The maximum number of options shown.
const OPTIONS: usize = 10;

/// The maximum length of a shown value, in bytes.
const SHOWN: usize = 120;

/// The parts of an error message.
#[derive(Default)]
pub(super) struct Description {
    pub msg: String,
    pub expected: Option<String>,
    pub got: Option<String>,
    pub suggest: Option<String>,
    pub branches: Vec<Vec<(String, String)>>,
}

impl Description {
    fn plain(msg: impl Into<String>) -> Self {
        Self {
            msg: msg.into(),
            ..Self::default()
        }
    }

    /// An error with the expected and the actual value.
    pub fn expected(expected: String, got: String) -> Self {
        Self {
            msg: format!("expected {expected}, got {got}"),
            expected: Some(expected),
            got: Some(got),
            ..Self::default()
        }
    }
}

/// The message of an error at a value. `place` is the place of its keyword.
pub(super) fn describe<'l>(
    error: &ValidationError<'_>,
    got: Option<&Json<'_>>,
    suggestions: &Suggestions,
    place: impl Fn() -> Option<Place<'l>>,
) -> Description {
    // The validator got the length of the value instead of the value.
    let length = || error.instance().as_u64().unwrap_or_default();
    // The keyword's own spelling of the expected value, if it can be found.
    let spelling = || place().and_then(|place| place.keyword_value());
    let spelled = |known: &dyn fmt::Display| spelling().map_or_else(|| known.to_string(), shown);
    let found = || got.map(shown).unwrap_or_default();
    let bound = |sign: &str, known: &dyn fmt::Display| {
        Description::expected(format!("{sign} {}", spelled(known)), found())
    };
    match error.kind() {
        Kind::Type { kind } => typed(&types(kind), got),
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            Description::plain(format!("missing required property {}", quoted(name)))
        }
        Kind::Enum { options } => match (spelling(), &**options) {
            (Some(Json::Array(spelling)), _) => {
                one_of(spelling, shown, Json::as_str, got, suggestions)
            }
            (_, Value::Array(options)) => {
                one_of(options, Value::to_string, Value::as_str, got, suggestions)
            }
            _ => one_of(&[], Value::to_string, Value::as_str, got, suggestions),
        },
        Kind::Constant { expected_value } => {
            Description::expected(spelled(expected_value), found())
        }
        Kind::MinLength { limit } => count("at least", *limit, "character", length()),
        Kind::MaxLength { limit } => count("at most", *limit, "character", length()),
        Kind::MinItems { limit } => count("at least", *limit, "item", length()),
        Kind::MaxItems { limit } => count("at most", *limit, "item", length()),
        Kind::MinProperties { limit } => count("at least", *limit, "property", length()),
        Kind::MaxProperties { limit } => count("at most", *limit, "property", length()),
        Kind::Minimum { limit } => bound(">=", limit),
        Kind::Maximum { limit } => bound("<=", limit),
        Kind::ExclusiveMinimum { limit } => bound(">", limit),
        Kind::ExclusiveMaximum { limit } => bound("<", limit),
        Kind::MultipleOf { multiple_of } => bound("a multiple of", multiple_of),
        Kind::Pattern { pattern } => {
            Description::plain(format!("does not match pattern {}", quoted(pattern)))
        }
        Kind::UniqueItems => Description::plain("items are not unique"),
        Kind::Contains => Description::plain("contains no matching item"),
        Kind::Not { .. } => Description::plain("matches what \"not\" forbids"),
        Kind::FalseSchema => Description::plain("nothing is allowed here"),
        Kind::OneOfMultipleValid { context } => {
            let hits = context.iter().filter(|branch| branch.is_empty()).count();
            several_of(hits, context.len())
        }
        other => Description::plain(format!("fails \"{}\"", other.keyword())),
    }
}

/// The message if no alternative matches.
pub(super) fn none_of(count: usize) -> Description {
    Description::plain(format!("matches none of {count} alternatives"))
}

/// The message if several alternatives match and exactly one should.
pub(super) fn several_of(hits: usize, count: usize) -> Description {
    Description::plain(format!(
        "matches {hits} of {count} alternatives, expected exactly 1"
    ))
}

/// The types of a `type` keyword, in alphabetical order.
pub(super) fn types(kind: &TypeKind) -> Vec<&'static str> {
    let mut types: Vec<&str> = match kind {
        TypeKind::Single(one) => vec![type_name(*one)],
        TypeKind::Multiple(set) => set.iter().map(type_name).collect(),
    };
    types.sort_unstable();
    types.dedup();
    types
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

/// The message for a wrong type.
pub(super) fn typed(types: &[&str], got: Option<&Json<'_>>) -> Description {
    let got = got.map_or_else(String::new, |got| match got {
        Json::Null | Json::Array(_) | Json::Object(_) => got.kind().to_owned(),
        value => format!("{} {}", value.kind(), shown(value)),
    });
    Description::expected(types.join(" or "), got)
}

/// The message for a value that is not among the options. `show` gives the form of one in
/// messages, and `text` its text if it is a string.
pub(super) fn one_of<T>(
    options: &[T],
    show: impl Fn(&T) -> String,
    text: impl Fn(&T) -> Option<&str>,
    got: Option<&Json<'_>>,
    suggestions: &Suggestions,
) -> Description {
    let some: Vec<String> = options.iter().take(OPTIONS).map(show).collect();
    let mut expected = format!("one of {}", some.join(", "));
    if options.len() > OPTIONS {
        expected.push_str(&format!(" (+{} more)", options.len() - OPTIONS));
    }
    let suggest = got.and_then(Json::as_str).and_then(|word| {
        let texts = options
            .iter()
            .map(|option| text(option).unwrap_or_default());
        suggestions.nearest(word, texts)
    });
    Description {
        suggest,
        ..Description::expected(expected, got.map(shown).unwrap_or_default())
    }
}

/// A text, quoted for a message.
pub(super) fn quoted(text: &str) -> String {
    shown(&Json::String(text.into()))
}

/// A value in a message: compact, cut if long, and only the type of lists and objects.
pub(super) fn shown(value: &Json<'_>) -> String {
    let text = match value {
        Json::Array(_) | Json::Object(_) => return value.kind().to_owned(),
        value => value.to_string(),
    };
    if text.len() <= SHOWN {
        return text;
    }
    let mut end = SHOWN - '…'.len_utf8();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", text.get(..end).unwrap_or_default())
}

fn count(bound: &str, limit: u64, noun: &str, got: u64) -> Description {
    let noun = match (limit, noun) {
        (1, noun) => noun.to_owned(),
        (_, "property") => "properties".to_owned(),
        (_, noun) => format!("{noun}s"),
    };
    Description::expected(format!("{bound} {limit} {noun}"), got.to_string())
}
