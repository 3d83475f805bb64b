//! How far pitches move: semitones, or an interval by name.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

/// Intervals up to an octave, with their semitones. The first name of each is the one shown nowhere else: numbers are.
const NAMES: &[(&str, i32)] = &[
    ("m2", 1),
    ("M2", 2),
    ("m3", 3),
    ("M3", 4),
    ("P4", 5),
    ("TT", 6),
    ("P5", 7),
    ("m6", 8),
    ("M6", 9),
    ("m7", 10),
    ("M7", 11),
    ("P8", 12),
    ("8ve", 12),
    ("octave", 12),
];

/// A number of semitones, from -127 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval(i32);

impl Interval {
    /// Up if positive, down if negative.
    #[must_use]
    pub const fn semitones(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

impl FcpValue for Interval {
    const SPEC: ValueSpec = ValueSpec::new("INTERVAL", "semitones (+2, -12), or +8ve, -P5, m3");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (sign, size) = match text.as_bytes().first() {
            Some(b'-') => (-1, &text[1..]),
            Some(b'+') => (1, &text[1..]),
            _ => (1, text),
        };
        if let Some((_, semitones)) = NAMES.iter().find(|(name, _)| *name == size) {
            return Ok(Self(sign * semitones));
        }
        if !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()) {
            let semitones = size.parse::<i32>().ok().filter(|n| *n <= 127);
            let beyond = || {
                ValueError::new("is more than 127 semitones").fix(if sign < 0 {
                    "-12"
                } else {
                    "+12"
                })
            };
            return semitones.map(|n| Self(sign * n)).ok_or_else(beyond);
        }
        let near = nearest_word(size, NAMES.iter().map(|(name, _)| *name));
        let signed = near.map(|near| format!("{}{near}", if sign < 0 { "-" } else { "+" }));
        Err(
            ValueError::new("is no interval; +2 is two semitones up, -P5 a fifth down")
                .maybe_fix(signed),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_semitones() {
        let table = [
            ("+2", 2),
            ("-12", -12),
            ("7", 7),
            ("+8ve", 12),
            ("-P5", -7),
            ("M3", 4),
            ("octave", 12),
        ];
        for (text, semitones) in table {
            assert_eq!(
                Interval::parse(text).map(Interval::semitones),
                Ok(semitones),
                "{text}"
            );
        }
        for (text, fix) in [
            ("+128", Some("+12")),
            ("-999999999999", Some("-12")),
            ("+8va", Some("+8ve")),
            ("", None),
        ] {
            assert_eq!(
                Interval::parse(text).map_err(|error| error.fix),
                Err(fix.map(str::to_owned)),
                "{text}"
            );
        }
    }
}
