//! Spelling of pitches in a key.

use crate::values::{FIFTHS, KeySig, Letter, Pitch, PitchClass};

/// A spelled pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spelled {
    /// The letter.
    pub letter: Letter,
    /// 1 for a sharp, -1 for a flat.
    pub alter: i8,
    /// The octave of the letter; octave 4 begins with middle C.
    pub octave: i16,
}

/// Spells a pitch in a key: tones of the key and the leading tone of a minor key as such, others
/// with sharps, or with flats in a key that has flats.
#[must_use]
pub fn spelled(pitch: Pitch, key: KeySig) -> Spelled {
    let sharps = i16::from(key.sharps());
    // Counted in fifths above F; seven fifths raise a letter by a semitone.
    let class = i16::from(pitch.semitone()) * 7 + 1;
    let above = |low: i16| low + (class - low).rem_euclid(12);
    let (tone, leading) = (above(sharps), sharps + 9);
    let fifths = match key.flats() {
        _ if tone < sharps + 7 => tone,
        // A double sharp would not be easier to read.
        _ if key.minor() && leading < 14 && above(leading) == leading => leading,
        true => above(-5),
        false => above(0),
    };
    let letter = usize::try_from(fifths.rem_euclid(7)).unwrap_or_default();
    let letter = FIFTHS.get(letter).copied().unwrap_or(Letter::C);
    let alter = i8::try_from(fifths.div_euclid(7)).unwrap_or_default();
    let natural = i16::from(pitch.get()) - i16::from(letter.semitone()) - i16::from(alter);
    Spelled {
        letter,
        alter,
        octave: natural / 12 - 1,
    }
}

impl Spelled {
    /// The name of the letter.
    #[must_use]
    pub fn step(self) -> String {
        PitchClass::new(self.letter, 0).map_or_else(String::new, |class| class.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(pitch: u8, sharps: i8, minor: bool) -> String {
        let key = KeySig::new(sharps, minor).unwrap();
        let spelled = spelled(Pitch::new(pitch).unwrap(), key);
        let sign = ["b", "", "#"][usize::try_from(spelled.alter + 1).unwrap()];
        format!("{}{sign}{}", spelled.step(), spelled.octave)
    }

    #[test]
    fn a_key_spells_its_own_tones_and_others_by_its_side() {
        let table = [
            (61, 0, false, "C#4"),
            (70, 0, false, "A#4"),
            (61, -1, false, "Db4"),
            (65, 6, false, "E#4"),
            (60, 7, false, "B#3"),
            (59, -6, false, "Cb4"),
            (64, -7, false, "Fb4"),
            (65, 2, false, "F4"),
            (61, -1, true, "C#4"),
            (66, -2, true, "F#4"),
            (68, 0, true, "G#4"),
            (63, -1, true, "Eb4"),
            (67, 5, true, "G4"),
            (0, 0, false, "C-1"),
            (127, 0, false, "G9"),
            (0, 7, false, "B#-2"),
        ];
        for (pitch, sharps, minor, wanted) in table {
            assert_eq!(
                name(pitch, sharps, minor),
                wanted,
                "{pitch} by {sharps} {minor}"
            );
        }
    }

    #[test]
    fn spellings_keep_the_pitch_in_every_key() {
        for sharps in -7..=7 {
            for (minor, pitch) in [false, true]
                .into_iter()
                .flat_map(|minor| (0..=127).map(move |pitch| (minor, pitch)))
            {
                let key = KeySig::new(sharps, minor).unwrap();
                let note = spelled(Pitch::new(pitch).unwrap(), key);
                let natural = (note.octave + 1) * 12 + i16::from(note.letter.semitone());
                assert_eq!(natural + i16::from(note.alter), i16::from(pitch));
                assert!((-1..=1).contains(&note.alter));
            }
        }
    }

    #[test]
    fn a_signature_alters_as_many_letters_as_it_says() {
        for sharps in -7..=7 {
            let key = KeySig::new(sharps, false).unwrap();
            let alters = Letter::ALL.map(|letter| key.alter(letter));
            assert_eq!(alters.iter().sum::<i8>(), sharps);
        }
        let d = KeySig::new(2, false).unwrap();
        assert_eq!(d.alter(Letter::F), 1);
        assert_eq!(d.alter(Letter::C), 1);
        assert_eq!(d.alter(Letter::G), 0);
        let f = KeySig::new(-1, false).unwrap();
        assert_eq!(f.alter(Letter::B), -1);
        assert_eq!(f.alter(Letter::E), 0);
    }
}
