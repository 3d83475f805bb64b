//! Orders of the tones of an arpeggio.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

/// The order in which tones are played, the lowest being 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// From the lowest to the highest.
    Up,
    /// From the highest to the lowest.
    Down,
    /// Up and down again, without repeating the ends.
    UpDown,
    /// Down and up again, without repeating the ends.
    DownUp,
    /// At random.
    Random,
    /// By number.
    Steps(Vec<u8>),
}

/// The words for patterns.
const WORDS: [(&str, Pattern); 5] = [
    ("up", Pattern::Up),
    ("down", Pattern::Down),
    ("updown", Pattern::UpDown),
    ("downup", Pattern::DownUp),
    ("random", Pattern::Random),
];

/// The most steps.
const MOST: usize = 256;

impl Pattern {
    /// The indexes, from 0, of one round over a number of tones; empty for a random order.
    ///
    /// # Errors
    /// A number is higher than the number of tones; the repair is the highest.
    pub fn round(&self, tones: usize) -> Result<Vec<usize>, ValueError> {
        let (up, down) = (0..tones, (0..tones).rev());
        let inner = 1..tones.saturating_sub(1).max(1);
        Ok(match self {
            Self::Up => up.collect(),
            Self::Down => down.collect(),
            Self::UpDown => up.chain(inner.rev()).collect(),
            Self::DownUp => down.chain(inner).collect(),
            Self::Random => Vec::new(),
            Self::Steps(steps) => {
                if let Some(beyond) = steps.iter().find(|step| usize::from(**step) > tones) {
                    let most = u8::try_from(tones).unwrap_or(u8::MAX);
                    let fix = Self::Steps(steps.iter().map(|step| (*step).min(most)).collect());
                    let tones = fcp::reply::count(tones, "tone");
                    let problem = format!("names tone {beyond}, but there are {tones}");
                    return Err(ValueError::new(problem).fix(fix.to_string()));
                }
                steps.iter().map(|step| usize::from(*step) - 1).collect()
            }
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Steps(steps) = self {
            for (ix, step) in steps.iter().enumerate() {
                write!(f, "{}{step}", if ix == 0 { "" } else { "-" })?;
            }
            return Ok(());
        }
        let known = WORDS.iter().find(|(_, pattern)| pattern == self);
        f.write_str(known.map_or("up", |(word, _)| word))
    }
}

impl FcpValue for Pattern {
    const SPEC: ValueSpec =
        ValueSpec::new("PATTERN", "up, down, updown, downup, random, or 1-3-2-3");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let lower = text.to_ascii_lowercase();
        if let Some((_, pattern)) = WORDS.iter().find(|(word, _)| *word == lower) {
            return Ok(pattern.clone());
        }
        let steps: Option<Vec<u8>> = text
            .split('-')
            .map(|step| step.parse::<u8>().ok().filter(|step| *step > 0))
            .collect();
        match steps {
            Some(steps) if steps.len() <= MOST => Ok(Self::Steps(steps)),
            _ => {
                let near = nearest_word(&lower, WORDS.iter().map(|(word, _)| *word));
                Err(ValueError::new("is not a pattern: up, down, updown, 1-3-2-3").maybe_fix(near))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_over_four_tones() {
        let table: [(&str, &[usize]); 6] = [
            ("up", &[0, 1, 2, 3]),
            ("down", &[3, 2, 1, 0]),
            ("updown", &[0, 1, 2, 3, 2, 1]),
            ("downup", &[3, 2, 1, 0, 1, 2]),
            ("1-3-2-3", &[0, 2, 1, 2]),
            ("random", &[]),
        ];
        for (text, round) in table {
            let pattern = Pattern::parse(text).unwrap();
            assert_eq!(pattern.to_string(), text);
            assert_eq!(pattern.round(4).unwrap(), round, "{text}");
        }
        assert_eq!(Pattern::UpDown.round(1).unwrap(), [0]);
        assert_eq!(Pattern::UpDown.round(2).unwrap(), [0, 1]);
    }

    #[test]
    fn invalid_patterns_are_repaired() {
        let fix = |text: &str| Pattern::parse(text).unwrap_err().fix;
        assert_eq!(fix("updwon").as_deref(), Some("updown"));
        assert_eq!(fix("0-1"), None);
        assert_eq!(fix(""), None);
        let beyond = Pattern::parse("1-5-2").unwrap().round(3).unwrap_err();
        assert_eq!(beyond.fix.as_deref(), Some("1-3-2"));
    }
}
