//! `stats`

use fcp::prelude::*;
use fcp::reply::count;
use fcp::work;

use crate::display::row_line;
use crate::harmony::key_estimate::key_guess;
use crate::model::{Flaw, Note, Song};
use crate::values::{Pitch, Velocity};

/// The steps of looking at a note and its flaws.
const STEPS_A_NOTE: usize = 5;

/// Count everything: rows of each type, length, pitches, velocities, the likely key.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # phrase Piano "C4/q D4 E4 F4 | G4/h C4"
/// ? stats
/// > tracks: 1
/// > notes: 6
/// > other rows: program 1, tempo 1, meter 1, event 1
/// > length: 2 bars, 3840 ticks, 0:04.0
/// > pitches: C4-G4, velocities: 80-80
/// > key by its notes: C-major
/// > off the grid: 0 of 6 notes
/// ```
#[fcp_query]
pub fn stats(song: &Song) -> Result<Vec<String>> {
    let mut lines = vec![
        format!("tracks: {}", song.tracks.len()),
        format!("notes: {}", song.notes.len()),
    ];
    let kept = |kind: &str| !matches!(kind, "track" | "note" | "chunk");
    let others = song
        .tables()
        .filter(|(_, _, rows)| kept(rows.shape().kind) && rows.ids().next().is_some())
        .map(|(_, _, rows)| format!("{} {}", rows.shape().kind, rows.len()));
    let others: Vec<String> = others.collect();
    if !others.is_empty() {
        lines.push(format!("other rows: {}", others.join(", ")));
    }
    work::spend(STEPS_A_NOTE * song.notes.len())?;
    let (chunk, end) = song.last_sound().unwrap_or((Id::new(0), 0));
    let mut length = Vec::new();
    if song.has_bars() {
        length.push(count(song.bar_count(), "bar"));
    }
    length.push(format!("{end} ticks"));
    length.push(row_line::clock(song.seconds(chunk, end)));
    lines.push(format!("length: {}", length.join(", ")));
    let Some(seen) = Seen::of(song) else {
        return Ok(lines);
    };
    let name = |pitch: Pitch| match song.in_flats() {
        true => pitch.name_flat(),
        false => pitch.name_sharp(),
    };
    let pitches = seen
        .pitches
        .map(|(low, high)| format!("pitches: {}-{}, ", name(low), name(high)));
    let (soft, loud) = seen.velocities;
    lines.push(format!(
        "{}velocities: {soft}-{loud}",
        pitches.unwrap_or_default()
    ));
    if let Some(key) = key_guess(&seen.weights) {
        lines.push(format!("key by its notes: {key}"));
    }
    if song.has_bars() {
        lines.push(format!(
            "off the grid: {} of {} notes",
            seen.off,
            song.notes.len()
        ));
    }
    let flaws = [
        (Flaw::Stuck, "stuck"),
        (Flaw::Overlap, "overlapping"),
        (Flaw::Dup, "double"),
    ];
    let flaws = flaws.map(|(flaw, word)| (song.flawed(flaw).len(), word));
    let flaws: Vec<String> = flaws
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    if !flaws.is_empty() {
        lines.push(format!("flaws: {}", flaws.join(", ")));
    }
    Ok(lines)
}

/// Statistics of notes.
struct Seen {
    pitches: Option<(Pitch, Pitch)>,
    velocities: (Velocity, Velocity),
    /// Sounding time of each pitch class, without drums.
    weights: [u64; 12],
    /// Number of starts on no line of 32nds or of 24ths.
    off: usize,
}

impl Seen {
    fn of(song: &Song) -> Option<Self> {
        let (_, first) = song.notes.iter().next()?;
        let mut seen = Self {
            pitches: None,
            velocities: (first.velocity, first.velocity),
            weights: [0; 12],
            off: 0,
        };
        for (_, note) in song.notes.iter() {
            seen.add(song, note);
        }
        Some(seen)
    }

    fn add(&mut self, song: &Song, note: &Note) {
        let (soft, loud) = self.velocities;
        self.velocities = (soft.min(note.velocity), loud.max(note.velocity));
        self.off += usize::from(crate::grid::note_grid::is_off(song, note.chunk, note.at));
        if note.is_drum() {
            return;
        }
        let (low, high) = self.pitches.unwrap_or((note.pitch, note.pitch));
        self.pitches = Some((low.min(note.pitch), high.max(note.pitch)));
        if let Some(own) = self.weights.get_mut(usize::from(note.pitch.semitone())) {
            *own = own.saturating_add(note.dur.unwrap_or(1));
        }
    }
}
