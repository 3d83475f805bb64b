//! Scales.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::key::KeySig;
use super::pitch::Pitch;
use super::pitch_class::PitchClass;
use super::repair::same;

/// A scale on a tonic: `D-dorian`, `A-minor`, `F#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scale {
    /// The first degree.
    pub tonic: PitchClass,
    /// Its place among the kinds.
    kind: usize,
}

/// A kind of scale: how it is written, the first name being the one shown, and its steps in semitones above the tonic.
type Kind = (&'static [&'static str], &'static [u8]);

/// Every kind of scale, major and minor first.
pub const SCALES: [Kind; 14] = [
    (&["major", "ionian", "maj"], &[0, 2, 4, 5, 7, 9, 11]),
    (
        &["minor", "aeolian", "natural-minor", "min"],
        &[0, 2, 3, 5, 7, 8, 10],
    ),
    (&["dorian"], &[0, 2, 3, 5, 7, 9, 10]),
    (&["phrygian"], &[0, 1, 3, 5, 7, 8, 10]),
    (&["lydian"], &[0, 2, 4, 6, 7, 9, 11]),
    (&["mixolydian"], &[0, 2, 4, 5, 7, 9, 10]),
    (&["locrian"], &[0, 1, 3, 5, 6, 8, 10]),
    (&["harmonic-minor"], &[0, 2, 3, 5, 7, 8, 11]),
    (&["melodic-minor"], &[0, 2, 3, 5, 7, 9, 11]),
    (&["pentatonic", "major-pentatonic"], &[0, 2, 4, 7, 9]),
    (&["minor-pentatonic"], &[0, 3, 5, 7, 10]),
    (&["blues"], &[0, 3, 5, 6, 7, 10]),
    (&["whole-tone"], &[0, 2, 4, 6, 8, 10]),
    (&["chromatic"], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
];

impl Scale {
    /// The steps in semitones above the tonic, from 0 up.
    #[must_use]
    pub const fn steps(self) -> &'static [u8] {
        SCALES[self.kind].1
    }

    /// Whether a pitch is one of its tones, in any octave.
    #[must_use]
    pub fn contains(self, pitch: Pitch) -> bool {
        let above = (pitch.get() + 12 - self.tonic.semitone()) % 12;
        self.steps().contains(&above)
    }

    /// The pitch so many tones of the scale away. One that is no tone of it keeps its distance from the tone below.
    #[must_use]
    pub fn moved(self, pitch: Pitch, steps: i32) -> Option<Pitch> {
        let above = i32::from((pitch.get() + 12 - self.tonic.semitone()) % 12);
        let degree = self
            .steps()
            .iter()
            .rposition(|step| i32::from(*step) <= above)?;
        let off = above - i32::from(self.steps()[degree]);
        let count = i32::try_from(self.steps().len()).ok()?;
        let target = i32::try_from(degree).ok()?.checked_add(steps)?;
        let step = self.steps()[usize::try_from(target.rem_euclid(count)).ok()?];
        let octaves = target.div_euclid(count).checked_mul(12)?;
        let by = octaves.checked_add(i32::from(step) + off - above)?;
        pitch.shifted(by)
    }

    /// The tone of the scale nearest to a pitch; of two as near, the lower.
    #[must_use]
    pub fn nearest(self, pitch: Pitch) -> Pitch {
        // No two tones of any scale are more than an octave apart.
        let near = (0..=12).flat_map(|by| [pitch.shifted(-by), pitch.shifted(by)]);
        near.flatten()
            .find(|pitch| self.contains(*pitch))
            .unwrap_or(pitch)
    }

    /// The signature of a major or minor scale, if a file can hold it.
    #[must_use]
    pub fn key(self) -> Option<KeySig> {
        (self.kind < 2).then(|| KeySig::on(self.tonic, self.kind == 1))?
    }
}

impl From<KeySig> for Scale {
    fn from(key: KeySig) -> Self {
        Self {
            tonic: key.tonic(),
            kind: usize::from(key.minor()),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.tonic, SCALES[self.kind].0[0])
    }
}

