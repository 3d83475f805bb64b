//! Chords by their degree in a key: `I`, `vi7`, `bVII`, `V7`.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::chord::{Chord, ChordShape};
use super::key::KeySig;
use super::pitch_class::{Letter, PitchClass};

/// The degrees, longer ones before their prefixes, with their number of letters above the tonic.
const DEGREES: [(&str, usize); 7] = [
    ("VII", 6),
    ("VI", 5),
    ("IV", 3),
    ("V", 4),
    ("III", 2),
    ("II", 1),
    ("I", 0),
];

/// Semitones of each degree above the tonic, in major and in natural minor.
const MAJOR: [i32; 7] = [0, 2, 4, 5, 7, 9, 11];
const MINOR: [i32; 7] = [0, 2, 3, 5, 7, 8, 10];

/// A degree of a key, and the chord on it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numeral {
    /// Semitones from the degree of the major scale, negative if down; `None` for the degree of the
    /// key itself.
    alter: Option<i32>,
    degree: usize,
    shape: ChordShape,
    /// Whether it has a diminished fifth; then the seventh degree of minor is the leading tone.
    leads: bool,
}

/// A chord of a progression: by its symbol, or by its degree in the key in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harmony(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Chord(Chord),
    Numeral(String, Numeral),
}

impl Harmony {
    /// The chord; `None` for a degree without a key.
    #[must_use]
    pub fn chord(&self, key: Option<KeySig>) -> Option<Chord> {
        match &self.0 {
            Kind::Chord(chord) => Some(chord.clone()),
            Kind::Numeral(_, numeral) => Some(numeral.chord(key?)),
        }
    }
}

impl Numeral {
    fn read(text: &str) -> Option<Self> {
        let body = text.trim_start_matches(['b', '#']);
        let signs = &text[..text.len() - body.len()];
        if signs.len() > 2 || signs.contains('b') && signs.contains('#') {
            return None;
        }
        let upper = body.starts_with(['I', 'V']);
        let (name, degree) = DEGREES.iter().find(|(name, _)| {
            let head = body.get(..name.len());
            head.is_some_and(|head| {
                if upper {
                    head == *name
                } else {
                    head == name.to_lowercase()
                }
            })
        })?;
        let rest = &body[name.len()..];
        let diminished = ["o", "°", "ø", "dim"];
        let leads = diminished.iter().any(|sign| rest.starts_with(sign));
        let shape = if upper || leads {
            ChordShape::read(rest)
        } else {
            ChordShape::read(&format!("m{rest}")).or_else(|| ChordShape::read(rest))
        };
        let count = i32::try_from(signs.len()).ok()?;
        let alter = match signs.chars().next() {
            None => None,
            Some('b') => Some(-count),
            Some(_) => Some(count),
        };
        Some(Self {
            alter,
            degree: *degree,
            shape: shape?,
            leads,
        })
    }

    fn chord(&self, key: KeySig) -> Chord {
        let tonic = key.tonic();
        let leading = key.minor() && self.leads && self.degree == 6;
        let above = match self.alter {
            // Accidentals are relative to major, in minor too: bVII of A minor is G.
            Some(alter) => MAJOR[self.degree] + alter,
            None if key.minor() && !leading => MINOR[self.degree],
            None => MAJOR[self.degree],
        };
        let first = Letter::ALL
            .iter()
            .position(|letter| *letter == tonic.letter());
        let place = first.unwrap_or(0) + self.degree;
        let letter = Letter::ALL[place % 7];
        let wanted = i32::from(tonic.semitone()) + above;
        let alter = (wanted - i32::from(letter.semitone()) + 6).rem_euclid(12) - 6;
        let root = i8::try_from(alter).ok();
        let root = root.and_then(|alter| PitchClass::new(letter, alter));
        Chord::new(root.unwrap_or(tonic), self.shape.clone(), None)
    }
}

impl fmt::Display for Harmony {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Chord(chord) => chord.fmt(f),
            Kind::Numeral(text, _) => f.write_str(text),
        }
    }
}

impl FcpValue for Harmony {
    const SPEC: ValueSpec = ValueSpec::new("CHORD", "Am7, G/B, or a degree of the key: vi7, bVII");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.len() < 64
            && let Some(numeral) = Numeral::read(text)
        {
            return Ok(Self(Kind::Numeral(text.to_owned(), numeral)));
        }
        Chord::parse(text).map(|chord| Self(Kind::Chord(chord)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_chords_of_their_key() {
        let table = [
            ("I", "C-major", "C"),
            ("ii", "C-major", "Dm"),
            ("vi7", "C-major", "Am7"),
            ("bVII", "C-major", "Bb"),
            ("V7", "F-major", "C7"),
            ("IVmaj7", "G-major", "Cmaj7"),
            ("vii°", "C-major", "Bdim"),
            ("iiø", "A-minor", "Bm7b5"),
            ("i", "A-minor", "Am"),
            ("VI", "A-minor", "F"),
            ("VII", "A-minor", "G"),
            ("bVII", "A-minor", "G"),
            ("viio7", "A-minor", "G#dim7"),
            ("V", "A-minor", "E"),
            ("#IV", "Gb-major", "C"),
            ("iadd9", "C-minor", "Cmadd9"),
            ("IV", "Gb-major", "Cb"),
            ("Am7", "C-major", "Am7"),
            ("D", "C-major", "D"),
        ];
        for (text, key, chord) in table {
            let key = KeySig::parse(key).unwrap();
            let harmony = Harmony::parse(text).unwrap();
            assert_eq!(harmony.to_string(), text);
            assert_eq!(harmony.chord(Some(key)).unwrap().to_string(), chord);
        }
        assert_eq!(Harmony::parse("V7").unwrap().chord(None), None);
        for text in ["", "H", "VIII", "bb", "iVx", "b#II", "###I"] {
            assert!(Harmony::parse(text).is_err(), "{text}");
        }
    }
}
