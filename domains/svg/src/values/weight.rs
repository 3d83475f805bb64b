//! Font weights.

use std::fmt;

use fcp::prelude::*;

/// A font weight: 1…1000, where `normal` is 400 and `bold` 700. It is shown as it was spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    number: u16,
    text: Box<str>,
}

impl Weight {
    /// 1…1000.
    #[must_use]
    pub const fn get(&self) -> u16 {
        self.number
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FcpValue for Weight {
    const SPEC: ValueSpec = ValueSpec::new("WEIGHT", "normal, bold, or 1…1000");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let number = match text {
            "normal" => Some(400),
            "bold" => Some(700),
            _ => text
                .parse()
                .ok()
                .filter(|number| (1..=1000).contains(number)),
        };
        match number {
            Some(number) => Ok(Self {
                number,
                text: text.into(),
            }),
            None => Err(ValueError::new("is not a font weight").fix("bold")),
        }
    }
}
