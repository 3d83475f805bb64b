//! Chord symbols.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest, repaired};

use super::pitch::Pitch;
use super::pitch_class::PitchClass;
use super::qualities::{ALTERATIONS, Alteration, QUALITIES};

/// A chord: a symbol (`Am7`, `C7b9`, `F/A`), or its pitches (`C4,E4,G4`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chord(pub(super) Kind);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Symbol {
        root: PitchClass,
        shape: ChordShape,
        bass: Option<PitchClass>,
    },
    Pitches(Vec<Pitch>),
}

/// The part of a chord symbol after the root: a quality and its alterations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChordShape {
    /// Its index among the qualities.
    quality: usize,
    alterations: Vec<Alteration>,
}

/// The longest valid symbol, in bytes.
const LONGEST: usize = 256;

impl ChordShape {
    /// Reads a quality and its alterations: `m7`, `7b9`, `maj7(#11)`; an empty text is a major
    /// triad.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut text = lowered(text);
        if let Some(rest) = text.strip_prefix("+7").or(text.strip_prefix("aug7")) {
            text = format!("7#5{rest}");
        }
        let mut best: Option<(usize, Self)> = None;
        for (quality, kind) in QUALITIES.iter().enumerate() {
            for name in kind.names {
                let better = best.as_ref().is_none_or(|(length, _)| *length < name.len());
                let rest = text.strip_prefix(name).filter(|_| better);
                if let Some(alterations) = rest.and_then(alterations) {
                    let shape = Self {
                        quality,
                        alterations,
                    };
                    best = Some((name.len(), shape));
                }
            }
        }
        best.map(|(_, shape)| shape)
    }

    /// The tones in semitones above the root, the lowest first.
    #[must_use]
    pub fn tones(&self) -> Vec<u8> {
        let mut tones = QUALITIES[self.quality].tones.to_vec();
        for alteration in &self.alterations {
            alteration.apply(&mut tones);
        }
        tones
    }
}

/// The text with the words of qualities in lower case.
fn lowered(text: &str) -> String {
    const WORDS: [&str; 9] = ["maj", "min", "dim", "aug", "sus", "add", "alt", "dom", "no"];
    let mut lowered = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = WORDS.iter().find(|word| {
            let head = rest.get(..word.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(word))
        });
        let length = match word {
            Some(word) => {
                lowered.push_str(word);
                word.len()
            }
            None => {
                lowered.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    lowered
}

/// Reads consecutive alterations, bare or in parentheses, where commas and whitespace may separate
/// them.
fn alterations(mut text: &str) -> Option<Vec<Alteration>> {
    let mut found = Vec::new();
    let mut inside = false;
    while !text.is_empty() {
        let rest = if let Some(rest) = text.strip_prefix('(').filter(|_| !inside) {
            inside = true;
            rest
        } else if let Some(rest) = text.strip_prefix(')').filter(|_| inside) {
            inside = false;
            rest
        } else if let Some(rest) = text.strip_prefix([',', ' ']).filter(|_| inside) {
            rest
        } else {
            let (name, alteration) = ALTERATIONS
                .iter()
                .find(|(name, _)| text.starts_with(name))?;
            if !found.contains(alteration) {
                found.push(*alteration);
            }
            &text[name.len()..]
        };
        text = rest;
    }
    (!inside).then_some(found)
}

impl fmt::Display for ChordShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = QUALITIES[self.quality].names[0];
        let signs: String = self.alterations.iter().map(|it| it.name()).collect();
        let bare = format!("{name}{signs}");
        // `C` with `b5` is not `Cb` with `5`, and `m7` with `b5` is not `m7b5`.
        if signs.is_empty() || !name.is_empty() && Self::read(&bare).as_ref() == Some(self) {
            f.write_str(&bare)
        } else {
            write!(f, "{name}({signs})")
        }
    }
}

impl Chord {
    /// A chord of a root and a shape, with an optional bass.
    #[must_use]
    pub const fn new(root: PitchClass, shape: ChordShape, bass: Option<PitchClass>) -> Self {
        Self(Kind::Symbol { root, shape, bass })
    }

    /// The root; `None` for a chord written as pitches.
    #[must_use]
    pub const fn root(&self) -> Option<PitchClass> {
        match &self.0 {
            Kind::Symbol { root, .. } => Some(*root),
            Kind::Pitches(_) => None,
        }
    }

    /// The bass after the slash.
    #[must_use]
    pub const fn bass(&self) -> Option<PitchClass> {
        match &self.0 {
            Kind::Symbol { bass, .. } => *bass,
            Kind::Pitches(_) => None,
        }
    }

    /// The tones in semitones above the root, or above the lowest pitch, from 0 up; without the
    /// bass.
    #[must_use]
    pub fn intervals(&self) -> Vec<u8> {
        match &self.0 {
            Kind::Symbol { shape, .. } => shape.tones(),
            Kind::Pitches(pitches) => {
                let lowest = pitches.first().map_or(0, |pitch| pitch.get());
                pitches.iter().map(|pitch| pitch.get() - lowest).collect()
            }
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Symbol { root, shape, bass } => {
                write!(f, "{root}{shape}")?;
                match bass {
                    Some(bass) => write!(f, "/{bass}"),
                    None => Ok(()),
                }
            }
            Kind::Pitches(pitches) => {
                for (ix, pitch) in pitches.iter().enumerate() {
                    let comma = if ix > 0 { "," } else { "" };
                    write!(f, "{comma}{pitch}")?;
                }
                Ok(())
            }
        }
    }
}

