//! How far pitches move: semitones, or an interval by name.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

/// Intervals up to an octave, with their semitones and how many tones of a scale they go.
const NAMES: &[(&str, i32, i32)] = &[
    ("m2", 1, 1),
    ("M2", 2, 1),
    ("m3", 3, 2),
    ("M3", 4, 2),
    ("P4", 5, 3),
    ("TT", 6, 3),
    ("P5", 7, 4),
    ("m6", 8, 5),
    ("M6", 9, 5),
    ("m7", 10, 6),
    ("M7", 11, 6),
    ("8ve", 12, 7),
    ("P8", 12, 7),
    ("octave", 12, 7),
];

/// A number of semitones, from -127 to 127, or an interval by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    semitones: i32,
    /// Its place among the names.
    name: Option<usize>,
}

impl Interval {
    /// Up if positive, down if negative.
    #[must_use]
    pub const fn semitones(self) -> i32 {
        self.semitones
    }

    /// As a way along a scale: a number is as many tones, a fifth is four.
    #[must_use]
    pub fn steps(self) -> i32 {
        let named = self.name.and_then(|name| NAMES.get(name));
        named.map_or(self.semitones, |(.., steps)| {
            steps * self.semitones.signum()
        })
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.and_then(|name| NAMES.get(name)) {
            Some((name, ..)) => write!(f, "{}{name}", if self.semitones < 0 { '-' } else { '+' }),
            None => write!(f, "{:+}", self.semitones),
        }
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
        if let Some(name) = NAMES.iter().position(|(name, ..)| *name == size) {
            return Ok(Self {
                semitones: sign * NAMES[name].1,
                name: Some(name),
            });
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
            return semitones
                .map(|n| Self {
                    semitones: sign * n,
                    name: None,
                })
                .ok_or_else(beyond);
        }
        let near = nearest_word(size, NAMES.iter().map(|(name, ..)| *name));
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
        for (text, steps) in [("+2", 2), ("-P5", -4), ("m3", 2), ("-8ve", -7)] {
            let interval = Interval::parse(text).unwrap();
            assert_eq!(interval.steps(), steps, "{text}");
            assert_eq!(Interval::parse(&interval.to_string()), Ok(interval));
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
