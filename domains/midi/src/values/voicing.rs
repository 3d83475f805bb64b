//! Voicings of chords.

use std::fmt;

use fcp::value::{Choice, FcpValue, ValueError, ValueSpec, parse_choice};

use super::chord::{Chord, Kind};
use super::pitch::Pitch;
use super::pitch_class::PitchClass;

/// The distribution of a chord's tones over octaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Voicing {
    /// As close together as possible.
    #[default]
    Close,
    /// The second and the fourth tone from the bottom an octave up.
    Open,
    /// The second tone from the top an octave down.
    Drop2,
    /// The third tone from the top an octave down.
    Drop3,
    /// The lowest tone an octave down, the second an octave up.
    Spread,
    /// Root, third and seventh only; the sixth if there is no seventh.
    Shell,
    /// Root and fifth only; root and octave if there is no fifth.
    Power,
}

const VOICINGS: [(Voicing, Choice); 7] = [
    (Voicing::Close, word("close", &["closed"], "")),
    (
        Voicing::Open,
        word("open", &[], "2nd and 4th tone up an octave"),
    ),
    (
        Voicing::Drop2,
        word("drop2", &[], "2nd from the top down an octave"),
    ),
    (
        Voicing::Drop3,
        word("drop3", &[], "3rd from the top down an octave"),
    ),
    (Voicing::Spread, word("spread", &[], "root down, third up")),
    (Voicing::Shell, word("shell", &[], "1 3 7")),
    (Voicing::Power, word("power", &[], "1 5")),
];

const fn word(word: &'static str, aliases: &'static [&'static str], doc: &'static str) -> Choice {
    Choice { word, aliases, doc }
}

const CHOICES: &[Choice] = &{
    let mut choices = [VOICINGS[0].1; 7];
    let mut ix = 0;
    while ix < 7 {
        choices[ix] = VOICINGS[ix].1;
        ix += 1;
    }
    choices
};

impl fmt::Display for Voicing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = VOICINGS.iter().find(|(voicing, _)| voicing == self);
        f.write_str(known.map_or("close", |(_, choice)| choice.word))
    }
}

impl FcpValue for Voicing {
    const SPEC: ValueSpec = ValueSpec {
        choices: CHOICES,
        ..ValueSpec::new(
            "VOICING",
            "close, open, drop2, drop3, spread, shell or power",
        )
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        parse_choice(CHOICES, text).map(|ix| VOICINGS[ix].0)
    }
}

impl Voicing {
    /// The intervals that it keeps.
    fn chosen(self, intervals: Vec<u8>) -> Vec<i32> {
        let first = |wanted: &[u8]| {
            let known = wanted.iter().find(|tone| intervals.contains(tone));
            known.map(|tone| i32::from(*tone))
        };
        match self {
            Self::Shell => {
                let third = first(&[4, 3, 2, 5]);
                let seventh = first(&[11, 10, 9]);
                [Some(0), third, seventh].into_iter().flatten().collect()
            }
            Self::Power => vec![0, first(&[7, 6, 8]).unwrap_or(12)],
            _ => intervals.into_iter().map(i32::from).collect(),
        }
    }

    /// Moves tones, ordered from the lowest up, by octaves.
    fn spread(self, keys: &mut [i32]) {
        let top = keys.len();
        let mut shift = |ix: Option<usize>, by: i32| {
            if let Some(key) = ix.and_then(|ix| keys.get_mut(ix)) {
                *key += by;
            }
        };
        match self {
            Self::Close | Self::Shell | Self::Power => {}
            Self::Open => {
                shift(Some(1), 12);
                shift(Some(3), 12);
            }
            Self::Drop2 => shift(top.checked_sub(2), -12),
            Self::Drop3 => shift(top.checked_sub(3), -12),
            Self::Spread => {
                shift(Some(0), -12);
                shift(Some(1), 12);
            }
        }
    }
}

impl Chord {
    /// The number of tones in a voicing, without the bass; an inversion must be lower.
    #[must_use]
    pub fn size(&self, voicing: Voicing) -> usize {
        voicing.chosen(self.intervals()).len()
    }

    /// The pitches from the lowest up: the root is in `octave` (4 has middle C), tone `inversion`
    /// (the root is 0) is made the lowest by moving those before it up, then the voicing is
    /// applied, and the bass is added just below all of them.
    ///
    /// Written pitches stay in their octave.
    ///
    /// # Errors
    /// There are not enough tones for the inversion (the repair is the highest one), or a pitch is
    /// outside 0 to 127.
    pub fn tones(
        &self,
        octave: i8,
        inversion: u8,
        voicing: Voicing,
    ) -> Result<Vec<Pitch>, ValueError> {
        let inversion = usize::from(inversion);
        let size = self.size(voicing);
        if inversion >= size {
            let problem = format!(
                "{self} has {size} tones, so its inversions are 0 to {}",
                size - 1
            );
            return Err(ValueError::sentence(problem).fix((size - 1).to_string()));
        }
        let keys = |octave| self.keys(octave, inversion, voicing);
        let pitches = |octave| -> Option<Vec<Pitch>> {
            let keys = keys(octave).into_iter();
            keys.map(|key| Pitch::new(u8::try_from(key).ok()?))
                .collect()
        };
        pitches(octave).ok_or_else(|| {
            let high = keys(octave).last().is_some_and(|key| *key > 127);
            let side = if high {
                "above G9 (127)"
            } else {
                "below C-1 (0)"
            };
            let fits = (-1..=9).filter(|octave| pitches(*octave).is_some());
            let near = fits.min_by_key(|fit: &i8| fit.abs_diff(octave));
            let near = near.filter(|_| self.root().is_some());
            let fits = near.map_or(String::new(), |octave| {
                format!(", in octave {octave} it fits")
            });
            let error = ValueError::sentence(format!("{self} goes {side}{fits}"));
            error.maybe_fix(near.map(|octave| octave.to_string()))
        })
    }

    fn keys(&self, octave: i8, inversion: usize, voicing: Voicing) -> Vec<i32> {
        let lowest = match &self.0 {
            Kind::Symbol { root, .. } => root.key(octave),
            Kind::Pitches(pitches) => pitches.first().map_or(0, |pitch| i32::from(pitch.get())),
        };
        let chosen = voicing.chosen(self.intervals());
        let mut keys: Vec<i32> = chosen.into_iter().map(|tone| lowest + tone).collect();
        if let Some(bottom) = keys.get(inversion).copied() {
            // Tones below the new lowest one move above it.
            for key in &mut keys[..inversion] {
                *key += (bottom - *key + 11) / 12 * 12;
            }
        }
        keys.sort_unstable();
        voicing.spread(&mut keys);
        keys.sort_unstable();
        keys.dedup();
        if let (Some(bass), Some(lowest)) = (self.bass(), keys.first()) {
            keys.insert(0, below(*lowest, bass));
        }
        keys
    }
}

/// The highest key of a pitch class below another key.
fn below(key: i32, class: PitchClass) -> i32 {
    let distance = (key - i32::from(class.semitone())).rem_euclid(12);
    key - if distance == 0 { 12 } else { distance }
}
