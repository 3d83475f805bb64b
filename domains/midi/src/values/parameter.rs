//! Names and values of parameters.

use std::fmt;

use fcp::prelude::*;
use fcp::value::nearest_word;

/// The registered parameters by name, with their two numbers (MIDI 1.0, RP-018).
const NAMES: [(&str, u8, u8); 5] = [
    ("bend-range", 0, 0),
    ("fine-tune", 0, 1),
    ("coarse-tune", 0, 2),
    ("mod-range", 0, 5),
    ("tuning-program", 0, 3),
];

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub(crate) coarse: u8,
    pub(crate) fine: u8,
    pub(crate) registered: bool,
}

/// The value of a parameter, with one half or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterValue {
    pub(crate) coarse: u8,
    pub(crate) fine: Option<u8>,
}

/// Two numbers from 0 to 127, separated by a point.
fn halves(text: &str) -> Option<(u8, Option<u8>)> {
    let seven = |text: &str| text.parse::<u8>().ok().filter(|n| *n < 128);
    match text.split_once('.') {
        Some((coarse, fine)) => Some((seven(coarse)?, Some(seven(fine)?))),
        None => Some((seven(text)?, None)),
    }
}

impl Parameter {
    /// The number that selects no parameter.
    pub const NONE: u8 = 127;

    /// Whether this deselects. MIDI 1.0 uses 127 in both halves for that; files that send only one
    /// half mean the same, but the fine half of an unregistered parameter may be 127.
    pub(crate) const fn is_none(self) -> bool {
        self.coarse == Self::NONE || self.registered && self.fine == Self::NONE
    }

    /// The default value, if known (MIDI 1.0): a bend range of two semitones, and no tuning. It has
    /// as many halves as `like`.
    #[must_use]
    pub fn unset(self, like: ParameterValue) -> Option<ParameterValue> {
        let coarse = match (self.registered, self.coarse, self.fine) {
            (true, 0, 0) => 2,
            (true, 0, 1 | 2) => 64,
            _ => return None,
        };
        let fine = like.fine.map(|_| 0);
        Some(ParameterValue { coarse, fine })
    }

    /// A unique number for each.
    #[must_use]
    pub fn number(self) -> u32 {
        u32::from(self.registered) << 14 | u32::from(self.coarse) << 7 | u32::from(self.fine)
    }
}

impl ParameterValue {
    /// A unique number for each; a missing fine half counts as 0.
    #[must_use]
    pub fn number(self) -> i64 {
        i64::from(self.coarse) << 7 | i64::from(self.fine.unwrap_or(0))
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (coarse, fine) = (self.coarse, self.fine);
        let known = NAMES
            .iter()
            .find(|(_, a, b)| self.registered && (*a, *b) == (coarse, fine));
        match known {
            Some((name, ..)) => f.write_str(name),
            None if self.registered => write!(f, "{coarse}.{fine}"),
            None => write!(f, "nrpn:{coarse}.{fine}"),
        }
    }
}

impl FcpValue for Parameter {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["nrpn"],
        ..ValueSpec::new(
            "PARAM",
            "bend-range, fine-tune, coarse-tune, mod-range, 0.5, nrpn:1.8",
        )
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        let lower = text.to_ascii_lowercase();
        if let Some((_, coarse, fine)) = NAMES.iter().find(|(name, ..)| *name == lower) {
            return Ok(Self {
                coarse: *coarse,
                fine: *fine,
                registered: true,
            });
        }
        let (numbers, registered) = match lower.strip_prefix("nrpn:") {
            Some(numbers) => (numbers, false),
            None => (&*lower, true),
        };
        if let Some((coarse, Some(fine))) = halves(numbers) {
            let own = Self {
                coarse,
                fine,
                registered,
            };
            return match own.is_none() {
                true => Err(ValueError::new("deselects: 127 means none")),
                false => Ok(own),
            };
        }
        let near = nearest_word(&lower, NAMES.iter().map(|(name, ..)| *name));
        Err(ValueError::new(format!("is not a parameter: {}", Self::SPEC.doc)).maybe_fix(near))
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coarse.fmt(f)?;
        self.fine.map_or(Ok(()), |fine| write!(f, ".{fine}"))
    }
}

impl FcpValue for ParameterValue {
    const SPEC: ValueSpec = ValueSpec::new("VALUE", "0-127, or both halves: 2.50");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some((coarse, fine)) = halves(text) {
            return Ok(Self { coarse, fine });
        }
        let fix = match text.parse::<f64>() {
            Ok(value) if value > 127.0 => Some("127"),
            Ok(value) if value < 0.0 => Some("0"),
            _ => None,
        };
        Err(ValueError::new("is not a value, 0-127 or two such, 2.50").maybe_fix(fix))
    }
}
