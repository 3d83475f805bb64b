//! `@voice`

use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::work;

use crate::model::{Chunk, Note, Song};
use crate::values::Voice;

/// The steps that a row counts.
const STEPS_A_ROW: usize = 4;

/// The chunk, for chunks that sound separately, and the tick.
type Onset = (Option<Id<Chunk>>, u64);

/// The highest or lowest note of each onset, or the N-th from the top, of those that the other selectors match.
#[fcp_selector]
pub fn voice(song: &Song, voice: Voice) -> Pick<'_> {
    Pick::among(move |rows| {
        // There may be any number of these selectors; the runtime reports that they are too many.
        if work::spend(STEPS_A_ROW * rows.len()).is_err() {
            return Vec::new();
        }
        let mut onsets: BTreeMap<Onset, Vec<(u8, Row)>> = BTreeMap::new();
        for row in rows {
            let Some(note) = song.row_as::<Note>(*row) else {
                continue;
            };
            // Patterns do not sound together.
            let own = song.is_patterns().then_some(note.chunk);
            let onset = onsets.entry((own, note.at)).or_default();
            onset.push((note.pitch.get(), *row));
        }
        let chosen = onsets.into_values().filter_map(|mut onset| {
            onset.sort_unstable_by_key(|(pitch, row)| (std::cmp::Reverse(*pitch), *row));
            let place = match voice {
                Voice::Top => 0,
                Voice::Bottom => onset.len() - 1,
                Voice::Number(n) => usize::from(n) - 1,
            };
            onset.get(place).map(|(_, row)| *row)
        });
        chosen.collect()
    })
}
