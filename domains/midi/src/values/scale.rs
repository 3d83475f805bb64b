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
    /// Its index among the kinds.
    kind: usize,
}

/// A kind of scale: its spellings, the first of which is shown, and its steps in semitones above
/// the tonic.
type Kind = (&'static [&'static str], &'static [u8]);

/// All kinds of scales, major and minor first.
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

    /// The pitch a number of scale steps away. A pitch outside the scale keeps its distance from
    /// the tone below.
    #[must_use]
    pub fn moved(self, pitch: Pitch, steps: i32) -> Option<Pitch> {
        let (tone, off) = self.place(pitch)?;
        let to = self.tone(tone.checked_add(steps)?)?;
        pitch.shifted(to.checked_add(off)?.checked_sub(i32::from(pitch.get()))?)
    }

    /// The distance in semitones from a pitch to its mirror image about a tone of the scale. The
    /// image of a pitch outside the scale is as far below a tone as the pitch is above one.
    #[must_use]
    pub fn mirrored(self, pitch: Pitch, about: Pitch) -> Option<i32> {
        let (axis, _) = self.place(about)?;
        let (tone, off) = self.place(pitch)?;
        let to = self.tone(axis.checked_mul(2)?.checked_sub(tone)?)?;
        to.checked_sub(off)?.checked_sub(i32::from(pitch.get()))
    }

    /// The index of the tone at or below a pitch, and the semitones from it to the pitch.
    fn place(self, pitch: Pitch) -> Option<(i32, i32)> {
        let above = i32::from(pitch.get()) - i32::from(self.tonic.semitone());
        let (octave, rest) = (above.div_euclid(12), above.rem_euclid(12));
        let mut steps = self.steps().iter().map(|step| i32::from(*step)).enumerate();
        let (degree, step) = steps.rfind(|(_, step)| *step <= rest)?;
        let count = i32::try_from(self.steps().len()).ok()?;
        Some((octave * count + i32::try_from(degree).ok()?, rest - step))
    }

    /// The semitones from pitch 0 to the tone at an index; they may leave the range of MIDI.
    fn tone(self, number: i32) -> Option<i32> {
        let count = i32::try_from(self.steps().len()).ok()?;
        let degree = usize::try_from(number.rem_euclid(count)).ok()?;
        let step = i32::from(*self.steps().get(degree)?);
        let octaves = number.div_euclid(count).checked_mul(12)?;
        octaves.checked_add(step + i32::from(self.tonic.semitone()))
    }

    /// The tone of the scale nearest to a pitch; the lower of two equally near.
    #[must_use]
    pub fn nearest(self, pitch: Pitch) -> Pitch {
        // In every scale, adjacent tones are at most an octave apart.
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

    /// The tones of the octave above the tonic in octave 4.
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
    fn tones_are_mirrored_about_a_tone() {
        let mirrored = |name: &str, from: &str, about: &str| {
            let by = scale(name).mirrored(pitch(from), pitch(about)).unwrap();
            pitch(from).shifted(by).unwrap().to_string()
        };
        let table = [
            (
                "C",
                "C4 D4 E4 F4 G4 A4 B4 C5",
                "C4",
                "C4 B3 A3 G3 F3 E3 D3 C3",
            ),
            ("C", "C4 E4 G4", "E4", "G4 E4 C4"),
            ("A-minor", "A4 C5 E5 G4", "A4", "A4 F4 D4 B4"),
            ("C-pentatonic", "C4 D4 E4 G4 A4", "C4", "C4 A3 G3 E3 D3"),
            // Outside the scale: as far below as they were above.
            ("C", "C#4 F#4", "C4", "B3 F#3"),
        ];
        for (name, from, about, wanted) in table {
            let there: Vec<String> = from
                .split(' ')
                .map(|from| mirrored(name, from, about))
                .collect();
            assert_eq!(there.join(" "), wanted, "{from} in {name}");
        }
    }

    #[test]
    fn invalid_scales_are_repaired() {
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
