//! Errors for values that match no alternative: their cause, if there is a single one.

use fcp::work;
use indexmap::IndexSet;
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::message::{self, Description};
use super::{Found, Search};
use crate::json::Json;

/// An accepted value: as shown, and its text if it is a string.
type Choice = (String, Option<String>);

/// The errors of one alternative.
pub(super) type Branch = Vec<ValidationError<'static>>;

/// The maximum number of errors shown for an alternative.
const ERRORS: usize = 5;

impl Search<'_> {
    /// Excludes alternatives of another type than the value's. Reports the errors of the only one
    /// left; if none is left, the types; if all of them list values, those values. Paths in errors
    /// of alternatives are relative to `above`.
    pub(super) fn alternatives(&mut self, found: Found<'_>, branches: &[Branch], above: &str) {
        let (whole, error) = (found.path(), found.error);
        let path = whole.strip_prefix(above).unwrap_or_default();
        let left: Vec<&Branch> = branches
            .iter()
            .filter(|branch| !branch.iter().any(|error| types_here(error, path).is_some()))
            .collect();
        if let [only] = left.as_slice() {
            for error in *only {
                self.find(Found { error, above });
            }
            return;
        }
        let description: Description = if left.is_empty() {
            let types = branches
                .iter()
                .flatten()
                .filter_map(|error| types_here(error, path));
            let mut types: Vec<&str> = types.flatten().collect();
            types.sort_unstable();
            types.dedup();
            message::typed(&types, self.got(&whole))
        } else if left.iter().all(|branch| named(branch, path)) {
            let errors = left.iter().copied().flatten();
            let distinct: IndexSet<Choice> = errors.flat_map(|error| self.options(error)).collect();
            let distinct: Vec<Choice> = distinct.into_iter().collect();
            let show = |(shown, _): &Choice| shown.clone();
            let got = self.got(&whole);
            message::one_of(
                &distinct,
                show,
                |(_, text)| text.as_deref(),
                got,
                self.suggestions,
            )
        } else {
            let mut description = message::none_of(branches.len());
            if !self.brief {
                let brief = |branch| self.briefly(branch, above);
                description.branches = branches.iter().map(brief).collect();
            }
            description
        };
        self.add(whole, description, error);
    }

    /// The values that would avoid an error.
    fn options(&self, error: &ValidationError<'static>) -> Vec<Choice> {
        let spelling = self.place(error).and_then(|place| place.keyword_value());
        let spelled = |json: &Json<'_>| (message::shown(json), json.as_str().map(str::to_owned));
        let known = |value: &Value| (value.to_string(), value.as_str().map(str::to_owned));
        match (error.kind(), spelling) {
            (Kind::Constant { .. }, Some(json)) => vec![spelled(json)],
            (Kind::Constant { expected_value }, None) => vec![known(expected_value)],
            // Without steps the call fails, whatever its answer.
            (Kind::Enum { options }, _)
                if work::spend(options.as_array().map_or(0, Vec::len)).is_err() =>
            {
                Vec::new()
            }
            (Kind::Enum { .. }, Some(Json::Array(items))) => items.iter().map(spelled).collect(),
            (Kind::Enum { options }, _) => options
                .as_array()
                .into_iter()
                .flatten()
                .map(known)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The first errors of an alternative: place and message.
    fn briefly(&self, branch: &Branch, above: &str) -> Vec<(String, String)> {
        let mut search = Search {
            brief: true,
            findings: Vec::new(),
            ..*self
        };
        for error in branch {
            search.find(Found { error, above });
        }
        search.findings.sort();
        let findings = search.findings.into_iter().take(ERRORS);
        findings
            .map(|finding| (finding.path, finding.msg))
            .collect()
    }
}

/// The types that an error demands at a path.
fn types_here(error: &ValidationError<'_>, path: &str) -> Option<Vec<&'static str>> {
    match error.kind() {
        Kind::Type { kind } if error.instance_path().as_str() == path => Some(message::types(kind)),
        _ => None,
    }
}

/// Whether the only errors of an alternative are about the value at a path.
fn named(branch: &Branch, path: &str) -> bool {
    branch.iter().all(|error| {
        let names = matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. });
        names && error.instance_path().as_str() == path
    })
}
