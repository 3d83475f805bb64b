//! Values that an op gives under two keys: `x:1 y:2` for `at:1,2`.

use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::op::{Param as Written, ParsedOp, spell_param};

use super::{Param, Verb};

/// Two keys whose values together are a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The keys.
    pub keys: [&'static str; 2],
    /// The text between their values.
    pub between: &'static str,
}

impl Pair {
    /// Reads `{x},{y}`.
    fn of(alias: &'static str) -> Option<Self> {
        let (first, rest) = alias.strip_prefix('{')?.split_once('}')?;
        let (between, second) = rest.strip_suffix('}')?.split_once('{')?;
        Some(Self {
            keys: [first, second],
            between,
        })
    }
}

/// Whether an alias is two keys, and no key itself.
pub(super) fn is_pair(alias: &str) -> bool {
    alias.starts_with('{')
}

impl Param {
    /// The pairs of keys that give its value.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.aliases.iter().filter_map(|alias| Pair::of(alias))
    }
}

impl<M: Domain> Verb<M> {
    /// The op with each pair of keys written as the parameter that they give, or `None` if it has none.
    ///
    /// # Errors
    /// One key of a pair is missing, or the parameter is given another value as well.
    pub(crate) fn without_pairs(&self, op: &ParsedOp<'_>) -> Result<Option<String>> {
        let own = |key: &str| self.params.iter().any(|param| param.answers_to(key));
        let mut edits: Vec<(crate::diag::Span, String)> = Vec::new();
        for param in self.params {
            for pair in param.pairs() {
                let find = |key: &str| op.params().find(|written| written.key == key);
                let [first, second] = pair.keys.map(|key| find(key).filter(|_| !own(key)));
                let (first, second) = match (first, second) {
                    (None, None) => continue,
                    (Some(first), Some(second)) => (first, second),
                    (one, two) => {
                        let [have, lacks] = match one.or(two) {
                            Some(given) if given.key == pair.keys[0] => pair.keys,
                            _ => [pair.keys[1], pair.keys[0]],
                        };
                        return Err(self.half(op, param, have, lacks));
                    }
                };
                let value = [&first.value, pair.between, &second.value].concat();
                let given = op.params().find(|written| param.answers_to(&written.key));
                match given {
                    Some(given) if given.value != value => {
                        let [x, y] = pair.keys;
                        return Err(Diagnostic::new(format!(
                            "{}: and {x}: {y}: set the same; give one",
                            given.key
                        ))
                        .at(first.span)
                        .or_syntax(self.syntax()));
                    }
                    Some(_) => edits.push((first.span, String::new())),
                    None => edits.push((first.span, spell_param(param.name, &value))),
                }
                edits.push((second.span, String::new()));
            }
        }
        if edits.is_empty() {
            return Ok(None);
        }
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut text = op.raw.to_owned();
        for (span, by) in edits {
            // A word that goes takes the blank before it along.
            let start = match by.is_empty() {
                true => text
                    .get(..span.start)
                    .map_or(span.start, |before| before.trim_end().len()),
                false => span.start,
            };
            text.replace_range(start..span.end, &by);
        }
        Ok(Some(text))
    }

    /// The error that only one key of a pair is given.
    fn half(&self, op: &ParsedOp<'_>, param: &Param, have: &str, lacks: &str) -> Diagnostic {
        let whole = op
            .params()
            .any(|written: &Written<'_>| param.answers_to(&written.key));
        let message = match whole {
            true => format!("{}: and {have}: set the same; give one", param.name),
            false => format!("{have}: needs {lacks}: with it"),
        };
        Diagnostic::new(message).or_syntax(self.syntax())
    }
}
