//! What lengths are to become.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::dur::Dur;
use super::percent::part;

/// What lengths are to become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// This one.
    Dur(Dur),
    /// So many per cent of their own.
    Part(u16),
    /// Up to the next onset.
    Legato,
}

impl Length {
    /// Half of their own.
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
        ..ValueSpec::new("LENGTH", "e, q., 50%, legato, staccato")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        // So much longer or shorter is no length, and how long it is then is not known here.
        if text.starts_with(['+', '-']) {
            let told = "has a sign, a length has none; modify makes notes longer: dur:+e";
            return Err(ValueError::new(told));
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
    fn lengths_are_read_and_mended() {
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
