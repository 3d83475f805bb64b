//! Common parts of verbs that change many notes at once.

use std::borrow::Borrow;

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{Note, Song};

/// Notes with their ids.
pub type NoteRows<'s> = Vec<(Id<Note>, &'s Note)>;

/// The chosen notes with their ids, in the order they start.
///
/// # Errors
/// A note is missing.
pub fn chosen<'s>(song: &'s Song, notes: &Selection<Note>) -> Result<NoteRows<'s>> {
    let mut rows = Vec::with_capacity(notes.len());
    for id in notes.iter() {
        rows.push((id, song.notes.need(id)?));
    }
    rows.sort_by_key(|(_, note)| (note.at, note.chunk, note.on_mark.pos, note.on_mark.seq));
    Ok(rows)
}

/// The pitched notes, in the order they start: notes on channel 10 are drums and are left out,
/// unless `drums` is set. The text reports them: ` (48 drum notes left)`.
///
/// # Errors
/// A note is missing.
pub fn tones<'s>(
    song: &'s Song,
    notes: &Selection<Note>,
    drums: Switch,
) -> Result<(NoteRows<'s>, String)> {
    let mut rows = chosen(song, notes)?;
    let all = rows.len();
    rows.retain(|(_, note)| drums.0 || !note.is_drum());
    let left = match all - rows.len() {
        0 => String::new(),
        n => format!(" ({} left)", count(n, "drum note")),
    };
    Ok((rows, left))
}

/// `3 notes on Keys`; the track is named if all notes share it.
#[must_use]
pub fn describe_notes<N: Borrow<Note>>(song: &Song, rows: &[(Id<Note>, N)]) -> String {
    let notes = count(rows.len(), "note");
    let mut tracks = rows.iter().map(|(_, note)| note.borrow().track);
    let first = tracks.next();
    let one = first.filter(|first| tracks.all(|track| track == *first));
    let on = one.map_or(String::new(), |track| {
        format!(" on {}", song.name_of_track(track))
    });
    format!("{notes}{on}")
}

/// The notes that change.
///
/// # Errors
/// The new state of a note is invalid.
pub fn changed<N: Borrow<Note>>(
    rows: &[(Id<Note>, N)],
    after: impl Fn(&Note) -> Result<Note>,
) -> Result<Vec<(Id<Note>, Note)>> {
    let mut changes = Vec::with_capacity(rows.len());
    for (id, note) in rows {
        let after = after(note.borrow())?;
        if after != *note.borrow() {
            changes.push((*id, after));
        }
    }
    Ok(changes)
}

/// Counts notes whose length would be zero, and is set to one tick instead.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept(usize);

impl Kept {
    /// The length, at least one tick.
    pub fn length(&mut self, ticks: u64) -> u64 {
        self.0 += usize::from(ticks == 0);
        ticks.max(1)
    }

    /// `2 kept at 1 tick`; `None` if there are none.
    #[must_use]
    pub fn describe(self) -> Option<String> {
        (self.0 > 0).then(|| format!("{} kept at 1 tick", self.0))
    }
}
