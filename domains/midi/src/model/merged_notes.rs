//! Notes that were merged with others of their pitch, for replies.

use std::collections::BTreeMap;

use fcp::prelude::*;

use super::rows::kinds::Note;
use super::song::Song;

use crate::model::row_of;

/// The most notes of a reply that took in others.
const SHOWN: usize = 3;

impl Song {
    /// Describes the notes that took in others, and the values that were not kept. `wanted` holds the notes as
    /// they would be alone.
    pub(in crate::model) fn merges(&self, wanted: &[(Id<Note>, Note)]) -> Vec<String> {
        let mut takers: BTreeMap<u32, (usize, Vec<String>)> = BTreeMap::new();
        for (id, note) in wanted {
            let taker = match self.notes.get(*id) {
                Some(_) => Some(*id),
                None => self.starting_with(note).map(Row::of),
            };
            let Some((taker, own)) = taker.and_then(|id| Some((id, self.notes.get(id)?))) else {
                continue;
            };
            let is_gone = taker != *id;
            let mut lost = Vec::new();
            if own.velocity != note.velocity {
                lost.push(format!("vel:{}", note.velocity));
            }
            if let Some(dur) = note.dur.filter(|_| is_gone && own.dur != note.dur) {
                lost.push(format!("dur:{dur}"));
            }
            if is_gone || !lost.is_empty() {
                let (count, all) = takers.entry(taker.number()).or_default();
                *count += usize::from(is_gone);
                all.extend(lost);
            }
        }
        let more = takers.len().saturating_sub(SHOWN);
        let lines = takers
            .into_iter()
            .take(SHOWN)
            .map(|(id, (count, mut lost))| {
                lost.sort();
                lost.dedup();
                let note = self.describe_row(row_of::<Note>(Id::new(id)));
                let mut parts = Vec::new();
                if count > 0 {
                    parts.push(format!("{count} merged into it"));
                }
                match lost.as_slice() {
                    [] => {}
                    few if few.len() <= SHOWN => parts.push(format!("{} not kept", few.join(" "))),
                    many => parts.push(format!("{} values not kept", many.len())),
                }
                format!("= {} ({})", note.unwrap_or_default(), parts.join(", "))
            });
        let mut lines: Vec<String> = lines.collect();
        if more > 0 {
            lines.push(format!("… {more} more took in others"));
        }
        lines
    }
}
