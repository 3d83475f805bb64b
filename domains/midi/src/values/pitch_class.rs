//! Pitch classes: a letter and its accidentals, without an octave.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::pitch::Pitch;

/// A letter with sharps or flats, as spelled: `C`, `F#`, `Bbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PitchClass {
    letter: Letter,
    alter: i8,
}

/// A white key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    /// Do.
    C,
    /// Re.
    D,
    /// Mi.
    E,
    /// Fa.
    F,
    /// Sol.
    G,
    /// La.
    A,
    /// Si.
    B,
}

impl Letter {
    /// All seven, from C up.
    pub const ALL: [Self; 7] = [
        Self::C,
        Self::D,
        Self::E,
        Self::F,
        Self::G,
        Self::A,
        Self::B,
    ];

    /// Semitones above C: 0, 2, 4, 5, 7, 9 or 11.
    #[must_use]
    pub const fn semitone(self) -> i8 {
        match self {
            Self::C => 0,
            Self::D => 2,
            Self::E => 4,
            Self::F => 5,
            Self::G => 7,
            Self::A => 9,
            Self::B => 11,
        }
    }

    fn of(letter: char) -> Option<Self> {
        let ix = "CDEFGAB".find(letter.to_ascii_uppercase())?;
        Self::ALL.get(ix).copied()
    }
}

impl PitchClass {
    /// C, without accidentals.
    pub const C: Self = Self {
        letter: Letter::C,
        alter: 0,
    };

    /// A letter with sharps (1 or 2) or flats (-1 or -2).
    #[must_use]
    pub const fn new(letter: Letter, alter: i8) -> Option<Self> {
        if alter >= -2 && alter <= 2 {
            Some(Self { letter, alter })
        } else {
            None
        }
    }

    /// The letter.
    #[must_use]
    pub const fn letter(self) -> Letter {
        self.letter
    }

    /// Sharps, or flats if negative.
    #[must_use]
    pub const fn alter(self) -> i8 {
        self.alter
    }

    /// The pitch class that a text begins with, with as many accidentals as possible, and the rest
    /// of the text.
    #[must_use]
    pub fn prefix(text: &str) -> Option<(Self, &str)> {
        let letter = Letter::of(text.chars().next()?)?;
        let rest = &text[1..];
        let sign = rest.chars().next().filter(|c| matches!(c, '#' | 'b'));
        let Some(sign) = sign else {
            return Some((Self { letter, alter: 0 }, rest));
        };
        let count = rest.chars().take(2).take_while(|c| *c == sign).count();
        let alter = match (sign, count) {
            ('#', 1) => 1,
            ('#', _) => 2,
            (_, 1) => -1,
            _ => -2,
        };
        Some((Self { letter, alter }, &rest[count..]))
    }

    /// Semitones above C, from 0 to 11.
    #[must_use]
    pub fn semitone(self) -> u8 {
        let semitone = (self.letter.semitone() + self.alter).rem_euclid(12);
        u8::try_from(semitone).unwrap_or_default()
    }

    /// The pitch in an octave, if it exists. The octave is that of the letter, so `Cb` in 4 is key
    /// 59.
    #[must_use]
    pub fn at(self, octave: i8) -> Option<Pitch> {
        Pitch::new(u8::try_from(self.key(octave)).ok()?)
    }

    /// The key number in an octave, which may be outside 0 to 127.
    #[must_use]
    pub fn key(self, octave: i8) -> i32 {
        (i32::from(octave) + 1) * 12 + i32::from(self.letter.semitone()) + i32::from(self.alter)
    }
}

impl fmt::Display for PitchClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signs = match self.alter {
            ..=-2 => "bb",
            -1 => "b",
            0 => "",
            1 => "#",
            2.. => "##",
        };
        write!(f, "{:?}{signs}", self.letter)
    }
}

impl FcpValue for PitchClass {
    const SPEC: ValueSpec = ValueSpec::new("CLASS", "C, F#, Bb");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match Self::prefix(text) {
            Some((class, "")) => Ok(class),
            Some((class, rest)) if rest.parse::<i8>().is_ok() => {
                Err(ValueError::new("has an octave where none belongs").fix(class.to_string()))
            }
            _ => {
                let german = text.strip_prefix(['H', 'h']).map(|rest| format!("B{rest}"));
                let plain = text.replace('♯', "#").replace('♭', "b");
                let fix = german.into_iter().chain([plain]);
                let fix = fix
                    .filter(|fix| fix.len() < 4 && fix != text)
                    .find(|fix| Self::parse(fix).is_ok());
                Err(ValueError::new("is not a letter A to G with # or b").maybe_fix(fix))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_keep_their_spelling() {
        for letter in Letter::ALL {
            for alter in -2..=2 {
                let class = PitchClass::new(letter, alter).unwrap();
                assert_eq!(PitchClass::parse(&class.to_string()), Ok(class));
            }
        }
        let cb = PitchClass::parse("Cb").unwrap();
        assert_eq!(cb.semitone(), 11);
        assert_eq!(cb.at(4).unwrap().get(), 59);
        assert_eq!(PitchClass::parse("b#").unwrap().at(3).unwrap().get(), 60);
        assert_eq!(cb.at(-1), None);
    }

    #[test]
    fn invalid_classes_are_repaired() {
        let fix = |text: &str| PitchClass::parse(text).unwrap_err().fix;
        assert_eq!(fix("H").as_deref(), Some("B"));
        assert_eq!(fix("C4").as_deref(), Some("C"));
        assert_eq!(fix("F♯").as_deref(), Some("F#"));
        assert_eq!(fix("X"), None);
        assert_eq!(fix(""), None);
        assert_eq!(fix("é"), None);
    }
}
