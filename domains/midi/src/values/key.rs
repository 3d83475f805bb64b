//! Key signatures.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, fold, nearest_word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pitch_class::{Letter, PitchClass};
use super::scale::Scale;

/// A key signature as a file holds it: seven flats (-7) to seven sharps (7), major or minor.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct KeySig {
    sharps: i8,
    minor: bool,
}

/// The letters in the order in which sharps are added, each a fifth above the one before.
pub const FIFTHS: [Letter; 7] = [
    Letter::F,
    Letter::C,
    Letter::G,
    Letter::D,
    Letter::A,
    Letter::E,
    Letter::B,
];

impl KeySig {
    /// No sharps and no flats, major.
    pub const C_MAJOR: Self = Self {
        sharps: 0,
        minor: false,
    };

    /// The key of the two bytes of a key-signature meta; `None` beyond seven.
    #[must_use]
    pub const fn new(sharps: i8, minor: bool) -> Option<Self> {
        if sharps >= -7 && sharps <= 7 {
            Some(Self { sharps, minor })
        } else {
            None
        }
    }

    /// Sharps, or flats if negative: -7 to 7.
    #[must_use]
    pub const fn sharps(self) -> i8 {
        self.sharps
    }

    /// Whether it is minor.
    #[must_use]
    pub const fn minor(self) -> bool {
        self.minor
    }

    /// Whether it has flats; then black keys are shown as flats.
    #[must_use]
    pub const fn flats(self) -> bool {
        self.sharps < 0
    }

    /// The sharps of a letter in this key, or flats if negative.
    #[must_use]
    pub fn alter(self, letter: Letter) -> i8 {
        let place = FIFTHS.iter().position(|own| *own == letter).unwrap_or(0);
        let place = i8::try_from(place).unwrap_or_default();
        // The first sharp is on F, the first flat on B.
        i8::from(place < self.sharps()) - i8::from(6 - place < -self.sharps())
    }

    /// The first degree.
    #[must_use]
    pub fn tonic(self) -> PitchClass {
        let place = i16::from(self.sharps) + if self.minor { 4 } else { 1 };
        on_fifths(place)
    }

    /// The signature of the key on a tonic, if it has at most seven sharps or flats.
    #[must_use]
    pub fn on(tonic: PitchClass, minor: bool) -> Option<Self> {
        let sharps = sharps_on(tonic, minor);
        Self::new(i8::try_from(sharps).ok()?, minor)
    }

    /// The key a number of semitones away, spelled with the fewest accidentals: up to six sharps or
    /// five flats.
    #[must_use]
    pub fn shifted(self, semitones: i32) -> Self {
        // Seven fifths make a semitone.
        let sharps = (i32::from(self.sharps) + 7 * semitones + 5).rem_euclid(12) - 5;
        Self {
            sharps: i8::try_from(sharps).unwrap_or_default(),
            minor: self.minor,
        }
    }

    /// The key on a tonic, or on its enharmonic equivalent if it needs too many accidentals.
    #[must_use]
    pub fn nearest_on(tonic: PitchClass, minor: bool) -> Self {
        let sharps = sharps_on(tonic, minor);
        let folded = match sharps {
            ..-7 => sharps + 12 * (1 + (-8 - sharps) / 12),
            8.. => sharps - 12 * (1 + (sharps - 8) / 12),
            _ => sharps,
        };
        Self {
            sharps: i8::try_from(folded).unwrap_or_default(),
            minor,
        }
    }
}

/// The pitch class a number of fifths above F.
fn on_fifths(place: i16) -> PitchClass {
    let letter = FIFTHS[usize::try_from(place.rem_euclid(7)).unwrap_or_default()];
    let alter = i8::try_from(place.div_euclid(7)).unwrap_or_default();
    PitchClass::new(letter, alter.clamp(-2, 2)).unwrap_or(PitchClass::C)
}

/// The number of sharps of the key on a tonic, negative for flats.
fn sharps_on(tonic: PitchClass, minor: bool) -> i16 {
    let place = FIFTHS.iter().position(|letter| *letter == tonic.letter());
    let place = i16::try_from(place.unwrap_or_default()).unwrap_or_default();
    place + 7 * i16::from(tonic.alter()) - if minor { 4 } else { 1 }
}

impl fmt::Display for KeySig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.minor { "minor" } else { "major" };
        write!(f, "{}-{mode}", self.tonic())
    }
}

/// The two modes that a signature can name.
#[derive(fcp::FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMode {
    /// With a major third.
    #[fcp(alias = "maj")]
    Major,
    /// With a minor third.
    #[fcp(alias = "min")]
    Minor,
}

/// Modes and scales that a signature cannot express: the word, the distance in fifths from the
/// tonic's major key, and whether the nearest signature is minor.
const MODES: [(&str, i16, bool); 13] = [
    ("ionian", 0, false),
    ("dorian", -2, false),
    ("phrygian", -4, false),
    ("lydian", 1, false),
    ("mixolydian", -1, false),
    ("aeolian", 0, true),
    ("locrian", -5, false),
    ("harmonicminor", 0, true),
    ("melodicminor", 0, true),
    ("pentatonic", 0, false),
    ("minorpentatonic", 0, true),
    ("blues", 0, true),
    ("chromatic", 0, false),
];

