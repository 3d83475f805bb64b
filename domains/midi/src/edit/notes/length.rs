//! Changes note lengths.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use crate::edit::notes::selection::{self, Kept};
use crate::model::{Note, Song};
use crate::values::{Gap, Length};

/// Sets the lengths of notes. Legato leaves a gap before the next onset on the track, if one is
/// given; `wrong` reports an error about a length at its place in the op.
///
/// # Errors
/// A length is invalid at a note's start, or a chunk is damaged.
pub fn set(
    song: &mut Song,
    notes: &Selection<Note>,
    to: &Length,
    gap: Option<&Spanned<Gap>>,
    wrong: impl Fn(ValueError) -> Diagnostic,
) -> Result<Reply> {
    if let Some(gap) = gap.filter(|gap| *to != Length::Legato && gap.get().0.is_some()) {
        return Err(gap.wrong(ValueError::new("is for legato only")));
    }
    let rows = selection::chosen(song, notes)?;
    let mut onsets: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    if *to == Length::Legato {
        for (_, note) in &rows {
            onsets.entry(note.track.number()).or_default();
        }
        for (_, note) in song.notes.iter() {
            if let Some(own) = onsets.get_mut(&note.track.number()) {
                own.insert(note.at);
            }
        }
    }
    let mut changes = Vec::with_capacity(rows.len());
    let mut kept = Kept::default();
    for (id, note) in &rows {
        let dur = match to {
            Length::Dur(dur) => Some(
                dur.ticks(&song.clock(note.chunk), note.at)
                    .map_err(&wrong)?,
            ),
            Length::Part(percent) => note
                .dur
                .map(|dur| dur.saturating_mul((*percent).into()).saturating_add(50) / 100),
            Length::Legato => {
                let own = onsets.get(&note.track.number());
                let next = own.and_then(|own| own.range(note.at + 1..).next().copied());
                let free = gap.and_then(|gap| Some((gap, gap.get().0.as_ref()?)));
                let gap = match free {
                    Some((gap, free)) => free
                        .ticks(&song.clock(note.chunk), note.at)
                        .map_err(|error| gap.wrong(error))?,
                    None => 0,
                };
                next.map_or(note.dur, |next| Some((next - note.at).saturating_sub(gap)))
            }
        };
        let is_same = dur == note.dur;
        let dur = match dur {
            Some(dur) if !is_same => Some(kept.length(dur)),
            dur => dur,
        };
        if dur != note.dur {
            let after = Note {
                dur,
                ..(*note).clone()
            };
            changes.push((*id, after));
        }
    }
    let summary = selection::describe_notes(song, &rows);
    if changes.is_empty() {
        return Ok(unchanged!("the length of {summary} is unchanged"));
    }
    let overlaps = song.change_notes(changes)?;
    let kept = kept.describe().into_iter().collect();
    let more = overlaps.describe_with(kept);
    Ok(bulk!("Length of {summary}: {to}{more}"))
}
