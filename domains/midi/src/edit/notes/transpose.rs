//! New pitches of transposed notes.

use std::collections::BTreeSet;

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{KeyChange, Note, Song};
use crate::values::{InKey, Interval, KeySig, Pitch, Scale};

/// A transposition.
pub enum Transposition {
    /// By semitones, to a key if one is named.
    Semitones(i32, Option<KeySig>),
    /// By steps of a scale.
    Steps(i32, Spanned<InKey>, BTreeSet<String>),
}

impl Transposition {
    /// The distance, positive if up.
    #[must_use]
    pub const fn amount(&self) -> i32 {
        match self {
            Self::Semitones(n, _) | Self::Steps(n, ..) => *n,
        }
    }

    /// `up 2 semitones`, `down 1 step in A-minor`
    #[must_use]
    pub fn describe(&self) -> String {
        let n = self.amount();
        let way = if n < 0 { "down" } else { "up" };
        let size = usize::try_from(n.unsigned_abs()).unwrap_or(0);
        match self {
            Self::Semitones(_, key) => {
                let to = key.map_or(String::new(), |key| format!(" to {key}"));
                format!("{way} {}{to}", count(size, "semitone"))
            }
            Self::Steps(_, _, scales) => {
                let steps = count(size, "step");
                format!("{way} {steps} in {}", named(scales))
            }
        }
    }
}

/// `A-minor, D-dorian`
#[must_use]
pub fn named(scales: &BTreeSet<String>) -> String {
    let scales: Vec<&str> = scales.iter().map(String::as_str).collect();
    scales.join(", ")
}

/// The transposition that an op requests.
///
/// # Errors
/// It requests none or two, or a key when there is no key in effect or only one of another mode.
pub fn way(
    song: &Song,
    rows: &[(Id<Note>, &Note)],
    by: Option<Interval>,
    to: Option<&Spanned<KeySig>>,
    scale: Option<Spanned<InKey>>,
) -> Result<Transposition> {
    match (by, to, scale) {
        (Some(_), Some(to), _) => {
            Err(to.wrong(ValueError::new("also sets the distance; give only one")))
        }
        (None, Some(to), Some(_)) => Err(to.wrong(ValueError::new("needs no in:"))),
        (None, None, _) => bail!("transpose needs a distance: +2, -8ve, or to:C-major"),
        (Some(by), None, None) => Ok(Transposition::Semitones(by.semitones(), None)),
        (Some(by), None, Some(scale)) => {
            let mut scales = BTreeSet::new();
            for (_, note) in rows {
                scales.insert(here(song, note, &scale)?.to_string());
            }
            Ok(Transposition::Steps(by.steps(), scale, scales))
        }
        (None, Some(to), None) => {
            let first = rows.first();
            let from = first.and_then(|(_, note)| song.key_at(note.chunk, note.at));
            let Some(from) = from else {
                bail!("the song has no key to start from; give a distance: +2");
            };
            let key = *to.get();
            if from.minor() != key.minor() {
                let problem = format!("differs in mode from {from}");
                return Err(to.wrong(ValueError::new(problem)));
            }
            let semitone = |key: KeySig| i32::from(key.tonic().semitone());
            let up = (semitone(key) - semitone(from)).rem_euclid(12);
            Ok(Transposition::Semitones(
                if up > 6 { up - 12 } else { up },
                Some(key),
            ))
        }
    }
}

/// The scale that a note moves in.
///
/// # Errors
/// The scale is that of the key in effect, and there is none.
pub fn here(song: &Song, note: &Note, scale: &Spanned<InKey>) -> Result<Scale> {
    let own = match scale.get() {
        InKey::Scale(scale) => Some(*scale),
        InKey::Here => song.key_at(note.chunk, note.at).map(Scale::from),
    };
    own.ok_or_else(|| {
        let place = song.shown(note.chunk, note.at);
        let problem = format!("the song has no key at {place}, so say which scale");
        scale.wrong(ValueError::sentence(problem).fix("C-major"))
    })
}

/// Inverted notes: their new pitches, and the names of the scales used.
pub struct Mirrored {
    /// The pitches.
    pub moving: Vec<(Id<Note>, Pitch)>,
    /// The scales.
    pub scales: BTreeSet<String>,
}

/// Mirrors notes about a tone of a scale, by steps of the scale.
///
/// # Errors
/// There is no scale, the pitch is not one of its tones, or a note would leave the range of MIDI.
pub fn mirrored(
    song: &Song,
    rows: &[(Id<Note>, &Note)],
    (about, given): (Pitch, Option<&Spanned<Pitch>>),
    scale: &Spanned<InKey>,
) -> Result<Mirrored> {
    let mut moving = Vec::with_capacity(rows.len());
    let mut scales = BTreeSet::new();
    for (id, note) in rows {
        let scale = here(song, note, scale)?;
        if !scale.contains(about) {
            let near = song.pitch_on(note.channel, scale.nearest(about));
            let problem = format!("is not a tone of {scale}");
            match given {
                Some(given) => return Err(given.wrong(ValueError::new(problem).fix(near))),
                None => {
                    let name = song.pitch_on(note.channel, about);
                    bail!("{name}, the first pitch, {problem}"; add: "about:{near}")
                }
            }
        }
        let by = scale.mirrored(note.pitch, about).unwrap_or(0);
        moving.push((*id, song.shifted(note, by)?));
        scales.insert(scale.to_string());
    }
    Ok(Mirrored { moving, scales })
}

/// The new pitches of notes.
///
/// # Errors
/// A note leaves the range of MIDI, and `fit` is not set.
pub fn moved(
    song: &Song,
    rows: &[(Id<Note>, &Note)],
    way: &Transposition,
    fit: bool,
) -> Result<Vec<(Id<Note>, Pitch)>> {
    let mut moving = Vec::with_capacity(rows.len());
    for (id, note) in rows {
        let at = |octaves: i32| match way {
            Transposition::Semitones(by, _) => note.pitch.shifted(by + 12 * octaves),
            Transposition::Steps(by, scale, _) => {
                let scale = here(song, note, scale).ok()?;
                let round = i32::try_from(scale.steps().len()).ok()?;
                scale.moved(note.pitch, by + round * octaves)
            }
        };
        // No transposition exceeds 127 steps of a scale of five tones.
        let nearest = || (1..=30).flat_map(|n| [n, -n]).find_map(at);
        let Some(pitch) = at(0).or_else(|| fit.then(nearest).flatten()) else {
            let (name, place) = (song.pitch_of(note), song.shown(note.chunk, note.at));
            bail!("{name} at {place} would leave the range of MIDI, C-1 to G9; nothing moved";
                add: "fit:octave");
        };
        moving.push((*id, pitch));
    }
    Ok(moving)
}

/// Moves every key signature. Returns the number that changed.
///
/// # Errors
/// A chunk is damaged.
pub fn move_keys(song: &mut Song, semitones: i32) -> Result<usize> {
    let keys: Vec<(Id<KeyChange>, KeyChange)> = song
        .keys
        .iter()
        .map(|(id, row)| (id, row.clone()))
        .collect();
    let mut moved = 0;
    for (id, row) in keys {
        let key = i8::try_from(row.sharps)
            .ok()
            .and_then(|sharps| KeySig::new(sharps, row.mode == 1));
        let Some(key) = key else { continue };
        song.writable(row.chunk)?;
        let sharps = i32::from(key.shifted(semitones).sharps());
        if semitones != 0 && song.keys.modify(id, |row| row.sharps = sharps) {
            moved += 1;
        }
    }
    Ok(moved)
}
