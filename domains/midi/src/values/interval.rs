//! Intervals of pitches: semitones, or a name.

use std::fmt;

use fcp::value::{FcpValue, Int, ValueError, ValueSpec, fold, nearest_word};

/// Words for intervals, with their quality and number of scale steps.
const WORDS: &[(&str, (char, i32))] = &[
    ("8ve", ('P', 7)),
    ("octave", ('P', 7)),
    ("15ma", ('P', 14)),
    ("TT", ('A', 3)),
    ("tritone", ('A', 3)),
];

/// Signs of a score for octaves below, as intervals.
const DOWN: &[(&str, &str)] = &[("8vb", "-8ve"), ("8ba", "-8ve"), ("15mb", "-15ma")];

/// The most scale steps of a named interval: two octaves.
const MOST_STEPS: i32 = 14;

/// The semitones of an interval from its quality and its number of scale steps, if it exists:
/// fourths, fifths and octaves are perfect, others major or minor.
fn size((quality, steps): (char, i32)) -> Option<i32> {
    const MAJOR: [i32; 7] = [0, 2, 4, 5, 7, 9, 11];
    let degree = usize::try_from(steps.rem_euclid(7)).ok()?;
    let plain = MAJOR.get(degree)? + 12 * steps.div_euclid(7);
    let altered = match (quality, matches!(degree, 0 | 3 | 4)) {
        ('P', true) | ('M', false) => 0,
        ('m', false) | ('d', true) => -1,
        ('d', false) => -2,
        ('A', _) => 1,
        _ => return None,
    };
    (plain + altered >= 0).then_some(plain + altered)
}

/// The quality and the scale steps of a name: `P5`, `A4`, `m10`, `8ve`.
fn named(name: &str) -> Option<(char, i32)> {
    if let Some((_, known)) = WORDS.iter().find(|(word, _)| *word == name) {
        return Some(*known);
    }
    let mut letters = name.chars();
    let quality = letters.next()?;
    let number = letters.as_str();
    let steps = number.parse::<i32>().ok()?.checked_sub(1)?;
    let own = number.starts_with(|c: char| matches!(c, '1'..='9')) && steps <= MOST_STEPS;
    (own && size((quality, steps)).is_some()).then_some((quality, steps))
}

/// The name that was probably meant: with quality `P`, without a doubled last digit, or a word
/// without its typo.
fn meant(name: &str) -> Option<String> {
    let number = name.get(1..)?;
    let perfect = name
        .starts_with(['p', 'M', 'm'])
        .then(|| format!("P{number}"));
    let near = || {
        let long = name.len() > 2 && !name.starts_with(['A', 'd', 'M', 'm', 'P']);
        let near = nearest_word(name, WORDS.iter().map(|(word, _)| *word));
        near.filter(|_| long).map(str::to_owned)
    };
    let once = name.chars().last().and_then(|last| name.strip_suffix(last));
    let once = once.filter(|once| once.chars().last() == name.chars().last());
    let once = once.map(str::to_owned);
    let named = |name: &String| named(name).is_some();
    perfect.filter(named).or(once.filter(named)).or_else(near)
}

/// The semitones of a number with a unit, octaves or semitones: `2oct`, `3st`.
fn counted(text: &str) -> Option<String> {
    const UNITS: [(i32, &[&str]); 2] = [
        (12, &["o", "oct", "octave", "octaves"]),
        (
            1,
            &[
                "st",
                "semi",
                "semitone",
                "semitones",
                "halfstep",
                "halfsteps",
            ],
        ),
    ];
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = text.strip_suffix(unit)?.parse::<i32>().ok()?;
    let named = fold(unit);
    let (size, _) = UNITS.iter().find(|(_, names)| names.contains(&&*named))?;
    let most = 127 / size;
    Some((count.min(most) * size).to_string())
}

/// A number of semitones, from -127 to 127, or a named interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    semitones: i32,
    /// For a named interval: its quality, and its number of scale steps, negative if down.
    name: Option<(char, i32)>,
}

