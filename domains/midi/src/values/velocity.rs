//! Velocities.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word, repaired};
use serde::{Deserialize, Serialize};

use super::number::{Integer, held, integer, rounded, within};

/// The velocity of a note, 1 to 127. A note-on of velocity 0 is a note-off, so no note has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Velocity(u8);

held!(Velocity, 1..=127);

/// Dynamics with their velocities.
pub const DYNAMICS: [(&str, u8); 8] = [
    ("ppp", 16),
    ("pp", 33),
    ("p", 49),
    ("mp", 64),
    ("mf", 80),
    ("f", 96),
    ("ff", 112),
    ("fff", 127),
];

impl Velocity {
    /// The default velocity: 80.
    pub const MF: Self = Self(80);

    /// The velocity nearest to a number.
    #[must_use]
    pub fn clamped(value: i64) -> Self {
        Self(u8::try_from(value.clamp(1, 127)).unwrap_or(127))
    }

    /// The nearest dynamic.
    #[must_use]
    pub fn word(self) -> &'static str {
        let near = DYNAMICS
            .iter()
            .min_by_key(|(_, level)| level.abs_diff(self.0));
        near.map_or("mf", |(word, _)| word)
    }
}

impl fmt::Display for Velocity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Velocity {
    const SPEC: ValueSpec = ValueSpec::new("VEL", "1-127, or ppp pp p mp mf f ff fff");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl Velocity {
    fn read(text: &str) -> Result<Self, ValueError> {
        let word = text.to_ascii_lowercase();
        if let Some(&(_, value)) = DYNAMICS.iter().find(|(name, _)| *name == word) {
            return Ok(Self(value));
        }
        if !text.is_empty() && text.bytes().all(|b| b == b'0') {
            return Err(
                ValueError::new("is silence, a note has 1 to 127; remove deletes notes").fix("1"),
            );
        }
        match within(text, 1, 127) {
            Some(value) => value.map(Self),
            None => {
                // A factor of 2 does not mean the velocity 2.
                let is_level = |near: &String| near.len() > 1;
                let near = rounded(text).filter(is_level);
                let near = near.map(|near| match Self::parse(&near) {
                    Ok(_) => near,
                    Err(error) => error.fix.unwrap_or(near),
                });
                let of = |letter| !word.is_empty() && word.bytes().all(|b| b == letter);
                let loud = of(b'f').then_some("fff");
                let soft = of(b'p').then_some("ppp");
                let word = || nearest_word(&word, DYNAMICS.map(|(name, _)| name));
                Err(ValueError::new("is not a velocity, 1-127 or ppp to fff")
                    .maybe_fix(near.or_else(|| loud.or(soft).or_else(word).map(Into::into))))
            }
        }
    }
}

/// A difference of velocity, -126 to 126.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VelocityStep(i8);

impl VelocityStep {
    /// The step, with its sign.
    #[must_use]
    pub const fn get(self) -> i8 {
        self.0
    }
}

impl fmt::Display for VelocityStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

impl FcpValue for VelocityStep {
    const SPEC: ValueSpec = ValueSpec::new("STEP", "+10, -10");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl VelocityStep {
    fn read(text: &str) -> Result<Self, ValueError> {
        let step = match integer(text) {
            Integer::Fits(step) => step,
            Integer::Huge { negative } => i64::from(!negative) * 254 - 127,
            Integer::No => {
                return Err(
                    ValueError::new("is not a step like +10 or -10").maybe_fix(broken(text))
                );
            }
        };
        match step {
            ..-126 => Err(ValueError::new("is below -126").fix("-126")),
            127.. => Err(ValueError::new("is above +126").fix("+126")),
            step => Ok(Self(i8::try_from(step).unwrap_or_default())),
        }
    }
}

/// The nearest step for a decimal.
fn broken(text: &str) -> Option<String> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ('-', size),
        None => ('+', text.strip_prefix('+').unwrap_or(text)),
    };
    rounded(size).map(|size| format!("{sign}{size}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dynamic_is_a_velocity() {
        for (word, value) in DYNAMICS {
            assert_eq!(Velocity::parse(word).unwrap().get(), value);
            assert_eq!(Velocity::parse(&word.to_uppercase()).unwrap().get(), value);
        }
    }

    #[test]
    fn velocities_out_of_range_are_rejected() {
        let fix = |text: &str| Velocity::parse(text).unwrap_err().fix;
        assert_eq!(fix("0").as_deref(), Some("1"));
        assert_eq!(fix("128").as_deref(), Some("127"));
        assert_eq!(fix("99999999999999999999").as_deref(), Some("127"));
        for step in ["-5", "+5", "-5.5", "1.2"] {
            assert_eq!(fix(step), None, "{step}");
        }
        assert_eq!(fix("64.4").as_deref(), Some("64"));
        assert_eq!(fix("300.5").as_deref(), Some("127"));
        assert_eq!(fix("ffff").as_deref(), Some("fff"));
        assert_eq!(fix("mff").as_deref(), Some("ff"));
        assert_eq!(fix(""), None);
        assert_eq!(fix("x"), None);
    }

    #[test]
    fn steps_stay_in_range() {
        let step = VelocityStep::parse("+100").unwrap();
        assert_eq!(step.to_string(), "+100");
        let fix = |text: &str| VelocityStep::parse(text).unwrap_err().fix;
        assert_eq!(fix("+500").as_deref(), Some("+126"));
        assert_eq!(fix("-99999999999999999999").as_deref(), Some("-126"));
        assert_eq!(fix("+2.4").as_deref(), Some("+2"));
    }
}
