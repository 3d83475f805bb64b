//! `length`

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use crate::model::{Note, Song};
use crate::transform;
use crate::values::{Dur, Length};

/// Make notes longer or shorter: a length, a part of their own, up to the next onset, or detached.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/e r D4/q r E4/h"
/// length @track:Keys legato
/// > @ Length of 3 notes on Keys: legato
/// length @track:Keys staccato
/// > @ Length of 3 notes on Keys: 50%
/// length @track:Keys e.
/// > @ Length of 3 notes on Keys: e.
/// ```
#[fcp_verb(category = "Shape")]
pub fn length(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// A length, per cent of their own, `legato` or `staccato`.
    #[fcp(positional)]
    to: Spanned<Length>,
    /// What legato leaves free before the next onset.
    gap: Option<Spanned<Dur>>,
) -> Result<Reply> {
    let rows = transform::chosen(song, &notes)?;
    let mut onsets: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    if *to.get() == Length::Legato {
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
    for (id, note) in &rows {
        let dur = match to.get() {
            Length::Dur(dur) => Some(
                dur.ticks(&song.clock(note.chunk), note.at)
                    .map_err(|error| to.wrong(error))?,
            ),
            Length::Part(percent) => note
                .dur
                .map(|dur| (dur.saturating_mul((*percent).into()).saturating_add(50) / 100).max(1)),
            Length::Legato => {
                let own = onsets.get(&note.track.number());
                let next = own.and_then(|own| own.range(note.at + 1..).next().copied());
                let gap = match &gap {
                    Some(gap) => song.ticks(gap, note.chunk, note.at)?,
                    None => 0,
                };
                next.map_or(note.dur, |next| {
                    Some((next - note.at).saturating_sub(gap).max(1))
                })
            }
        };
        let after = Note {
            dur,
            ..note.clone()
        };
        if after != *note {
            changes.push((*id, after));
        }
    }
    let told = transform::told(song, &rows);
    if changes.is_empty() {
        return Ok(unchanged!("the length of {told} is so already"));
    }
    let overlaps = song.change_notes(changes)?;
    Ok(bulk!("Length of {told}: {}{}", to.get(), overlaps.told()))
}