/// The mode after a tonic: major or minor, or another one, for which a key signature suggests the
/// nearest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyWord(Box<str>);

impl fmt::Display for KeyWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FcpValue for KeyWord {
    const SPEC: ValueSpec = KeyMode::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        let folded = fold(text);
        if MODES.iter().any(|(word, ..)| *word == folded) {
            return Ok(Self(text.into()));
        }
        KeyMode::parse(text).map(|mode| Self(mode.to_string().into()))
    }
}

/// The key of degrees: a mode that a file cannot hold means the major or minor key on its tonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tonality(pub KeySig);

impl fmt::Display for Tonality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Tonality {
    const SPEC: ValueSpec = KeySig::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        KeySig::parse(text).map(Self).map_err(|error| {
            let Ok(scale) = Scale::parse(text) else {
                return error;
            };
            let minor = !scale.steps().contains(&4);
            error.fix(KeySig::nearest_on(scale.tonic, minor).to_string())
        })
    }
}

impl FcpValue for KeySig {
    const SPEC: ValueSpec = ValueSpec::new("KEY", "A-minor, Am, F#, Bb-major");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.len() > 64 {
            return Err(ValueError::new("is not a key like A-minor"));
        }
        let Some((tonic, rest)) = PitchClass::prefix(text.trim()) else {
            let german = text.strip_prefix(['H', 'h']).map(|rest| format!("B{rest}"));
            let named = text.strip_prefix("key:").map(str::to_owned);
            let fix = german.or(named).and_then(|fix| Self::parse(&fix).ok());
            return Err(ValueError::new("is not a key like A-minor")
                .maybe_fix(fix.map(|key| key.to_string())));
        };
        let rest = rest.trim_start_matches(['-', '_', ' ']);
        let mode = fold(rest);
        let minor = match (rest, mode.as_str()) {
            ("m", _) | (_, "min" | "minor" | "moll") => true,
            ("" | "M", _) | (_, "maj" | "major" | "dur") => false,
            _ => return Err(unknown(tonic, &mode)),
        };
        Self::on(tonic, minor).ok_or_else(|| {
            let count = sharps_on(tonic, minor);
            let signs = if count > 0 { "sharps" } else { "flats" };
            let near = Self::nearest_on(tonic, minor);
            let count = count.unsigned_abs();
            ValueError::new(format!(
                "has {count} {signs}, a key signature has at most 7"
            ))
            .fix(near.to_string())
        })
    }
}

fn unknown(tonic: PitchClass, mode: &str) -> ValueError {
    if let Some((_, fifths, minor)) = MODES.iter().find(|(word, ..)| *word == mode) {
        let place = sharps_on(tonic, false) + fifths + 1;
        let key = if *minor {
            KeySig::nearest_on(tonic, true)
        } else {
            KeySig::nearest_on(on_fifths(place), false)
        };
        return ValueError::sentence("a Standard MIDI File holds major and minor keys only")
            .fix(key.to_string());
    }
    let near = nearest_word(mode, ["minor", "major"]);
    let key = near.map(|near| KeySig::nearest_on(tonic, near == "minor").to_string());
    ValueError::new("is not a key like A-minor").maybe_fix(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_has_its_tonic() {
        let major = [
            "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#",
        ];
        let minor = [
            "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#",
        ];
        for (sharps, (major, minor)) in (-7..).zip(major.into_iter().zip(minor)) {
            let key = KeySig::new(sharps, false).unwrap();
            assert_eq!(key.to_string(), format!("{major}-major"));
            assert_eq!(KeySig::parse(major), Ok(key));
            assert_eq!(KeySig::parse(&format!("{major} maj")), Ok(key));
            let key = KeySig::new(sharps, true).unwrap();
            assert_eq!(key.to_string(), format!("{minor}-minor"));
            assert_eq!(KeySig::parse(&format!("{minor}m")), Ok(key));
            assert_eq!(KeySig::parse(&format!("{minor} Minor")), Ok(key));
        }
    }

    #[test]
    fn degrees_keep_their_tonic() {
        for (text, wanted) in [
            ("D-dorian", "D-minor"),
            ("F-lydian", "F-major"),
            ("Db-minor", "C#-minor"),
        ] {
            let error = Tonality::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), Some(wanted), "{text}");
        }
        assert_eq!(
            Tonality::parse("Am").map(|key| key.to_string()),
            Ok("A-minor".to_owned())
        );
    }

    #[test]
    fn invalid_signatures_are_repaired() {
        let table = [
            ("D-dorian", Some("C-major")),
            ("E phrygian", Some("C-major")),
            ("C-lydian", Some("G-major")),
            ("C-mixolydian", Some("F-major")),
            ("B-locrian", Some("C-major")),
            ("A-aeolian", Some("A-minor")),
            ("A-harmonic-minor", Some("A-minor")),
            ("G#", Some("Ab-major")),
            ("Fb-major", Some("E-major")),
            ("B##m", Some("C#-minor")),
            ("Bbb-minor", Some("A-minor")),
            ("H-minor", Some("B-minor")),
            ("A-mino", Some("A-minor")),
            ("A-xyz", None),
            ("", None),
            ("key:Am", Some("A-minor")),
            ("4/4", None),
        ];
        for (text, wanted) in table {
            let error = KeySig::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), wanted, "{text}");
        }
    }
}
