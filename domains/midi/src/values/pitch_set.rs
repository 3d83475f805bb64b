//! Sets of pitches for selectors.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, repaired};
use fcp::work;

use super::pitch::{Pitch, PitchWord, written};
use super::pitch_class::PitchClass;
use super::several::PARTS_A_STEP;

/// The value of `@pitch:`: pitches, spans of them, classes in any octave, drums.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PitchSet(Vec<Part>);

/// The longest valid set, in bytes.
const LONGEST: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    One(PitchWord),
    Class(PitchClass),
    Span(Pitch, Pitch),
    Below(Pitch),
    UpTo(Pitch),
    Above(Pitch),
    From(Pitch),
}

impl PitchSet {
    /// Whether the set contains the pitch of a note. Drum names match on drum tracks only.
    #[must_use]
    pub fn contains(&self, pitch: Pitch, on_drum_track: bool) -> bool {
        // A long list is read for each row, and the runtime reports that it is too long.
        if self.0.len() > PARTS_A_STEP && work::spend(self.0.len() / PARTS_A_STEP).is_err() {
            return false;
        }
        self.0.iter().any(|part| match *part {
            Part::One(word) => word.pitch == pitch && (on_drum_track || !word.drum),
            Part::Class(class) => class.semitone() == pitch.semitone(),
            Part::Span(low, high) => low <= pitch && pitch <= high,
            Part::Below(limit) => pitch < limit,
            Part::UpTo(limit) => pitch <= limit,
            Part::Above(limit) => pitch > limit,
            Part::From(limit) => pitch >= limit,
        })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(word) => word.fmt(f),
            Self::Class(class) => class.fmt(f),
            Self::Span(low, high) => write!(f, "{low}-{high}"),
            Self::Below(limit) => write!(f, "<{limit}"),
            Self::UpTo(limit) => write!(f, "<={limit}"),
            Self::Above(limit) => write!(f, ">{limit}"),
            Self::From(limit) => write!(f, ">={limit}"),
        }
    }
}

impl fmt::Display for PitchSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ix, part) in self.0.iter().enumerate() {
            if ix > 0 {
                f.write_str(",")?;
            }
            part.fmt(f)?;
        }
        Ok(())
    }
}

impl FcpValue for PitchSet {
    const SPEC: ValueSpec = ValueSpec::new("PITCHES", "C4, C4-G4, C,E in any octave, 60, kick");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl PitchSet {
    fn read(text: &str) -> Result<Self, ValueError> {
        if text.len() > LONGEST {
            return Err(ValueError::new(format!(
                "is over {LONGEST} bytes, too long for a span"
            )));
        }
        let mut parts = Vec::new();
        let mut start = 0;
        for written in text.split(',') {
            let end = start + written.len();
            let part = written.trim();
            match Part::parse(part) {
                Ok(part) => parts.push(part),
                Err(error) => {
                    let sentence = error.about(part);
                    let whole = |fix| format!("{}{fix}{}", &text[..start], &text[end..]);
                    return Err(ValueError::sentence(sentence).maybe_fix(error.fix.map(whole)));
                }
            }
            start = end + 1;
        }
        Ok(Self(parts))
    }
}

impl Part {
    fn parse(text: &str) -> Result<Self, ValueError> {
        type Bound = fn(Pitch) -> Part;
        const BOUNDS: [(&str, Bound); 4] = [
            ("<=", Part::UpTo),
            (">=", Part::From),
            ("<", Part::Below),
            (">", Part::Above),
        ];
        if text.len() > 64 {
            return Err(ValueError::new("is not a pitch"));
        }
        for (sign, bound) in BOUNDS {
            if let Some(rest) = text.strip_prefix(sign) {
                return Pitch::parse(rest).map(bound).map_err(|error| {
                    let sentence = error.about(rest);
                    ValueError::sentence(sentence)
                        .maybe_fix(error.fix.map(|fix| format!("{sign}{fix}")))
                });
            }
        }
        if let Ok(class) = PitchClass::parse(text) {
            return Ok(Self::Class(class));
        }
        let error = match PitchWord::parse(text) {
            Ok(word) => return Ok(Self::One(word)),
            Err(error) => error,
        };
        for ends in halves(text) {
            let (low, high) = ends;
            if let (Some(low), Some(high)) = (letter_or_number(low), letter_or_number(high)) {
                if low <= high {
                    return Ok(Self::Span(low, high));
                }
                // If one end is a letter and the other a number, the number may not be a key:
                // `C4-4`.
                let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
                let alike = is_number(ends.0) == is_number(ends.1);
                let fix = alike.then(|| format!("{high}-{low}"));
                return Err(ValueError::new("is reversed").maybe_fix(fix));
            }
        }
        // A class means every octave, so it does not replace an invalid octave; nor does the last
        // octave.
        let octave = text.contains(|c: char| c.is_ascii_digit());
        let slip = |fix: &String| text.starts_with(fix);
        Err(corrected(text).unwrap_or(match PitchClass::parse(text) {
            Err(class) if class.fix.is_some() => match octave {
                true => {
                    let fix = error.fix.clone().filter(slip);
                    error.maybe_fix(fix)
                }
                false => error.maybe_fix(class.fix),
            },
            _ => error,
        }))
    }
}

/// A pitch that is not a drum name.
fn letter_or_number(text: &str) -> Option<Pitch> {
    let word = written(text)?.ok().filter(|word| !word.drum)?;
    Some(word.pitch)
}

/// All ways to split a text at `..` or `-`.
fn halves(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let cut = |sign: &'static str| {
        text.match_indices(sign)
            .map(move |(at, _)| (&text[..at], &text[at + sign.len()..]))
    };
    cut("..").chain(cut("-"))
}