impl FcpValue for Scale {
    const SPEC: ValueSpec = ValueSpec::new("SCALE", "A-minor, Am, F#, D-dorian, C-blues");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let wrong = || ValueError::new("is not a scale like A-minor or D-dorian");
        if text.len() > 64 {
            return Err(wrong());
        }
        let Some((tonic, rest)) = PitchClass::prefix(text.trim()) else {
            let german = text.strip_prefix(['H', 'h']).map(|rest| format!("B{rest}"));
            let fix = german.and_then(|fix| Self::parse(&fix).ok());
            return Err(wrong().maybe_fix(fix.map(|scale| scale.to_string())));
        };
        let rest = rest.trim_start_matches(['-', '_', ' ']);
        let kind = match rest {
            "" | "M" => Some(0),
            "m" => Some(1),
            _ => {
                let named = |names: &[&str]| names.iter().any(|name| same(name, rest));
                SCALES.iter().position(|(names, _)| named(names))
            }
        };
        if let Some(kind) = kind {
            return Ok(Self { tonic, kind });
        }
        let names = SCALES.iter().flat_map(|(names, _)| names.iter().copied());
        let near = nearest_word(rest, names);
        Err(wrong().maybe_fix(near.map(|near| format!("{tonic}-{near}"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(text: &str) -> Scale {
        Scale::parse(text).unwrap()
    }

    fn pitch(text: &str) -> Pitch {
        Pitch::parse(text).unwrap()
    }

    /// The tones from the tonic's octave 4 up.
    fn tones(text: &str) -> String {
        let scale = scale(text);
        let tonic = scale.tonic.at(4).unwrap();
        let count = i32::try_from(scale.steps().len()).unwrap();
        let tones = (0..count).map(|step| scale.moved(tonic, step).unwrap().to_string());
        tones.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_name_is_its_scale() {
        for (kind, (names, steps)) in SCALES.iter().enumerate() {
            assert!(steps.is_sorted() && steps[0] == 0);
            for name in *names {
                let scale = scale(&format!("F# {}", name.to_uppercase()));
                assert_eq!(scale.kind, kind);
                assert_eq!(scale.to_string(), format!("F#-{}", names[0]));
                assert_eq!(Scale::parse(&scale.to_string()), Ok(scale));
            }
        }
    }

    #[test]
    fn scales_hold_the_tones_they_are_known_by() {
        let table = [
            ("C", "C4 D4 E4 F4 G4 A4 B4"),
            ("Am", "A4 B4 C5 D5 E5 F5 G5"),
            ("D-dorian", "D4 E4 F4 G4 A4 B4 C5"),
            ("E-phrygian", "E4 F4 G4 A4 B4 C5 D5"),
            ("F-lydian", "F4 G4 A4 B4 C5 D5 E5"),
            ("G-mixolydian", "G4 A4 B4 C5 D5 E5 F5"),
            ("B-locrian", "B4 C5 D5 E5 F5 G5 A5"),
            ("A-harmonic-minor", "A4 B4 C5 D5 E5 F5 G#5"),
            ("A-melodic-minor", "A4 B4 C5 D5 E5 F#5 G#5"),
            ("C-pentatonic", "C4 D4 E4 G4 A4"),
            ("A-minor-pentatonic", "A4 C5 D5 E5 G5"),
            ("A-blues", "A4 C5 D5 D#5 E5 G5"),
            ("C-whole-tone", "C4 D4 E4 F#4 G#4 A#4"),
        ];
        for (name, wanted) in table {
            assert_eq!(tones(name), wanted, "{name}");
        }
    }

    #[test]
    fn tones_move_by_steps() {
        let minor = scale("A-minor");
        let moved = |from: &str, steps| minor.moved(pitch(from), steps).map(|p| p.to_string());
        assert_eq!(moved("A4", 2).as_deref(), Some("C5"));
        assert_eq!(moved("C4", -1).as_deref(), Some("B3"));
        assert_eq!(moved("C4", 7).as_deref(), Some("C5"));
        assert_eq!(moved("C#4", 1).as_deref(), Some("D#4"));
        assert_eq!(moved("G9", 1), None);
        assert_eq!(moved("C4", i32::MAX), None);
        assert_eq!(minor.nearest(pitch("C#4")).to_string(), "C4");
        assert_eq!(
            scale("C-minor-pentatonic").nearest(pitch("E4")).to_string(),
            "D#4"
        );
        assert_eq!(scale("C").nearest(pitch("G9")).to_string(), "G9");
        assert!(!minor.contains(pitch("G#4")));
    }

    #[test]
    fn what_is_no_scale_is_mended() {
        let fix = |text: &str| Scale::parse(text).unwrap_err().fix;
        assert_eq!(fix("D-dorain").as_deref(), Some("D-dorian"));
        assert_eq!(fix("H-dorian").as_deref(), Some("B-dorian"));
        assert_eq!(fix("D-xyz"), None);
        assert_eq!(fix("key"), None);
        assert_eq!(scale("Bb").key().unwrap().to_string(), "Bb-major");
        assert_eq!(scale("D-dorian").key(), None);
        assert_eq!(
            Scale::from(KeySig::parse("Em").unwrap()).to_string(),
            "E-minor"
        );
    }
}
