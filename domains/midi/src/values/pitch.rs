//! Pitches: keys by name or number.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, is_typo, nearest, repaired};
use serde::{Deserialize, Serialize};

use super::drums::DRUMS;
use super::number::{Integer, held, integer, rounded, within};
use super::pitch_class::PitchClass;
use super::repair::same;

/// A key from 0 to 127; 60 is C4, middle C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Pitch(u8);

held!(Pitch, 0..=127);

const SHARPS: [&str; 12] = [
    "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B",
];
const FLATS: [&str; 12] = [
    "C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B",
];

impl Pitch {
    /// The name with sharps for black keys: `C#4`.
    #[must_use]
    pub fn name_sharp(self) -> String {
        self.named(&SHARPS)
    }

    /// The name with flats for black keys: `Db4`.
    #[must_use]
    pub fn name_flat(self) -> String {
        self.named(&FLATS)
    }

    fn named(self, names: &[&str; 12]) -> String {
        let octave = i16::from(self.0 / 12) - 1;
        format!("{}{octave}", names[usize::from(self.0 % 12)])
    }

    /// Its General MIDI drum; keys 27 to 87 have a name.
    #[must_use]
    pub fn drum_name(self) -> Option<&'static str> {
        let ix = self.0.checked_sub(DRUMS[0].0)?;
        DRUMS.get(usize::from(ix)).map(|(_, names)| names[0])
    }

    /// The key of a drum name, ignoring case and hyphens.
    #[must_use]
    pub fn of_drum(name: &str) -> Option<Self> {
        let named = |names: &[&str]| names.iter().any(|known| same(known, name));
        let (key, _) = DRUMS.iter().find(|(_, names)| named(names))?;
        Self::new(*key)
    }

    /// The key a number of semitones away, if it exists.
    #[must_use]
    pub fn shifted(self, semitones: i32) -> Option<Self> {
        let key = i32::from(self.0).checked_add(semitones)?;
        Self::new(u8::try_from(key).ok()?)
    }

    /// The pitch class of the key, 0 (C) to 11 (B).
    #[must_use]
    pub const fn semitone(self) -> u8 {
        self.0 % 12
    }
}

impl fmt::Display for Pitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name_sharp())
    }
}

impl FcpValue for Pitch {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["midi"],
        ..ValueSpec::new("PITCH", "C4, F#3, Bb-1, 0-127, midi:N")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl Pitch {
    fn read(text: &str) -> Result<Self, ValueError> {
        let word = PitchWord::parse(text)?;
        if word.drum {
            return Err(
                ValueError::new("is a drum, a pitch here is C4 or 60").fix(word.pitch.to_string())
            );
        }
        Ok(word.pitch)
    }
}

/// A pitch as it was written: by letter or number, or by the name of a drum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PitchWord {
    /// The key.
    pub pitch: Pitch,
    /// Whether it was written as a drum name, for a drum track.
    pub drum: bool,
}

impl From<Pitch> for PitchWord {
    fn from(pitch: Pitch) -> Self {
        Self { pitch, drum: false }
    }
}

impl fmt::Display for PitchWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pitch.drum_name().filter(|_| self.drum) {
            Some(name) => f.write_str(name),
            None => self.pitch.fmt(f),
        }
    }
}

