//! Accidentals that notes need.

use std::collections::{BTreeMap, BTreeSet};

use super::super::spelling::Spelled;
use crate::values::{KeySig, Letter};

/// The key and the accidentals in effect within a measure.
///
/// An accidental holds to the end of its measure: for some readers in its octave, for others in
/// all. A note is written so that both read the same.
pub struct Accidentals {
    key: KeySig,
    octaves: BTreeMap<(Letter, i16), i8>,
    letters: BTreeMap<Letter, i8>,
    /// Letters with an accidental before the key changed: readers disagree on whether it still
    /// holds.
    doubtful: BTreeSet<Letter>,
}

impl Accidentals {
    /// At the start of a measure.
    #[must_use]
    pub const fn new(key: KeySig) -> Self {
        Self {
            key,
            octaves: BTreeMap::new(),
            letters: BTreeMap::new(),
            doubtful: BTreeSet::new(),
        }
    }

    /// Changes the key.
    pub fn change(&mut self, key: KeySig) {
        self.key = key;
        self.doubtful.extend(self.letters.keys());
    }

    /// A note in ABC: `^f'`.
    pub fn note(&mut self, note: Spelled) -> String {
        let own = self.key.alter(note.letter);
        let octave = self.octaves.get(&(note.letter, note.octave));
        let letter = self.letters.get(&note.letter);
        let holds = |read: Option<&i8>| read.copied().unwrap_or(own) == note.alter;
        let mut written = String::new();
        if !holds(octave) || !holds(letter) || self.doubtful.contains(&note.letter) {
            self.octaves.insert((note.letter, note.octave), note.alter);
            self.letters.insert(note.letter, note.alter);
            written.push(match note.alter {
                ..0 => '_',
                0 => '=',
                1.. => '^',
            });
        }
        // Capitals are the octave of middle C, lower-case letters the one above.
        let times = |count: i16| usize::try_from(count).unwrap_or_default();
        if note.octave > 4 {
            written.push_str(&note.step().to_lowercase());
            written.push_str(&"'".repeat(times(note.octave - 5)));
        } else {
            written.push_str(&note.step());
            written.push_str(&",".repeat(times(4 - note.octave)));
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::spelling::spelled;
    use super::*;
    use crate::values::Pitch;

    fn spell(accidentals: &mut Accidentals, pitches: &[u8]) -> String {
        let key = accidentals.key;
        let notes = pitches.iter().map(|pitch| {
            let pitch = Pitch::new(*pitch).unwrap();
            accidentals.note(spelled(pitch, key))
        });
        notes.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_note_reads_the_same_however_far_accidentals_reach() {
        let mut accidentals = Accidentals::new(KeySig::new(2, false).unwrap());
        let pitches = [66, 68, 68, 80, 79, 67, 77, 65];
        let text = spell(&mut accidentals, &pitches);
        assert_eq!(text, "F ^G G ^g =g =G =f =F");
        let mut next = Accidentals::new(accidentals.key);
        assert_eq!(spell(&mut next, &[67, 66, 78]), "G F f");
    }

    #[test]
    fn a_key_change_leaves_no_accidental_ambiguous() {
        let mut accidentals = Accidentals::new(KeySig::C_MAJOR);
        assert_eq!(spell(&mut accidentals, &[66, 67]), "^F G");
        accidentals.change(KeySig::new(1, false).unwrap());
        assert_eq!(spell(&mut accidentals, &[66, 66, 65, 67]), "^F ^F =F G");
        let mut next = Accidentals::new(accidentals.key);
        assert_eq!(spell(&mut next, &[66, 65]), "F =F");
    }

    #[test]
    fn octaves_are_written_by_case_and_marks() {
        let mut accidentals = Accidentals::new(KeySig::C_MAJOR);
        let text = spell(&mut accidentals, &[0, 48, 60, 72, 84, 127]);
        assert_eq!(text, "C,,,,, C, C c c' g''''");
    }
}
