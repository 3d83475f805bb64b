//! Patterns for names.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};
use fcp::work;

/// The characters that are compared in the time of a step.
const CHARACTERS_A_STEP: usize = 16;

/// The characters that are compared between two counts.
const BETWEEN_COUNTS: usize = 4096;

/// A pattern for names: `*` matches any text and `?` any character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(Box<str>);

impl Glob {
    /// The pattern.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it can match more than one name.
    #[must_use]
    pub fn is_pattern(&self) -> bool {
        self.0.contains(['*', '?'])
    }

    /// Whether it matches a name. Backtracks at most to the last `*`, so that it is fast.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.chars().collect();
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut seen) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        let mut steps = pattern.len();
        while seen < name.len() {
            steps += 1;
            if steps >= BETWEEN_COUNTS {
                // The call fails at its next check.
                if work::spend(steps / CHARACTERS_A_STEP).is_err() {
                    return false;
                }
                steps = 0;
            }
            match pattern.get(at) {
                Some('*') => {
                    star = Some((at, seen));
                    at += 1;
                }
                Some(c) if *c == '?' || name.get(seen) == Some(c) => {
                    at += 1;
                    seen += 1;
                }
                _ => match &mut star {
                    Some((place, from)) => {
                        *from += 1;
                        at = *place + 1;
                        seen = *from;
                    }
                    None => return false,
                },
            }
        }
        let _ = work::spend(steps / CHARACTERS_A_STEP);
        pattern
            .get(at..)
            .unwrap_or_default()
            .iter()
            .all(|c| *c == '*')
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FcpValue for Glob {
    const SPEC: ValueSpec = ValueSpec {
        free: true,
        ..ValueSpec::new("GLOB", "an id; * is any text, ? any character")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.is_empty() {
            return Err(ValueError::sentence("an id cannot be empty"));
        }
        Ok(Self(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_match_names() {
        for (pattern, yes, no) in [
            ("q*", &["q", "q1", "q1-2"][..], &["aq", ""][..]),
            ("q?", &["q1", "q-"], &["q", "q12"]),
            ("*-1", &["a-1", "-1", "a-1-1"], &["a-12"]),
            ("a*b*c", &["abc", "aXbYc", "abbc"], &["acb", "ab"]),
            ("dot", &["dot"], &["dots", "do"]),
        ] {
            let glob = Glob::parse(pattern).unwrap();
            for name in yes {
                assert!(glob.matches(name), "{pattern} {name}");
            }
            for name in no {
                assert!(!glob.matches(name), "{pattern} {name}");
            }
        }
    }
}
