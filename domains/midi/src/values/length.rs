//! Changes of note lengths.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::dur::Dur;
use super::percent::part;

/// A change of note lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// Set to a length.
    Dur(Dur),
    /// A percentage of their present length.
    Part(u16),
    /// Up to the next onset.
    Legato,
}

impl Length {
    /// Half of their present length.
    pub const STACCATO: Self = Self::Part(50);
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dur(dur) => dur.fmt(f),
            Self::Part(percent) => write!(f, "{percent}%"),
            Self::Legato => f.write_str("legato"),
        }
    }
}

impl FcpValue for Length {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["ticks"],
        unit: Dur::SPEC.unit,
        ..ValueSpec::new("LENGTH", "e, q., 50%, legato, staccato")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        // A difference is not a length, and the result is not known here.
        if text.starts_with(['+', '-']) {
            let problem = "has a sign, a length has none; modify makes notes longer: dur:+e";
            return Err(ValueError::new(problem));
        }
        match text.to_ascii_lowercase().as_str() {
            "legato" => return Ok(Self::Legato),
            "staccato" => return Ok(Self::STACCATO),
            _ => {}
        }
        let Some(percent) = text.strip_suffix('%') else {
            return Dur::parse(text).map(Self::Dur).map_err(|error| {
                match nearest_word(text, ["legato", "staccato"]) {
                    Some(near) if text.len() > 3 => error.fix(near),
                    _ => error,
                }
            });
        };
        part(percent).map(Self::Part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_and_repaired() {
        for text in ["e", "q.", "50%", "legato"] {
            assert_eq!(Length::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Length::parse("Staccato"), Ok(Length::Part(50)));
        let fix = |text: &str| Length::parse(text).unwrap_err().fix;
        assert_eq!(fix("legatto").as_deref(), Some("legato"));
        assert_eq!(fix("2000%").as_deref(), Some("1000%"));
        assert_eq!(fix("+50%"), None);
        assert_eq!(fix("-50%"), None);
        assert_eq!(fix("qq"), None);
    }
}