/// The repaired span, if only octaves are missing or one end is misspelled.
fn corrected(text: &str) -> Option<ValueError> {
    let end = |text: &str| match Pitch::parse(text) {
        Ok(pitch) => Some(pitch.to_string()),
        Err(error) => error.fix,
    };
    for (low, high) in halves(text) {
        let both = PitchClass::parse(low).is_ok() && PitchClass::parse(high).is_ok();
        if both {
            return Some(
                ValueError::new("has no octaves, a span goes from pitch to pitch")
                    .fix(format!("{low}4-{high}4")),
            );
        }
        if [low, high]
            .iter()
            .any(|end| matches!(written(end), Some(Ok(_))))
        {
            let ends = end(low).zip(end(high));
            let fix = ends.map(|(low, high)| format!("{low}-{high}"));
            return Some(ValueError::new("is not a span of pitches").maybe_fix(fix));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str, on_drum_track: bool) -> Vec<u8> {
        let set = PitchSet::parse(text).unwrap();
        assert_eq!(PitchSet::parse(&set.to_string()).as_ref(), Ok(&set));
        (0..128)
            .filter(|key| set.contains(Pitch::new(*key).unwrap(), on_drum_track))
            .collect()
    }

    #[test]
    fn every_form_means_its_keys() {
        assert_eq!(keys("C4", false), [60]);
        assert_eq!(keys("C4-E4", false), [60, 61, 62, 63, 64]);
        assert_eq!(keys("C-1-D-1", false), [0, 1, 2]);
        assert_eq!(keys("C-1..2", false), [0, 1, 2]);
        assert_eq!(keys("60-62", true), [60, 61, 62]);
        assert_eq!(keys("60,C5", false), [60, 72]);
        assert_eq!(keys("B#,b", false).len(), 11 + 10);
        assert_eq!(keys("kick", true), [36]);
        assert!(keys("kick", false).is_empty());
        assert_eq!(keys("kick, closed-hi-hat", true), [36, 42]);
        assert_eq!(keys("<C#-1", false), [0]);
        assert_eq!(keys("<=1", false), [0, 1]);
        assert_eq!(keys(">126", false), [127]);
        assert_eq!(keys(">=F#9", false), [126, 127]);
    }

    #[test]
    fn invalid_sets_are_repaired() {
        let table = [
            ("H", Some("B")),
            ("H4", Some("B4")),
            ("C,H,E", Some("C,B,E")),
            ("G4-C4", Some("C4-G4")),
            ("C-E", Some("C4-E4")),
            ("C4-G", Some("C4-G4")),
            ("H3-C4", Some("B3-C4")),
            ("<=H4", Some("<=B4")),
            ("C4, snar", Some("C4,snare")),
            ("", None),
            ("C4,", None),
            ("C44", None),
            ("C10", None),
            ("C4-4", None),
            ("4-C-1", None),
            ("E4-48", None),
            ("60-48", Some("C3-C4")),
        ];
        for (text, wanted) in table {
            let error = PitchSet::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), wanted, "{text}");
        }
    }
}
