//! The tones of chords.

/// A kind of chord.
#[derive(Debug)]
pub struct Quality {
    /// Its spellings after the root; the first is shown.
    pub names: &'static [&'static str],
    /// Its tones in semitones above the root, from the root up.
    pub tones: &'static [u8],
}

const fn quality(names: &'static [&'static str], tones: &'static [u8]) -> Quality {
    Quality { names, tones }
}

/// Every kind of chord.
pub const QUALITIES: [Quality; 29] = [
    quality(&["", "maj", "M", "major"], &[0, 4, 7]),
    quality(&["m", "min", "-", "minor", "mi"], &[0, 3, 7]),
    quality(&["5"], &[0, 7]),
    quality(&["dim", "o", "°"], &[0, 3, 6]),
    quality(&["aug", "+"], &[0, 4, 8]),
    quality(&["sus2"], &[0, 2, 7]),
    quality(&["sus4", "sus"], &[0, 5, 7]),
    quality(&["6", "maj6", "M6"], &[0, 4, 7, 9]),
    quality(&["m6", "min6", "-6"], &[0, 3, 7, 9]),
    quality(&["69", "6/9", "6add9"], &[0, 4, 7, 9, 14]),
    quality(&["7", "dom7"], &[0, 4, 7, 10]),
    quality(&["maj7", "M7", "ma7", "major7", "Δ", "Δ7"], &[0, 4, 7, 11]),
    quality(&["m7", "-7", "min7", "mi7", "minor7"], &[0, 3, 7, 10]),
    quality(
        &[
            "mM7", "mmaj7", "minmaj7", "-maj7", "-M7", "m(maj7)", "m(M7)",
        ],
        &[0, 3, 7, 11],
    ),
    quality(&["dim7", "o7", "°7"], &[0, 3, 6, 9]),
    quality(&["m7b5", "ø", "ø7", "-7b5", "min7b5"], &[0, 3, 6, 10]),
    quality(&["7sus4", "7sus"], &[0, 5, 7, 10]),
    quality(&["add9", "(add9)"], &[0, 4, 7, 14]),
    quality(&["madd9", "m(add9)", "minadd9", "-add9"], &[0, 3, 7, 14]),
    quality(&["9"], &[0, 4, 7, 10, 14]),
    quality(&["maj9", "M9", "major9"], &[0, 4, 7, 11, 14]),
    quality(&["m9", "-9", "min9", "minor9"], &[0, 3, 7, 10, 14]),
    quality(&["9sus4", "9sus"], &[0, 5, 7, 10, 14]),
    quality(&["11"], &[0, 4, 7, 10, 14, 17]),
    quality(&["m11", "-11", "min11"], &[0, 3, 7, 10, 14, 17]),
    quality(&["13"], &[0, 4, 7, 10, 14, 21]),
    quality(&["maj13", "M13", "major13"], &[0, 4, 7, 11, 14, 21]),
    quality(&["m13", "-13", "min13"], &[0, 3, 7, 10, 14, 21]),
    quality(&["alt", "7alt"], &[0, 4, 10, 13, 15, 20]),
];

/// A change to one tone of a chord.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alteration {
    /// A diminished fifth instead of the fifth.
    FlatFive,
    /// An augmented fifth instead of the fifth.
    SharpFive,
    /// A minor ninth instead of the ninth.
    FlatNine,
    /// An augmented ninth instead of the ninth.
    SharpNine,
    /// An augmented eleventh instead of the eleventh.
    SharpEleven,
    /// A minor thirteenth instead of the thirteenth.
    FlatThirteen,
    /// No third.
    NoThird,
    /// No fifth.
    NoFifth,
}

/// The spelling of each alteration.
pub const ALTERATIONS: [(&str, Alteration); 8] = [
    ("b5", Alteration::FlatFive),
    ("#5", Alteration::SharpFive),
    ("b9", Alteration::FlatNine),
    ("#9", Alteration::SharpNine),
    ("#11", Alteration::SharpEleven),
    ("b13", Alteration::FlatThirteen),
    ("no3", Alteration::NoThird),
    ("no5", Alteration::NoFifth),
];

impl Alteration {
    /// Its spelling.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = ALTERATIONS.iter().find(|(_, known)| *known == self);
        known.map_or("", |(name, _)| name)
    }

    /// Replaces the natural tone by the altered one, adds it, or removes tones.
    pub(super) fn apply(self, tones: &mut Vec<u8>) {
        let (natural, altered) = match self {
            Self::FlatFive => (7, 6),
            Self::SharpFive => (7, 8),
            Self::FlatNine => (14, 13),
            Self::SharpNine => (14, 15),
            Self::SharpEleven => (17, 18),
            Self::FlatThirteen => (21, 20),
            Self::NoThird => return tones.retain(|tone| !matches!(tone, 3 | 4)),
            Self::NoFifth => return tones.retain(|tone| !matches!(tone, 6..=8)),
        };
        tones.retain(|tone| *tone != natural);
        tones.push(altered);
        tones.sort_unstable();
        tones.dedup();
    }
}
