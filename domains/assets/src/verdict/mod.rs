//! Errors of assets, in our own words, which do not change with the validator's.
//! Nothing here reads a file, or knows a tool.

mod alternatives;
pub mod judged;
mod lazy_alternatives;
mod message;
mod place;
mod suggest;

use fcp::work;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use crate::json::{Ended, Json, Tape, escaped, within};
use crate::library::{Library, Schema};
use lazy_alternatives::{Opening, alternatives, restored};
use place::Place;
use suggest::Suggestions;

pub use suggest::nearest;

/// The maximum number of findings reported.
pub const FINDINGS: usize = 1_000;

/// The steps that describing an error takes.
const STEPS_AN_ERROR: usize = 32;

/// An error of an asset.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The place, as a JSON pointer; empty for the whole asset.
    pub path: String,
    /// The message.
    pub msg: String,
    /// Details, shown on request.
    pub detail: Detail,
}

/// Details of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Detail {
    /// The keyword that failed.
    pub keyword: String,
    /// The place of the keyword in its schema.
    pub schema_path: String,
    /// The expected value.
    pub expected: Option<String>,
    /// The actual value.
    pub got: Option<String>,
    /// The suggested value.
    pub suggest: Option<String>,
    /// The errors of each alternative, if none matches.
    pub branches: Vec<Vec<(String, String)>>,
}

/// The errors of an asset, sorted by path and message, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// At most [`FINDINGS`] of them.
    pub findings: Vec<Finding>,
    /// Number of all findings.
    pub total: usize,
    /// Number of steps taken.
    pub steps: usize,
}

/// The maximum number of steps for an asset: a look at a value is one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// To decide whether it is valid.
    pub judging: usize,
    /// To find all errors.
    pub finding: usize,
    /// To find at least one error, if those for all do not suffice.
    pub opening: usize,
    /// For each value of the asset, in addition.
    pub per_value: usize,
}

impl Limits {
    /// The limits of the tools.
    pub const USUAL: Self = Self {
        judging: 100_000_000,
        finding: 1_000_000,
        opening: 1_000_000,
        per_value: 16,
    };

    /// The steps allowed in an asset.
    fn allowed(self, steps: usize, tape: &Tape<'_>) -> usize {
        steps.saturating_add(tape.count().saturating_mul(self.per_value))
    }
}

/// Reason why an asset cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// The schema does not compile.
    Schema(String),
    /// Deciding whether it is valid takes more than this many steps.
    Steps(usize),
    /// Its schemas refer to each other too deeply.
    Depth,
}

impl Unjudged {
    const fn of(ended: Ended, most: usize) -> Self {
        match ended {
            Ended::Looks => Self::Steps(most),
            Ended::Depth => Self::Depth,
        }
    }
}

/// Whether a text is a valid asset, by the fastest check. False if it is not JSON, has equal keys
/// in an object, or the schema does not compile: [`judge`] gives the reason.
///
/// # Errors
/// Deciding takes too many steps.
pub fn passes(schema: &Schema, text: &str) -> Result<bool, Unjudged> {
    let tape = Tape::read(text, &|key| set_aside(schema, key));
    match (&schema.validator, tape) {
        (Ok(validator), Ok(Some(tape))) => {
            let most = Limits::USUAL.allowed(Limits::USUAL.judging, &tape);
            let (valid, _) = within(most, schema.costs, || validator.is_valid(tape.root()));
            valid.map_err(|ended| Unjudged::of(ended, most))
        }
        _ => Ok(false),
    }
}

/// Judges a value by a schema, without the top-level marker that names its schema.
///
/// # Errors
/// The schema does not compile, or judging this value takes too many steps.
pub fn judge(
    library: &Library,
    schema: &Schema,
    asset: &Json<'_>,
    limits: Limits,
) -> Result<Verdict, Unjudged> {
    let validator = schema.validator.as_ref();
    let validator = validator.map_err(|why| Unjudged::Schema(why.clone()))?;
    let tape = Tape::of(asset, &|key| set_aside(schema, key));
    let judging = limits.allowed(limits.judging, &tape);
    let (valid, mut steps) = within(judging, schema.costs, || validator.is_valid(tape.root()));
    if valid.map_err(|ended| Unjudged::of(ended, judging))? {
        return Ok(Verdict {
            steps,
            ..Verdict::default()
        });
    }
    let finding = limits.allowed(limits.finding, &tape);
    let (errors, taken) = within(finding, schema.costs, || {
        validator.iter_errors(tape.root()).collect::<Vec<_>>()
    });
    steps += taken;
    let opening;
    let suggestions = Suggestions::default();
    let mut search = Search {
        library,
        asset,
        opening: None,
        suggestions: &suggestions,
        brief: false,
        findings: Vec::new(),
    };
    if let Ok(errors) = errors {
        // Without steps the call fails, whatever its answer.
        for error in errors
            .iter()
            .take_while(|_| work::spend(STEPS_AN_ERROR).is_ok())
        {
            search.find(Found::of(error));
        }
    } else {
        let allowed = limits.allowed(limits.opening, &tape);
        opening = Opening::new(library, schema, &tape, allowed);
        search.opening = Some(&opening);
        for error in &opening.errors(&schema.base, "").unwrap_or_default() {
            search.find(Found::of(error));
        }
        steps += opening.taken();
    }
    suggestions.count();
    let mut findings = search.findings;
    if findings.is_empty() {
        findings.push(Finding {
            msg: format!("is not valid; to find out why takes more than {finding} steps"),
            ..Finding::default()
        });
    }
    findings.sort();
    findings.dedup_by(|one, other| (&one.path, &one.msg) == (&other.path, &other.msg));
    let total = findings.len();
    findings.truncate(FINDINGS);
    Ok(Verdict {
        findings,
        total,
        steps,
    })
}

