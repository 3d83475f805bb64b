//! Chord recognition.

use std::sync::LazyLock;

use crate::model::Song;
use crate::values::{ChordShape, Pitch};

/// The kinds of chords to recognize, the most informative with the fewest tones first.
const KINDS: [&str; 33] = [
    "", "m", "7", "m7", "maj7", "dim", "aug", "sus4", "sus2", "m7b5", "dim7", "6", "m6", "mM7",
    "7sus4", "add9", "9", "m9", "maj9", "69", "madd9", "5", "7b5", "7b9", "7#9", "7#11", "9sus4",
    "11", "m11", "13", "m13", "maj13", "alt",
];

/// The tones of these kinds, in semitones above the root.
static TONES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let shapes = KINDS.iter().filter_map(|name| ChordShape::read(name));
    shapes.map(|shape| shape.tones()).collect()
});

/// Sounding tones: the weight of each pitch class, and the lowest pitch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PitchClassWeights {
    weights: [u64; 12],
    lowest: Option<Pitch>,
}

impl PitchClassWeights {
    /// Adds a pitch with the time that it sounds.
    pub fn add(&mut self, pitch: Pitch, weight: u64) {
        if let Some(own) = self.weights.get_mut(usize::from(pitch.semitone())) {
            *own = own.saturating_add(weight);
        }
        self.lowest = Some(self.lowest.map_or(pitch, |lowest| lowest.min(pitch)));
    }

    /// Total weight.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.weights
            .iter()
            .fold(0, |sum, own| sum.saturating_add(*own))
    }
}

/// A recognized chord, with its share of the sounding tones.
struct Best {
    root: u8,
    name: &'static str,
    score: f64,
    share: f64,
}

#[allow(
    clippy::cast_precision_loss,
    reason = "shares need no more than a few digits"
)]
fn best(tones: &PitchClassWeights) -> Option<Best> {
    let total = tones.total() as f64;
    let bass = tones.lowest?.semitone();
    if tones.weights.iter().filter(|own| **own > 0).count() < 2 {
        return None;
    }
    let mut best: Option<Best> = None;
    for (rank, (name, above)) in KINDS.iter().zip(TONES.iter()).enumerate() {
        for root in 0..12_u8 {
            let classes = above.iter().map(|tone| (root + tone) % 12);
            let (mut inside, mut missing) = (0.0, 0.0);
            for (ix, class) in classes.enumerate() {
                let own = tones.weights.get(usize::from(class)).copied().unwrap_or(0);
                inside += own as f64;
                if own == 0 {
                    // A missing fifth is common, a missing root or third is not.
                    missing += if ix == 2 { 0.15 } else { 0.4 };
                }
            }
            let share = inside / total;
            let low = if bass == root { 0.2 } else { 0.0 };
            let score = share - (1.0 - share) - missing + low - 0.002 * rank as f64;
            if best.as_ref().is_none_or(|best| score > best.score) {
                best = Some(Best {
                    root,
                    name,
                    score,
                    share,
                });
            }
        }
    }
    best.filter(|best| best.score > 0.2)
}

/// The symbol of the sounding chord, with its bass if that is not the root: `Am7`, `G/B`.
#[must_use]
pub fn symbol(song: &Song, tones: &PitchClassWeights) -> Option<String> {
    let best = best(tones)?;
    let bass = tones.lowest?.semitone();
    let class = |semitone: u8| {
        let pitch = Pitch::new(60 + semitone % 12);
        let name = pitch.map(|pitch| match song.in_flats() {
            true => pitch.name_flat(),
            false => pitch.name_sharp(),
        });
        name.unwrap_or_default()
            .trim_end_matches(char::is_numeric)
            .to_owned()
    };
    let under = if bass == best.root {
        String::new()
    } else {
        format!("/{}", class(bass))
    };
    Some(format!("{}{}{under}", class(best.root), best.name))
}

/// Whether the tones form a complete chord with no others.
#[must_use]
pub fn is_whole_chord(tones: &PitchClassWeights) -> bool {
    let classes = tones.weights.iter().filter(|own| **own > 0).count();
    classes > 2 && best(tones).is_some_and(|best| best.share > 0.999 && best.score > 0.9)
}

/// Whether one chord accounts for nearly all tones.
#[must_use]
pub fn is_one_chord(tones: &PitchClassWeights) -> bool {
    best(tones).is_some_and(|best| best.share > 0.9 && best.score > 0.6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_recognized_by_its_tones() {
        assert_eq!(TONES.len(), KINDS.len());
        for (name, above) in KINDS.iter().zip(TONES.iter()) {
            let mut tones = PitchClassWeights::default();
            for tone in above {
                tones.add(Pitch::new(48 + tone).unwrap(), 480);
            }
            let best = best(&tones).unwrap();
            assert_eq!((best.root, best.name), (0, *name));
        }
    }
}