impl FcpValue for Chord {
    const SPEC: ValueSpec = ValueSpec::new("CHORD", "Am7, C7b9, Fmaj7#11, G/B, or C4,E4,G4");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl Chord {
    fn read(text: &str) -> Result<Self, ValueError> {
        if text.len() > LONGEST {
            return Err(ValueError::new("is not a chord"));
        }
        if listed(text) {
            return pitches(text);
        }
        symbol(text).ok_or_else(|| ValueError::new("is not a chord").maybe_fix(guess(text)))
    }
}

/// Whether the text has a comma outside parentheses.
fn listed(text: &str) -> bool {
    let outside = text
        .split('(')
        .enumerate()
        .map(|(ix, part)| match part.split_once(')') {
            Some((_, outside)) => outside,
            None if ix == 0 => part,
            None => "",
        });
    outside.into_iter().any(|part| part.contains(','))
}

fn symbol(text: &str) -> Option<Chord> {
    if !text.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let (root, rest) = PitchClass::prefix(text)?;
    if let Some(shape) = ChordShape::read(rest) {
        return Some(Chord::new(root, shape, None));
    }
    let (rest, bass) = rest.rsplit_once('/')?;
    let bass = PitchClass::parse(bass).ok()?;
    Some(Chord::new(root, ChordShape::read(rest)?, Some(bass)))
}

fn pitches(text: &str) -> Result<Chord, ValueError> {
    let mut pitches = Vec::new();
    let mut wrong = None;
    let mut corrected = Some(Vec::new());
    for part in text.split(',').map(str::trim) {
        let fix = match Pitch::parse(part) {
            Ok(pitch) => {
                pitches.push(pitch);
                Some(part.to_owned())
            }
            Err(error) => {
                let fix = error.fix.clone();
                wrong.get_or_insert_with(|| error.about(part));
                fix
            }
        };
        corrected = corrected.zip(fix).map(|(mut parts, fix)| {
            parts.push(fix);
            parts
        });
    }
    if let Some(wrong) = wrong {
        return Err(ValueError::sentence(wrong).maybe_fix(corrected.map(|parts| parts.join(","))));
    }
    pitches.sort_unstable();
    pitches.dedup();
    Ok(Chord(Kind::Pitches(pitches)))
}

/// The symbol that was probably meant.
fn guess(text: &str) -> Option<String> {
    // Several chords have no single repair.
    if text.len() > 64
        || text
            .split_whitespace()
            .filter(|word| symbol(word).is_some())
            .count()
            > 1
    {
        return None;
    }
    let plain: String = text.replace('♯', "#").replace('♭', "b").replace(' ', "");
    let mut letters = plain.chars();
    let first = match letters.next()?.to_ascii_uppercase() {
        'H' => 'B',
        first => first,
    };
    let spelled = format!("{first}{}", letters.as_str());
    if symbol(&spelled).is_some() {
        return Some(spelled);
    }
    // A word in lower case is repaired only if its case is the only error.
    if spelled != plain && !plain.starts_with('H') {
        return None;
    }
    let (root, rest) = PitchClass::prefix(&spelled)?;
    // A second chord is not dropped; a single tone after a slash is the bass.
    let joint = |c: char| !c.is_alphanumeric() && c != '#';
    let second = |(at, sign): (usize, &str)| {
        let part = rest[at + sign.len()..]
            .split(joint)
            .next()
            .unwrap_or_default();
        symbol(part).is_some() && !(sign == "/" && PitchClass::parse(part).is_ok())
    };
    if rest.match_indices(joint).any(second) {
        return None;
    }
    if rest.parse::<i8>().is_ok_and(|octave| octave < 10) {
        return Some(root.to_string());
    }
    let (shape, bass) = rest.rsplit_once('/').unwrap_or((rest, ""));
    let bass = match PitchClass::parse(bass) {
        _ if bass.is_empty() => String::new(),
        Ok(bass) => format!("/{bass}"),
        Err(error) => format!("/{}", error.fix?),
    };
    let shape = if ChordShape::read(shape).is_some() {
        shape.to_owned()
    } else {
        nearest_shape(shape)?
    };
    let fix = format!("{root}{shape}{bass}");
    // `A` with `#9` is not a chord on A sharp.
    let same_root = symbol(&fix)?.root() == Some(root);
    same_root.then_some(fix)
}

fn nearest_shape(text: &str) -> Option<String> {
    let names: Vec<&str> = QUALITIES
        .iter()
        .flat_map(|kind| kind.names)
        .copied()
        .collect();
    let altered = QUALITIES.iter().flat_map(|kind| {
        let alterations = ALTERATIONS.iter();
        alterations.map(|(alteration, _)| format!("{}{alteration}", kind.names[0]))
    });
    let altered: Vec<String> = altered.collect();
    let all = names.iter().copied().filter(|name| !name.is_empty());
    let all = all.chain(altered.iter().map(String::as_str));
    // `M` means major, `m` minor.
    let case = |text: &str| {
        text.chars()
            .next()
            .filter(|first| first.eq_ignore_ascii_case(&'m'))
    };
    let own = case(text);
    let all = all.filter(|name| own.is_none() || case(name).is_none_or(|first| Some(first) == own));
    // A digit typed twice is a typo in a chord.
    nearest(text, all, 1).first().copied().map(Into::into)
}
