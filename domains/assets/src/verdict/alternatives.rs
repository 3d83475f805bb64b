//! What is told where no alternative matches: its cause, if it has one.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use super::Search;
use super::message::{self, Told};
use super::place::Place;

/// The errors of one alternative.
type Branch = Vec<ValidationError<'static>>;

/// The most errors that are told of an alternative.
const ERRORS: usize = 5;

impl Search<'_> {
    /// Alternatives of another type than the value's are out of the question. If one is left, its errors are told
    /// instead; if none is, which types there are; if all name values, which.
    pub(super) fn alternatives(&mut self, error: &ValidationError<'_>, branches: &[Branch]) {
        let path = error.instance_path().as_str();
        let left: Vec<&Branch> = branches
            .iter()
            .filter(|branch| !branch.iter().any(|error| types_here(error, path).is_some()))
            .collect();
        if let [only] = left.as_slice() {
            for error in *only {
                self.find(error);
            }
            return;
        }
        let told = if left.is_empty() {
            let types = branches
                .iter()
                .flatten()
                .filter_map(|error| types_here(error, path));
            let mut types: Vec<&str> = types.flatten().collect();
            types.sort_unstable();
            types.dedup();
            message::typed(&types, self.got(path))
        } else if left.iter().all(|branch| named(branch, path)) {
            let options = left
                .iter()
                .copied()
                .flatten()
                .flat_map(|error| self.options(error));
            let mut distinct: Vec<message::Choice> = Vec::new();
            for option in options {
                if !distinct.contains(&option) {
                    distinct.push(option);
                }
            }
            message::one_of(&distinct, self.got(path))
        } else {
            Told {
                msg: format!("matches none of {} alternatives", branches.len()),
                branches: branches.iter().map(|branch| self.briefly(branch)).collect(),
                ..Told::default()
            }
        };
        self.add(path.to_owned(), told, error);
    }

    /// The values that an error would take.
    fn options(&self, error: &ValidationError<'static>) -> Vec<message::Choice> {
        let said = Place::of(self.library, error).and_then(|place| place.said());
        match error.kind() {
            Kind::Constant { expected_value } => {
                vec![said.map_or_else(|| message::known(expected_value), message::choice)]
            }
            Kind::Enum { options } => message::choices(options, said),
            _ => Vec::new(),
        }
    }

    /// The first errors of an alternative: where, and what.
    fn briefly(&self, branch: &Branch) -> Vec<(String, String)> {
        let mut search = Search {
            library: self.library,
            asset: self.asset,
            findings: Vec::new(),
        };
        for error in branch {
            search.find(error);
        }
        search.findings.sort();
        let findings = search.findings.into_iter().take(ERRORS);
        findings
            .map(|finding| (finding.path, finding.msg))
            .collect()
    }
}

/// The types that an error asks for at a place.
fn types_here(error: &ValidationError<'_>, path: &str) -> Option<Vec<&'static str>> {
    match error.kind() {
        Kind::Type { kind } if error.instance_path().as_str() == path => Some(message::types(kind)),
        _ => None,
    }
}

/// Whether all that is wrong by an alternative is that another value is wanted at a place.
fn named(branch: &Branch, path: &str) -> bool {
    branch.iter().all(|error| {
        let names = matches!(error.kind(), Kind::Constant { .. } | Kind::Enum { .. });
        names && error.instance_path().as_str() == path
    })
}