impl FcpValue for PitchWord {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["midi"],
        ..ValueSpec::new("PITCH", "C4, F#3, Bb-1, kick, 0-127, midi:N")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl PitchWord {
    fn read(text: &str) -> Result<Self, ValueError> {
        written(text).unwrap_or_else(|| {
            Err(ValueError::new("is not a pitch or a drum").maybe_fix(guess(text)))
        })
    }
}

/// A pitch in one of its forms; `None` if the text has none of them.
pub(super) fn written(text: &str) -> Option<Result<PitchWord, ValueError>> {
    if let Some(number) = text.strip_prefix("midi:") {
        let key = within(number, 0, 127).unwrap_or_else(|| {
            Err(ValueError::new("is not a key, midi:0 to midi:127").maybe_fix(rounded(number)))
        });
        return Some(key.map(|key| Pitch(key).into()).map_err(|mut error| {
            error.fix = error.fix.map(|fix| format!("midi:{fix}"));
            error
        }));
    }
    if let Some(key) = within(text, 0, 127) {
        return Some(key.map(|key| Pitch(key).into()));
    }
    if let Some((class, octave)) = split(text) {
        return Some(lettered(class, octave).map(Into::into));
    }
    let drum = |pitch| PitchWord { pitch, drum: true };
    Pitch::of_drum(text).map(drum).map(Ok)
}

/// A pitch class and the text after it, if that could be an octave: digits, with or without a sign,
/// or empty.
fn split(text: &str) -> Option<(PitchClass, &str)> {
    let (class, rest) = PitchClass::prefix(text)?;
    (rest.is_empty() || !matches!(integer(rest), Integer::No)).then_some((class, rest))
}

fn lettered(class: PitchClass, octave: &str) -> Result<Pitch, ValueError> {
    if octave.is_empty() {
        return Err(ValueError::new("has no octave").fix(format!("{class}4")));
    }
    let number = match integer(octave) {
        Integer::Fits(number) if !octave.starts_with('+') => number.clamp(-1000, 1000),
        Integer::Fits(_) | Integer::No => {
            let fix = format!("{class}{}", octave.trim_start_matches('+'));
            return Err(ValueError::new("is not a pitch").fix(fix));
        }
        Integer::Huge { negative } => i64::from(!negative) * 2000 - 1000,
    };
    let octave_text = octave;
    let octave = i8::try_from(number).ok();
    if let Some(pitch) = octave.and_then(|octave| class.at(octave)) {
        return Ok(pitch);
    }
    // `E-4` is E flat in notations that write flats so.
    let own = class.to_string();
    let sign = if own.len() == 1 { "b" } else { "" };
    let flat = octave_text.strip_prefix('-').filter(|_| number < -2);
    if let Some(flat) = flat.map(|octave| format!("{own}{sign}{octave}"))
        && matches!(written(&flat), Some(Ok(_)))
    {
        return Err(ValueError::new("is below C-1, the lowest pitch (0)").fix(flat));
    }
    let inside = if number < 4 {
        (-1..=1).find_map(|octave| class.at(octave).map(|_| octave))
    } else {
        (8..=10)
            .rev()
            .find_map(|octave| class.at(octave).map(|_| octave))
    };
    let side = if number < 4 {
        "below C-1, the lowest pitch (0)"
    } else {
        "above G9, the highest pitch (127)"
    };
    // An octave further off is another pitch.
    let inside = inside.filter(|octave| number.abs_diff(i64::from(*octave)) == 1);
    Err(ValueError::new(format!("is {side}"))
        .maybe_fix(inside.map(|octave| format!("{class}{octave}"))))
}

/// The pitch that an invalid text probably means.
fn guess(text: &str) -> Option<String> {
    if text.len() > 64 {
        return None;
    }
    let reads = |fix: &String| matches!(written(fix), Some(Ok(_)));
    if let Some(number) = rounded(text) {
        return Some(number).filter(reads);
    }
    let german = text.strip_prefix(['H', 'h']).map(|rest| format!("B{rest}"));
    let plain = text
        .replace('♯', "#")
        .replace('♭', "b")
        .replace(['(', ')', ' '], "");
    // Some write sharps and flats as `Cs4` and `Cis4`, `Es4` and `Des4`.
    let suffixed = [("is", "#"), ("es", "b"), ("s", "#"), ("x", "##")]
        .map(|(word, sign)| plain.to_ascii_lowercase().replacen(word, sign, 1));
    german
        .into_iter()
        .chain([plain.clone()])
        .chain(suffixed.into_iter().map(|text| capital(&text)))
        .find(reads)
        .or_else(|| slip(text))
        .or_else(|| {
            // `DE` more likely means two notes than a drum.
            let note = |c: char| matches!(c, 'A'..='G' | '#' | 'b' | '0'..='9');
            let drum = drum_guesses(text, 1).into_iter().next();
            drum.filter(|_| !text.chars().all(note)).map(Into::into)
        })
}

/// Repairs a typo: removes one extra character, `C5` for `Cl5`, or swaps letter and octave.
fn slip(text: &str) -> Option<String> {
    let lettered = |fix: &String| {
        let octave = fix.ends_with(|c: char| c.is_ascii_digit());
        octave && PitchClass::prefix(fix).is_some() && matches!(written(fix), Some(Ok(_)))
    };
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let turned = format!("{digits}{}", &text[..text.len() - digits.len()]);
    if digits.len() < text.len() && lettered(&turned) {
        return Some(capital(&turned));
    }
    let begins = text.starts_with(|c: char| matches!(c, 'A'..='G'));
    if text.len() > 8 || !text.is_ascii() || !begins {
        return None;
    }
    let without = |at: usize| format!("{}{}", &text[..at], &text[at + 1..]);
    let mut found: Vec<String> = (1..text.len()).map(without).filter(lettered).collect();
    found.dedup();
    match found.as_mut_slice() {
        [one] => Some(std::mem::take(one)),
        _ => None,
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The drum names most like a text, best first.
#[must_use]
pub fn drum_guesses(text: &str, limit: usize) -> Vec<&'static str> {
    let names = DRUMS.iter().flat_map(|(_, names)| names.iter().copied());
    let near = nearest(text, names, limit).into_iter();
    near.filter(|name| is_typo(text, name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> u8 {
        PitchWord::parse(text).unwrap().pitch.get()
    }

    fn fix(text: &str) -> Option<String> {
        PitchWord::parse(text).unwrap_err().fix
    }

    #[test]
    fn letters_carry_their_octave() {
        let table = [
            ("C-1", 0),
            ("C4", 60),
            ("c#4", 61),
            ("Db4", 61),
            ("Cb4", 59),
            ("B#3", 60),
            ("E##4", 66),
            ("Bbb3", 57),
            ("bb3", 58),
            ("Fb4", 64),
            ("A4", 69),
            ("G9", 127),
            ("Abb9", 127),
            ("B#-2", 0),
            ("60", 60),
            ("midi:127", 127),
        ];
        for (text, number) in table {
            assert_eq!(key(text), number, "{text}");
            assert!(!PitchWord::parse(text).unwrap().drum);
        }
    }

    #[test]
    fn every_drum_name_is_its_key() {
        for (at, (number, names)) in DRUMS.iter().enumerate() {
            assert_eq!(usize::from(*number), at + 27);
            for name in *names {
                let word = PitchWord::parse(name).unwrap();
                assert!(word.drum, "{name}");
                assert_eq!(word.pitch.get(), *number, "{name}");
                assert_eq!(word.to_string(), names[0]);
                assert_eq!(key(&name.to_uppercase().replace('-', "_")), *number);
            }
        }
        assert_eq!(Pitch(26).drum_name(), None);
        assert_eq!(Pitch(88).drum_name(), None);
    }

    #[test]
    fn invalid_pitches_are_repaired() {
        let table = [
            ("H4", Some("B4")),
            ("Hb4", Some("Bb4")),
            ("C", Some("C4")),
            ("F#", Some("F#4")),
            ("Cs4", Some("C#4")),
            ("Fis4", Some("F#4")),
            ("Des4", Some("Db4")),
            ("B♭3", Some("Bb3")),
            ("C10", Some("C9")),
            ("G#9", Some("G#8")),
            ("C-2", Some("C-1")),
            ("Cb-1", Some("Cb0")),
            ("C99999999999999999999", None),
            ("128", Some("127")),
            ("-1", None),
            ("+60", None),
            ("E-4", Some("Eb4")),
            ("F#-4", Some("F#4")),
            ("midi:200", Some("midi:127")),
            ("midi:x", None),
            ("60.2", Some("60")),
            ("snar", Some("snare")),
            ("kik", Some("kick")),
            ("openhat", None),
            ("", None),
            ("zzzz", None),
            ("Cl5", Some("C5")),
            ("C#l5", Some("C#5")),
            ("C5l", Some("C5")),
            ("4C", Some("C4")),
            ("5bb", Some("Bb5")),
            ("C44", None),
            ("C99", None),
            ("x2", None),
            ("DE", None),
            ("J4", None),
        ];
        for (text, wanted) in table {
            match PitchWord::parse(text) {
                Ok(word) => assert_eq!(wanted, None, "{text} is {word}"),
                Err(error) => assert_eq!(error.fix.as_deref(), wanted, "{text}"),
            }
        }
        assert_eq!(fix(&"9".repeat(1 << 20)).as_deref(), Some("127"));
    }

    #[test]
    fn a_drum_is_not_a_plain_pitch() {
        assert_eq!(Pitch::parse("kick").unwrap_err().fix.as_deref(), Some("C2"));
        assert_eq!(Pitch(61).name_flat(), "Db4");
        assert_eq!(Pitch(0).to_string(), "C-1");
        assert_eq!(Pitch(127).shifted(1), None);
    }
}