impl Interval {
    /// Up if positive, down if negative.
    #[must_use]
    pub const fn semitones(self) -> i32 {
        self.semitones
    }

    /// The number of scale steps: a plain number is taken as steps, a fifth is four.
    #[must_use]
    pub fn steps(self) -> i32 {
        self.name.map_or(self.semitones, |(_, steps)| steps)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some((quality, steps)) => {
                let sign = if steps < 0 { '-' } else { '+' };
                write!(f, "{sign}{quality}{}", steps.abs() + 1)
            }
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
        if let Some(name) = named(size)
            && let Some(semitones) = self::size(name)
        {
            return Ok(Self {
                semitones: sign * semitones,
                name: Some((name.0, sign * name.1)),
            });
        }
        if !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()) {
            let semitones = size.parse::<i32>().ok().filter(|n| *n <= 127);
            let beyond = || ValueError::new("is more than 127 semitones");
            return semitones
                .map(|n| Self {
                    semitones: sign * n,
                    name: None,
                })
                .ok_or_else(beyond);
        }
        let below = DOWN.iter().find(|(word, _)| *word == size);
        let near = counted(size).or_else(|| meant(size));
        let near = near.map(|near| format!("{}{near}", if sign < 0 { "-" } else { "+" }));
        let signed = below.map(|(_, meant)| (*meant).to_owned()).or(near);
        Err(
            ValueError::new("is not an interval; +2 is two semitones up, -P5 a fifth down")
                .maybe_fix(signed),
        )
    }
}

/// Semitones up or down, from -127 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semitones(Int<-127, 127>);

impl Semitones {
    /// Zero.
    pub const NONE: Self = Self(Int::clamped(0));

    /// Their number.
    #[must_use]
    pub fn get(self) -> i32 {
        i32::try_from(self.0.get()).unwrap_or(0)
    }
}

impl fmt::Display for Semitones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Semitones {
    const SPEC: ValueSpec = Int::<-127, 127>::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Int::parse(text).map(Self).map_err(|error| {
            // `+8ve` is twelve semitones, not eight.
            let interval = |text: &str| match Interval::parse(text) {
                Ok(interval) => Some(interval),
                Err(error) => Interval::parse(&error.fix?).ok(),
            };
            let named = text.contains(char::is_alphabetic);
            match interval(text).filter(|_| named) {
                Some(interval) => error.fix(format!("{:+}", interval.semitones())),
                None => error,
            }
        })
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
            ("+A4", 6),
            ("d5", 6),
            ("TT", 6),
            ("M9", 14),
            ("-m10", -15),
            ("P11", 17),
            ("A6", 10),
            ("d7", 9),
            ("+15ma", 24),
            ("P15", 24),
        ];
        for (text, semitones) in table {
            assert_eq!(
                Interval::parse(text).map(Interval::semitones),
                Ok(semitones),
                "{text}"
            );
        }
        for (text, steps) in [
            ("+2", 2),
            ("-P5", -4),
            ("m3", 2),
            ("-8ve", -7),
            ("A4", 3),
            ("-M9", -8),
            ("+d2", 1),
            ("-d2", -1),
            ("-P1", 0),
        ] {
            let interval = Interval::parse(text).unwrap();
            assert_eq!(interval.steps(), steps, "{text}");
            assert_eq!(Interval::parse(&interval.to_string()), Ok(interval));
        }
        for (text, fix) in [
            ("+128", None),
            ("-999999999999", None),
            ("+8va", Some("+8ve")),
            ("8vb", Some("-8ve")),
            ("-8vb", Some("-8ve")),
            ("15mb", Some("-15ma")),
            ("-2oct", Some("-24")),
            ("1 octave", Some("+12")),
            ("-3st", Some("-3")),
            ("20octaves", Some("+120")),
            ("p5", Some("+P5")),
            ("-M4", Some("-P4")),
            ("P55", Some("+P5")),
            ("P3", None),
            ("A16", None),
            ("d1", None),
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
