//! Values that every domain needs.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Choice, FcpValue, ValueError, ValueSpec, parse_choice};

/// The longest text of a value, in bytes.
const TEXT_LIMIT: usize = 64 * 1024;

/// Any text up to 64 KiB, the empty one included.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Text(String);

impl Text {
    /// A text, taken verbatim.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Text {
    const SPEC: ValueSpec = ValueSpec {
        free: true,
        ..ValueSpec::new("TEXT", "any text; quote it if it has spaces")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.len() > TEXT_LIMIT {
            return Err(ValueError::new(format!(
                "is longer than {TEXT_LIMIT} bytes"
            )));
        }
        Ok(Self(text.to_owned()))
    }
}

/// The name of an element: a text that is not empty, has no control characters and is at most 64 KiB.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Name(String);

impl Name {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Name {
    const SPEC: ValueSpec = ValueSpec {
        free: true,
        ..ValueSpec::new("NAME", "a name; quote it if it has spaces")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.trim().is_empty() {
            return Err(ValueError::sentence("a name cannot be empty"));
        }
        if text.chars().any(char::is_control) {
            let clean: String = text
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            return Err(
                ValueError::sentence("a name holds no control characters").fix(clean.trim())
            );
        }
        Text::parse(text).map(|text| Self(text.0))
    }
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Switch(pub bool);

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 { "on" } else { "off" })
    }
}

const SWITCHES: &[Choice] = &[
    Choice {
        word: "on",
        aliases: &["yes", "true", "1"],
        doc: "",
    },
    Choice {
        word: "off",
        aliases: &["no", "false", "0"],
        doc: "",
    },
];

impl FcpValue for Switch {
    const SPEC: ValueSpec = ValueSpec {
        choices: SWITCHES,
        ..ValueSpec::new("on|off", "on or off").typed(super::SqlType::Switch)
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        parse_choice(SWITCHES, text).map(|ix| Self(ix == 0))
    }
}

/// One or more values, separated by commas: `C4,E4,G4`. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    /// Every value, in the order written.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The first value.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.0.first()
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T: fmt::Display> fmt::Display for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ix, value) in self.0.iter().enumerate() {
            if ix > 0 {
                f.write_str(",")?;
            }
            value.fmt(f)?;
        }
        Ok(())
    }
}

impl<T: FcpValue> FcpValue for List<T> {
    const SPEC: ValueSpec = T::SPEC.typed(super::SqlType::Text);

    fn parse(text: &str) -> Result<Self, ValueError> {
        let mut values = Vec::new();
        for (ix, part) in text.split(',').enumerate() {
            match T::parse(part.trim()) {
                Ok(value) => values.push(value),
                Err(mut error) => {
                    let sentence = error.about(part.trim());
                    // The fix of one part is the whole list with that part corrected.
                    let fix = error.fix.take().map(|fix| {
                        let parts = text.split(',').enumerate();
                        parts
                            .map(|(at, old)| if at == ix { fix.as_str() } else { old })
                            .collect::<Vec<_>>()
                            .join(",")
                    });
                    return Err(ValueError::sentence(sentence).maybe_fix(fix));
                }
            }
        }
        Ok(Self(values))
    }
}

impl FcpValue for String {
    const SPEC: ValueSpec = Text::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Text::parse(text).map(|text| text.0)
    }
}
