//! Repetitions of animations.

use std::fmt;

use fcp::prelude::*;
use fcp::value::{Decimal, nearest_word};

/// A number of times above 0, or `indefinite`, as spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatCount(Box<str>);

impl fmt::Display for RepeatCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for RepeatCount {
    const SPEC: ValueSpec = ValueSpec::new("TIMES", "3, 2.5, indefinite");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text == "indefinite" {
            return Ok(Self(text.into()));
        }
        match Decimal::parse(text) {
            Ok(times) if times.get() > 0.0 => Ok(Self(text.into())),
            Ok(_) => Err(ValueError::new("is not above 0").fix("1")),
            Err(error) => {
                let endless = ["indefinite", "infinite", "forever", "loop"];
                let word = nearest_word(text, endless).map(|_| "indefinite".to_owned());
                Err(ValueError::new("is not a number of times").maybe_fix(word.or(error.fix)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_runs_at_least_a_little() {
        for text in ["1", "2.5", "indefinite"] {
            assert_eq!(RepeatCount::parse(text).unwrap().to_string(), text);
        }
        for (text, fix) in [
            ("0", Some("1")),
            ("-2", Some("1")),
            ("infinite", Some("indefinite")),
            ("2,5", Some("2.5")),
            ("often", None),
        ] {
            assert_eq!(
                RepeatCount::parse(text).unwrap_err().fix.as_deref(),
                fix,
                "{text}"
            );
        }
    }
}
