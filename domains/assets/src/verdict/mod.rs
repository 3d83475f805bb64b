//! What is wrong with an asset, in words of our own: they do not move when the validator's do.

mod alternatives;
mod message;
mod place;
mod suggest;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use crate::json::{Json, escaped};
use crate::library::{Library, Schema};
use place::Place;

pub use suggest::nearest;

/// The most findings that are told.
pub const FINDINGS: usize = 1_000;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Where, as a JSON pointer; the whole is empty.
    pub path: String,
    /// What.
    pub msg: String,
    /// More, for those who ask.
    pub detail: Detail,
}

/// More of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Detail {
    /// The keyword that is not kept.
    pub keyword: String,
    /// Where in its schema.
    pub schema_path: String,
    /// What would do.
    pub expected: Option<String>,
    /// What is there.
    pub got: Option<String>,
    /// What was probably meant.
    pub suggest: Option<String>,
    /// What each alternative finds, where none matches.
    pub branches: Vec<Vec<(String, String)>>,
}

/// What is wrong with an asset, sorted by path and message, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// At most [`FINDINGS`] of them.
    pub findings: Vec<Finding>,
    /// How many there are.
    pub total: usize,
}

/// Judges a value by a schema. Before that the marker that names its schema is set aside, at the top.
///
/// # Errors
/// Why the schema judges nothing: it does not compile.
pub fn judge(library: &Library, schema: &Schema, asset: &Json<'_>) -> Result<Verdict, String> {
    let validator = schema.validator.as_ref().map_err(Clone::clone)?;
    let asset = without_marker(schema, asset);
    let value = asset.to_value();
    if validator.is_valid(&value) {
        return Ok(Verdict::default());
    }
    let mut search = Search {
        library,
        asset: &asset,
        findings: Vec::new(),
    };
    for error in validator.iter_errors(&value) {
        search.find(&error);
    }
    let mut findings = search.findings;
    findings.sort();
    findings.dedup_by(|one, other| (&one.path, &one.msg) == (&other.path, &other.msg));
    let total = findings.len();
    findings.truncate(FINDINGS);
    Ok(Verdict { findings, total })
}

/// The asset without the marker that names its schema, and without `$schema` where the schema has no such property.
fn without_marker<'s>(schema: &Schema, asset: &Json<'s>) -> Json<'s> {
    let mut asset = asset.clone();
    if let Json::Object(members) = &mut asset {
        members.shift_remove("$schemaRef");
        let declared = crate::json::read(&schema.text).is_ok_and(|schema| {
            let properties = schema.get("properties");
            properties.is_some_and(|properties| properties.get("$schema").is_some())
        });
        if !declared {
            members.shift_remove("$schema");
        }
    }
    asset
}

/// What was found so far.
struct Search<'s> {
    library: &'s Library,
    asset: &'s Json<'s>,
    findings: Vec<Finding>,
}

impl Search<'_> {
    /// Tells an error of the validator. Recursion is bounded by the depth of alternatives in alternatives.
    fn find(&mut self, error: &ValidationError<'_>) {
        let place = Place::of(self.library, error);
        let path = error.instance_path().as_str();
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                self.alternatives(error, &place, context);
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => {
                for name in unexpected {
                    self.unexpected(path, name, error, &place);
                }
            }
            kind => {
                let told = message::told(kind, self.got(path), &place);
                self.add(path.to_owned(), told, error);
            }
        }
    }

    fn unexpected(&mut self, path: &str, name: &str, error: &ValidationError<'_>, place: &Place) {
        let there = self.got(path);
        let declared = place.declared();
        let absent = declared.iter().map(String::as_str);
        let absent = absent.filter(|key| there.is_none_or(|there| there.get(key).is_none()));
        let suggest = nearest(name, absent);
        let told = message::Told {
            msg: format!(
                "unexpected property {}",
                message::shown(&Json::String(name.into()))
            ),
            suggest,
            ..message::Told::default()
        };
        self.add(format!("{path}/{}", escaped(name)), told, error);
    }

    /// What stands at a place of the asset.
    fn got(&self, path: &str) -> Option<&Json<'_>> {
        let pointer = crate::json::Pointer::read(path)?;
        self.asset.at(pointer.keys())
    }

    fn add(&mut self, path: String, told: message::Told, error: &ValidationError<'_>) {
        let message::Told {
            mut msg,
            expected,
            got,
            suggest,
            branches,
        } = told;
        if let Some(suggest) = &suggest {
            msg.push_str(&format!("; did you mean \"{suggest}\"?"));
        }
        let detail = Detail {
            keyword: error.kind().keyword().to_owned(),
            schema_path: error.schema_path().as_str().to_owned(),
            expected,
            got,
            suggest,
            branches,
        };
        self.findings.push(Finding { path, msg, detail });
    }
}