/// Whether a top-level member of an asset is the marker of its schema, which is not to be judged.
fn set_aside(schema: &Schema, key: &str) -> bool {
    let declared = || schema.tree().get("properties")?.get("$schema");
    key == "$schemaRef" || key == "$schema" && declared().is_none()
}

/// The findings so far, and the context of the search.
struct Search<'s> {
    library: &'s Library,
    asset: &'s Json<'s>,
    /// Opens alternatives if the validator reports no errors for them.
    opening: Option<&'s Opening<'s>>,
    suggestions: &'s Suggestions,
    /// Whether the errors of alternatives are omitted, so that the search skips them.
    brief: bool,
    findings: Vec<Finding>,
}

/// An error of the validator, and the path of the judged value.
#[derive(Clone, Copy)]
struct Found<'e> {
    error: &'e ValidationError<'e>,
    above: &'e str,
}

impl<'e> Found<'e> {
    const fn of(error: &'e ValidationError<'e>) -> Self {
        Self { error, above: "" }
    }

    fn path(self) -> String {
        format!("{}{}", self.above, self.error.instance_path().as_str())
    }
}

impl<'s> Search<'s> {
    /// Adds the findings of a validator's error. Recursion is bounded by the depth of alternatives.
    fn find(&mut self, found: Found<'_>) {
        let Found { error, above } = found;
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                self.alternatives(found, context, above);
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => self.unexpected(unexpected, found),
            Kind::Not { .. } if self.opening.is_some() => self.open(found),
            _ => {
                let path = found.path();
                let description = self.describe(error, &path);
                self.add(path, description, error);
            }
        }
    }

    /// Finds the errors of the alternatives of an error.
    fn open(&mut self, found: Found<'_>) {
        let (path, error) = (found.path(), found.error);
        let Some(opening) = self.opening else { return };
        let Some((_, count)) = alternatives(error) else {
            let description = self.describe(error, &path);
            return self.add(path, description, error);
        };
        match opening.branches(error, &path) {
            None => self.add(path, message::none_of(count), error),
            Some(branches) => match branches.iter().filter(|branch| branch.is_empty()).count() {
                0 => opening.deeper(|| self.alternatives(found, &branches, &path)),
                hits => self.add(path, message::several_of(hits, count), error),
            },
        }
    }

    fn unexpected(&mut self, names: &[String], found: Found<'_>) {
        let (above, error) = (found.path(), found.error);
        let there = self.got(&above);
        let mut absent = self
            .place(error)
            .map_or_else(Vec::new, |place| place.declared());
        absent.retain(|key| there.is_none_or(|there| there.get(key).is_none()));
        let mut paths: Vec<(String, &String)> = names
            .iter()
            .map(|name| (format!("{above}/{}", escaped(name)), name))
            .collect();
        paths.sort_unstable();
        for (at, (path, name)) in paths.into_iter().enumerate() {
            // Later ones are not shown, so they need no suggestion.
            let shown = at < FINDINGS;
            let description = message::Description {
                msg: format!("unexpected property {}", message::quoted(name)),
                suggest: shown
                    .then(|| self.suggestions.nearest(name, absent.iter().copied()))
                    .flatten(),
                ..message::Description::default()
            };
            self.add(path, description, error);
        }
    }

    /// The message of an error at a path.
    fn describe(&self, error: &ValidationError<'_>, path: &str) -> message::Description {
        message::describe(error, self.got(path), self.suggestions, || {
            self.place(error)
        })
    }

    /// The place of an error's keyword in its schema.
    fn place(&self, error: &ValidationError<'_>) -> Option<Place<'s>> {
        Place::of(self.library, error, |pointer| self.spelled(pointer))
    }

    /// A pointer of the validator, as a pointer into the schema.
    fn spelled(&self, pointer: &str) -> String {
        match self.opening {
            Some(_) => restored(pointer),
            None => pointer.to_owned(),
        }
    }

    /// The value at a place of the asset.
    fn got(&self, path: &str) -> Option<&'s Json<'s>> {
        let pointer = crate::json::Pointer::read(path)?;
        self.asset.at(pointer.keys())
    }

    fn add(
        &mut self,
        path: String,
        description: message::Description,
        error: &ValidationError<'_>,
    ) {
        let message::Description {
            mut msg,
            expected,
            got,
            suggest,
            branches,
        } = description;
        if let Some(suggest) = &suggest {
            msg.push_str(&meant(suggest));
        }
        let opened = self.opening.and_then(|_| alternatives(error));
        let mut schema_path = self.spelled(error.schema_path().as_str());
        if let (Some((keyword, _)), Some((above, _))) = (opened, schema_path.rsplit_once("/allOf/"))
        {
            schema_path = format!("{above}/{keyword}");
        }
        let keyword = opened.map_or_else(|| error.kind().keyword(), |(keyword, _)| keyword);
        let detail = Detail {
            keyword: keyword.to_owned(),
            schema_path,
            expected,
            got,
            suggest,
            branches,
        };
        self.findings.push(Finding { path, msg, detail });
    }
}

/// The question that ends a message: `; did you mean "name"?`
#[must_use]
pub fn meant(suggest: &str) -> String {
    format!("; did you mean {}?", message::quoted(suggest))
}
