//! Faulty notes and their replies.

use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{Chunk, Note, Song};
use crate::values::{Channel, Pitch};

/// Notes of each pitch, in the order they start, by chunk and channel.
pub type Voices = BTreeMap<(Id<Chunk>, Channel, Pitch), Vec<(Id<Note>, Note)>>;

/// The steps that a note counts.
const STEPS_A_NOTE: usize = 4;

/// All notes by voice, in the order they start.
#[must_use]
pub fn voices(song: &Song) -> Voices {
    // The call fails at its next check.
    let _ = fcp::work::spend(STEPS_A_NOTE * song.notes.len());
    let mut voices = Voices::new();
    for (id, note) in song.notes.iter() {
        let voice = voices.entry((note.chunk, note.channel, note.pitch));
        voice.or_default().push((id, note.clone()));
    }
    for notes in voices.values_mut() {
        notes.sort_by_key(|(_, note)| note.onset());
    }
    voices
}

/// The ids of the chosen notes; `None` if all are meant.
#[must_use]
pub fn chosen(notes: Option<&Selection<Note>>) -> Option<Vec<Id<Note>>> {
    let mut ids: Vec<Id<Note>> = notes?.iter().collect();
    ids.sort_unstable();
    Some(ids)
}

/// Whether a note is among the chosen ones.
#[must_use]
pub fn is_chosen(chosen: Option<&Vec<Id<Note>>>, id: Id<Note>) -> bool {
    chosen.is_none_or(|ids| ids.binary_search(&id).is_ok())
}

/// `2 stuck notes: G3 on ch-2 from 4.1 to 5.1, …`, with the sign of one or several rows.
#[must_use]
pub fn reply(song: &Song, what: &str, rows: &[(Id<Note>, Note)]) -> Reply {
    const SHOWN: usize = 3;
    let shown = rows.iter().take(SHOWN).map(|(id, before)| {
        let note = song.notes.get(*id).unwrap_or(before);
        let (name, on) = (song.pitch_of(note), song.name_of_track(note.track));
        let from = song.shown(note.chunk, note.at);
        let to = song.shown(note.chunk, note.at + note.dur.unwrap_or(0));
        format!("{name} on {on} from {from} to {to}")
    });
    let mut shown: Vec<String> = shown.collect();
    if rows.len() > SHOWN {
        shown.push(format!("{} more", rows.len() - SHOWN));
    }
    let n = count(rows.len(), &format!("{what} note"));
    let text = format!("Fixed {n}: {}", shown.join(", "));
    if rows.len() == 1 {
        linked!("{text}")
    } else {
        bulk!("{text}")
    }
}
