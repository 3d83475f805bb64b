//! Checks values against a schema, and describes the faults.

use std::fmt;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Map, Value};

use crate::value::nearest_word;

/// The most faults of one value that are examined.
const LOOKED_AT: usize = 20;
/// The most faults that are reported.
const REPORTED: usize = 5;
/// The most characters of a value that are shown.
const SHOWN: usize = 60;
/// The most characters of a path that are shown.
const PATH: usize = 400;
/// The longest repaired arguments that are shown, in bytes.
pub(super) const REPAIRED: usize = 64 << 10;

/// Rejected arguments, with all their faults. It is displayed as one sentence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refused {
    /// The faults, in the order of the schema.
    pub faults: Vec<Fault>,
    /// The repaired arguments. They fit the schema.
    pub repaired: Option<Value>,
}

/// A fault in arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Its place, as a JSON pointer to the value that is wrong, missing or superfluous.
    pub path: String,
    /// Its description, a sentence fragment.
    pub message: String,
}

impl Refused {
    /// Arguments that fit the schema but violate a further rule of their type.
    pub(super) fn with_message(message: String) -> Self {
        let path = String::new();
        Self {
            faults: vec![Fault { path, message }],
            repaired: None,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reported = self.faults.iter().take(REPORTED);
        let reported: Vec<&str> = reported.map(|fault| fault.message.as_str()).collect();
        f.write_str(&reported.join("; "))?;
        match self.faults.len().saturating_sub(REPORTED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// A compiled schema for checking values.
#[derive(Debug)]
pub(crate) struct Checker {
    schema: Value,
    /// The name of the whole value in sentences: `the call`.
    whole: &'static str,
    validator: Validator,
}

/// A fault and its repair.
struct Found {
    fault: Fault,
    fix: Option<Fix>,
}

enum Fix {
    /// Renames a field of the object at a pointer, and may turn its boolean round.
    Rename {
        at: String,
        from: String,
        to: String,
        negate: bool,
    },
    /// Replaces the value at a pointer.
    Replace(String, Value),
}

impl Checker {
    /// Compiles a schema of draft 2020-12. Nothing is fetched: the schema contains everything it
    /// refers to. `whole` is the name of the whole value in sentences.
    pub(crate) fn new(schema: &Value, whole: &'static str) -> Result<Self, String> {
        let options = jsonschema::options().with_draft(Draft::Draft202012);
        let validator = options.build(schema).map_err(|error| error.to_string())?;
        Ok(Self {
            schema: schema.clone(),
            whole,
            validator,
        })
    }

    /// Returns whether a value fits.
    pub(crate) fn takes(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// The faults of a value, or `None`. `tool` is the name of the tool that takes it.
    pub(crate) fn refuse(&self, tool: &str, value: &Value) -> Option<Refused> {
        if self.validator.is_valid(value) {
            return None;
        }
        let mut found = Vec::new();
        for error in self.validator.iter_errors(value).take(LOOKED_AT) {
            self.describe(tool, &error, &mut found);
        }
        // A field under a wrong name is not also missing.
        let renamed = |path: &str| {
            found.iter().any(
                |other| matches!(&other.fix, Some(Fix::Rename { at, to, .. }) if path == join(at, to)),
            )
        };
        let is_reported = |found: &&Found| found.fix.is_some() || !renamed(&found.fault.path);
        let faults: Vec<Fault> = found
            .iter()
            .filter(is_reported)
            .map(|found| Fault {
                path: cut(&found.fault.path, PATH),
                message: found.fault.message.clone(),
            })
            .collect();
        let mut repaired = value.clone();
        for fix in found.iter().filter_map(|found| found.fix.as_ref()) {
            fix.apply(&mut repaired);
        }
        let is_repaired =
            self.validator.is_valid(&repaired) && repaired.to_string().len() <= REPAIRED;
        let repaired = is_repaired.then_some(repaired);
        Some(Refused { faults, repaired })
    }

    fn describe(&self, tool: &str, error: &ValidationError<'_>, found: &mut Vec<Found>) {
        let path = error.instance_path().as_str();
        let (subject, value) = (self.subject(path), error.instance());
        let mut add = |path: String, message: String, fix: Option<Fix>| {
            let fault = Fault { path, message };
            if found.iter().all(|other| other.fault != fault) {
                found.push(Found { fault, fix });
            }
        };
        let replace = |value: Value| Some(Fix::Replace(path.to_owned(), value));
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                let whole = join(path, property.as_str().unwrap_or_default());
                let message = format!("{} is missing", self.subject(&whole));
                add(whole, message, None);
            }
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let owner = if path.is_empty() { tool } else { &subject };
                let free = self.fields(error.schema_path().as_str(), value);
                let mut lost = Vec::new();
                for name in unexpected.iter().take(LOOKED_AT) {
                    let shown = cut(&Value::from(name.as_str()).to_string(), SHOWN);
                    match nearest_word(name, free.iter().map(String::as_str)) {
                        Some(near) => {
                            let negated = is_negation(name, near);
                            let fix = match (negated, value.get(name)) {
                                (false, _) => Some(false),
                                (true, Some(Value::Bool(_))) => Some(true),
                                (true, _) => None,
                            };
                            let fix = fix.map(|negate| Fix::Rename {
                                at: path.to_owned(),
                                from: name.clone(),
                                to: near.to_owned(),
                                negate,
                            });
                            let message = match negated {
                                true => "the opposite is",
                                false => "nearest is",
                            };
                            let message = format!("{owner} takes no {shown}, {message} \"{near}\"");
                            add(join(path, name), message, fix);
                        }
                        None => lost.push((join(path, name), shown)),
                    }
                }
                let shown: Vec<&str> = lost.iter().map(|(_, shown)| shown.as_str()).collect();
                if let Some((place, _)) = lost.first() {
                    let only = match free.as_slice() {
                        [] => String::new(),
                        free => format!(", only {}", free.join(", ")),
                    };
                    let mut none = shown.join(", no ");
                    if unexpected.len() > LOOKED_AT {
                        none.push_str(&format!(" and {} more", unexpected.len() - LOOKED_AT));
                    }
                    add(
                        place.clone(),
                        format!("{owner} takes no {none}{only}"),
                        None,
                    );
                }
            }
            ValidationErrorKind::Type { kind } => {
                let wanted = types(kind);
                let fix = respelt(value, &wanted).and_then(replace);
                let message = format!("{subject} is {}, not {}", noun(value), one_of(&wanted));
                add(path.to_owned(), message, fix);
            }
            ValidationErrorKind::Enum { options } => {
                let options = options.as_array().map_or(&[][..], Vec::as_slice);
                let (message, near) = other_words(&subject, value, options);
                add(path.to_owned(), message, near.and_then(replace));
            }
            ValidationErrorKind::Constant { expected_value } => {
                let only = std::slice::from_ref(expected_value.as_ref());
                let (message, near) = other_words(&subject, value, only);
                add(path.to_owned(), message, near.and_then(replace));
            }
            ValidationErrorKind::Minimum { limit } => {
                let message = format!("{subject} is {value}, below {limit}");
                // A negative number may be meant as no limit at all.
                let is_negative = value.as_f64().is_some_and(|value| value < 0.0);
                let fix = replace(limit.clone()).filter(|_| !is_negative);
                add(path.to_owned(), message, fix);
            }
            ValidationErrorKind::Maximum { limit } => {
                let message = format!("{subject} is {value}, above {limit}");
                add(path.to_owned(), message, replace(limit.clone()));
            }
            ValidationErrorKind::AnyOf { context }
            | ValidationErrorKind::OneOfNotValid { context } => {
                self.branches(tool, error, context, found);
            }
            _ => {
                let message = cut(&error.masked_with(&subject).to_string(), SHOWN);
                add(path.to_owned(), message, None);
            }
        }
    }

    /// The error of a value that fits none of several forms.
    fn branches(
        &self,
        tool: &str,
        error: &ValidationError<'_>,
        context: &[Vec<ValidationError<'static>>],
        found: &mut Vec<Found>,
    ) {
        let path = error.instance_path().as_str();
        let (subject, value) = (self.subject(path), error.instance());
        let here = |error: &ValidationError<'_>| error.instance_path().as_str() == path;
        let of_type = |error: &ValidationError<'_>| here(error) && is_of_other_type(error);
        let left: Vec<&Vec<ValidationError<'static>>> = context
            .iter()
            .filter(|errors| !errors.iter().any(of_type))
            .collect();
        let words: Vec<Value> = left
            .iter()
            .flat_map(|errors| errors.iter())
            .filter(|error| here(error))
            .flat_map(words)
            .collect();
        let kinds = context
            .iter()
            .flatten()
            .filter_map(|error| match error.kind() {
                ValidationErrorKind::Type { kind } if here(error) => Some(types(kind)),
                _ => None,
            });
        let mut wanted: Vec<String> = kinds.flatten().collect();
        wanted.dedup();
        let spelled = respelt(value, &wanted);
        if let ([only], None) = (left.as_slice(), &spelled) {
            for error in only.iter() {
                self.describe(tool, error, found);
            }
            return;
        }
        let (message, near) = if left.is_empty() || spelled.is_some() {
            (
                format!("{subject} is {}, not {}", noun(value), one_of(&wanted)),
                spelled,
            )
        } else if !words.is_empty() {
            other_words(&subject, value, &words)
        } else {
            let shown = cut(&value.to_string(), SHOWN);
            (
                format!("{subject} fits none of {} forms: {shown}", left.len()),
                None,
            )
        };
        let fault = Fault {
            path: path.to_owned(),
            message,
        };
        let fix = near.map(|near| Fix::Replace(path.to_owned(), near));
        found.push(Found { fault, fix });
    }

    /// The value at a pointer, as named in sentences: `"items/0/name"`.
    fn subject(&self, path: &str) -> String {
        match path.strip_prefix('/') {
            None => self.whole.to_owned(),
            Some(path) => format!("\"{}\"", cut(path, PATH)),
        }
    }

    /// The unused fields of an object, according to the schema that rejected another field.
    fn fields(&self, keyword: &str, object: &Value) -> Vec<String> {
        let schema = keyword.rsplit_once('/').map_or("", |(schema, _)| schema);
        let schema = self.schema.pointer(schema);
        let own = schema.and_then(|schema| schema["properties"].as_object());
        let names = own.into_iter().flat_map(Map::keys);
        let free = names.filter(|name| object.get(name.as_str()).is_none());
        free.cloned().collect()
    }
}

impl Fix {
    fn apply(&self, value: &mut Value) {
        match self {
            Self::Rename {
                at,
                from,
                to,
                negate,
            } => {
                if let Some(Value::Object(object)) = value.pointer_mut(at)
                    && !object.contains_key(to)
                {
                    // Renamed in place, so that the other fields keep their order.
                    *object = std::mem::take(object)
                        .into_iter()
                        .map(|(key, value)| match (key == *from, value) {
                            (true, Value::Bool(value)) => (to.clone(), (value != *negate).into()),
                            (true, value) => (to.clone(), value),
                            (false, value) => (key, value),
                        })
                        .collect();
                }
            }
            Self::Replace(at, with) => {
                if let Some(place) = value.pointer_mut(at) {
                    *place = with.clone();
                }
            }
        }
    }
}

/// Whether the value would have to be of another type.
fn is_of_other_type(error: &ValidationError<'_>) -> bool {
    let value = error.instance();
    match error.kind() {
        ValidationErrorKind::Type { .. } => true,
        ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. } => {
            words(error).iter().all(|word| noun(word) != noun(value))
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let mut branches = context.iter();
            branches.all(|errors| errors.iter().any(is_of_other_type))
        }
        _ => false,
    }
}

/// The words that a branch of several accepts.
fn words(error: &ValidationError<'_>) -> Vec<Value> {
    match error.kind() {
        ValidationErrorKind::Constant { expected_value } => vec![expected_value.as_ref().clone()],
        ValidationErrorKind::Enum { options } => options.as_array().cloned().unwrap_or_default(),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().flatten().flat_map(words).collect()
        }
        _ => Vec::new(),
    }
}

/// The error of a word that is not one of those allowed, and the nearest allowed one.
fn other_words(subject: &str, value: &Value, options: &[Value]) -> (String, Option<Value>) {
    let shown = cut(&value.to_string(), SHOWN);
    let known: Vec<String> = options
        .iter()
        .map(|option| cut(&option.to_string(), SHOWN))
        .collect();
    let texts = options.iter().filter_map(Value::as_str);
    let near = value.as_str().and_then(|text| nearest_word(text, texts));
    let wanted = match known.as_slice() {
        [only] => only.clone(),
        _ => format!("one of {}", known.join(", ")),
    };
    let more = near.map_or_else(String::new, |near| format!(", nearest is \"{near}\""));
    (
        format!("{subject} is {shown}, not {wanted}{more}"),
        near.map(Value::from),
    )
}

/// Whether one of two names is the other with a prefix that turns its meaning round:
/// `case_insensitive`, `case_sensitive`.
fn is_negation(one: &str, other: &str) -> bool {
    const PREFIXES: [&str; 10] = [
        "no_", "not_", "non_", "dont_", "no", "not", "non", "in", "un", "dis",
    ];
    let (long, short) = match one.len() > other.len() {
        true => (one, other),
        false => (other, one),
    };
    let starts = long.match_indices('_').map(|(at, _)| at + 1);
    let mut splits = [0].into_iter().chain(starts).map(|at| long.split_at(at));
    splits.any(|(head, tail)| {
        let rest = |prefix| Some((short.strip_prefix(head)?, tail.strip_prefix(prefix)?));
        let mut rests = PREFIXES.into_iter().filter_map(rest);
        rests.any(|(short, long)| short == long)
    })
}

/// A text that spells a value of another type, as that value; or the reverse.
fn respelt(value: &Value, wanted: &[String]) -> Option<Value> {
    if (value.is_number() || value.is_boolean()) && wanted.iter().any(|name| name == "string") {
        return Some(Value::String(value.to_string()));
    }
    let read: Value = serde_json::from_str(value.as_str()?.trim()).ok()?;
    let is = |name: &str| match name {
        "boolean" => read.is_boolean(),
        "integer" => read.is_i64() || read.is_u64(),
        "number" => read.is_number(),
        "array" => read.is_array(),
        "object" => read.is_object(),
        _ => false,
    };
    wanted.iter().any(|name| is(name)).then_some(read)
}

fn types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(only) => vec![only.to_string()],
        TypeKind::Multiple(several) => several.iter().map(|one| one.to_string()).collect(),
    }
}

/// `a string or null`.
fn one_of(types: &[String]) -> String {
    let named = types.iter().map(|name| match name.as_str() {
        "null" => "null".to_owned(),
        name if name.starts_with(['a', 'e', 'i', 'o']) => format!("an {name}"),
        name => format!("a {name}"),
    });
    named.collect::<Vec<_>>().join(" or ")
}

/// The common name of a value's type.
pub(crate) fn noun(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The pointer to a field.
pub(super) fn join(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The beginning of a text with more than so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}
