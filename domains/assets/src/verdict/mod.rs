//! What is wrong with an asset, in words of our own: they do not move when the validator's do.

mod alternatives;
mod message;
mod place;
mod suggest;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use crate::json::{Json, Tape, escaped};
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

/// Whether a text is a valid asset by a schema, in the shortest way. What is no JSON is not, nor what has a key twice or
/// is held against a schema that does not compile: [`judge`] tells more.
#[must_use]
pub fn passes(schema: &Schema, text: &str) -> bool {
    let tape = Tape::read(text, &|key| set_aside(schema, key));
    match (&schema.validator, tape) {
        (Ok(validator), Ok(Some(tape))) => validator.is_valid(tape.root()),
        _ => false,
    }
}

/// Judges a value by a schema. Before that the marker that names its schema is set aside, at the top.
///
/// # Errors
/// Why the schema judges nothing: it does not compile.
pub fn judge(library: &Library, schema: &Schema, asset: &Json<'_>) -> Result<Verdict, String> {
    let validator = schema.validator.as_ref().map_err(Clone::clone)?;
    let tape = Tape::of(asset, &|key| set_aside(schema, key));
    if validator.is_valid(tape.root()) {
        return Ok(Verdict::default());
    }
    let mut search = Search {
        library,
        asset,
        findings: Vec::new(),
    };
    for error in validator.iter_errors(tape.root()) {
        search.find(&error);
    }
    let mut findings = search.findings;
    findings.sort();
    findings.dedup_by(|one, other| (&one.path, &one.msg) == (&other.path, &other.msg));
    let total = findings.len();
    findings.truncate(FINDINGS);
    Ok(Verdict { findings, total })
}

/// Whether a member at the top of an asset is the marker that names its schema, and not for the schema to judge.
fn set_aside(schema: &Schema, key: &str) -> bool {
    let declared = || schema.tree.get("properties")?.get("$schema");
    key == "$schemaRef" || key == "$schema" && declared().is_none()
}

/// What was found so far.
struct Search<'s> {
    library: &'s Library,
    asset: &'s Json<'s>,
    findings: Vec<Finding>,
}

impl<'s> Search<'s> {
    /// Tells an error of the validator. Recursion is bounded by the depth of alternatives in alternatives.
    fn find(&mut self, error: &ValidationError<'_>) {
        let path = error.instance_path().as_str();
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                self.alternatives(error, context);
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => {
                self.unexpected(path, unexpected, error);
            }
            _ => {
                let told = message::told(error, self.got(path), self.library);
                self.add(path.to_owned(), told, error);
            }
        }
    }

    fn unexpected(&mut self, above: &str, names: &[String], error: &ValidationError<'_>) {
        let there = self.got(above);
        let mut absent = Place::of(self.library, error).map_or_else(Vec::new, |it| it.declared());
        absent.retain(|key| there.is_none_or(|there| there.get(key).is_none()));
        let mut paths: Vec<(String, &String)> = names
            .iter()
            .map(|name| (format!("{above}/{}", escaped(name)), name))
            .collect();
        paths.sort_unstable();
        for (at, (path, name)) in paths.into_iter().enumerate() {
            // Those behind are not shown, so nothing is looked for that was meant by them.
            let shown = at < FINDINGS;
            let told = message::Told {
                msg: format!("unexpected property {}", message::quoted(name)),
                suggest: shown
                    .then(|| nearest(name, absent.iter().copied()))
                    .flatten(),
                ..message::Told::default()
            };
            self.add(path, told, error);
        }
    }

    /// What stands at a place of the asset.
    fn got(&self, path: &str) -> Option<&'s Json<'s>> {
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
            msg.push_str(&meant(suggest));
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

/// The question behind a sentence: `; did you mean "name"?`
#[must_use]
pub fn meant(suggest: &str) -> String {
    format!("; did you mean {}?", message::quoted(suggest))
}
