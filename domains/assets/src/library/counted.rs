//! Schemas whose validators count the schemas they apply.
//!
//! Looks at values are counted by the values. Schemas that refer to each other may be applied 2ⁿ
//! times without a look, so a schema that applies others to the same value gets a keyword that
//! counts them. It is inside `allOf`, which is checked before all other keywords that apply schemas
//! to the same value.

use std::sync::Arc;

use jsonschema::paths::Location;
use jsonschema::{Draft, Keyword, PatternOptions, Retrieve, ValidationError, ValidationOptions};
use serde_json::{Map, Value, json};

use crate::json::{At, BACKTRACKS, Costs, Tapes, look_deeper};

/// The keyword that counts.
const COUNT: &str = "fcp:count";

/// Keywords that hold no schemas.
pub(crate) const VALUES: [&str; 4] = ["const", "default", "enum", "examples"];

/// Keywords whose members are schemas.
pub(crate) const MAPS: [&str; 6] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Keywords that apply schemas to the same value.
pub(super) const IN_PLACE: [&str; 11] = [
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "allOf",
    "anyOf",
    "dependentSchemas",
    "else",
    "if",
    "not",
    "oneOf",
    "then",
];

/// A schema with its counts.
pub(crate) fn counted(mut schema: Value) -> Value {
    count(&mut schema);
    schema
}

/// Adds the counts to a schema. Recursion is bounded by the depth of the parsed text.
fn count(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(count),
        Value::Object(members) => {
            let applied: usize = IN_PLACE
                .iter()
                .filter_map(|key| members.get(*key))
                .map(applied)
                .sum();
            for (key, value) in members.iter_mut() {
                match value {
                    _ if VALUES.contains(&&**key) => {}
                    Value::Object(map) if MAPS.contains(&&**key) => {
                        map.values_mut().for_each(count);
                    }
                    value => count(value),
                }
            }
            let count = json!({ COUNT: applied });
            match members.get_mut("allOf") {
                _ if applied == 0 => {}
                Some(Value::Array(all)) => all.push(count),
                Some(_) => {}
                // Built anew, since a map that grows takes room for four members.
                None => {
                    let all = ("allOf".to_owned(), Value::Array(vec![count]));
                    let own = std::mem::take(members).into_iter();
                    *members = own.chain([all]).collect();
                }
            }
        }
        _ => {}
    }
}

/// Adds the costs of a schema to those of others. Recursion is bounded by the depth of the parsed
/// text.
pub(crate) fn add_costs(costs: &mut Costs, schema: &Value) {
    let mut pattern = |pattern: &str| {
        costs.pattern = costs.pattern.max(pattern.len());
        costs.backtracks |= backtracks(pattern);
    };
    match schema {
        Value::Array(items) => items.iter().for_each(|item| add_costs(costs, item)),
        Value::Object(members) => {
            for (key, value) in members {
                match (&**key, value) {
                    ("pattern", Value::String(text)) => pattern(text),
                    ("patternProperties", Value::Object(map)) => {
                        map.keys().for_each(|text| pattern(text));
                        costs.names = costs.names.max(map.len());
                    }
                    _ => {}
                }
            }
            for (key, value) in members {
                if let "const" | "not" | "pattern" = &**key {
                    costs.copied = costs.copied.max(value.to_string().len());
                }
                if !VALUES.contains(&&**key) {
                    add_costs(costs, value);
                }
            }
        }
        _ => {}
    }
}

/// Whether a pattern may have look-around or back-references.
fn backtracks(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let escaped = bytes
        .windows(2)
        .any(|pair| matches!(pair, [b'\\', b'1'..=b'9' | b'k']));
    escaped
        || ["(?=", "(?!", "(?<", "(?P=", "(?>"]
            .iter()
            .any(|mark| pattern.contains(mark))
}

/// The number of schemas that a keyword applies to the same value. A property that has the name of
/// a keyword has another form, or adds one too many.
fn applied(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(_) | Value::Bool(_) | Value::String(_) => 1,
        _ => 0,
    }
}

struct Count(usize);

impl<'i> Keyword<'i, Tapes> for Count {
    fn validate(&self, _: At<'i>) -> Result<(), ValidationError<'i>> {
        look_deeper(self.0);
        Ok(())
    }

    fn is_valid(&self, _: At<'i>) -> bool {
        look_deeper(self.0);
        true
    }
}

/// The options of every validator.
pub(crate) fn options<'r>(
    draft: Option<Draft>,
    base: String,
    retriever: impl Retrieve + 'static,
) -> ValidationOptions<'r, Arc<dyn Retrieve>, Tapes> {
    let mut options = jsonschema::options_for::<Tapes>();
    if let Some(draft) = draft {
        options = options.with_draft(draft);
    }
    options
        .with_base_uri(base)
        .with_retriever(retriever)
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS))
        .with_keyword(
            COUNT,
            |_: &Map<String, Value>, count: &Value, _: Location| {
                let count = count.as_u64().and_then(|count| usize::try_from(count).ok());
                Ok(Box::new(Count(count.unwrap_or(1))) as Box<dyn for<'i> Keyword<'i, Tapes>>)
            },
        )
}
