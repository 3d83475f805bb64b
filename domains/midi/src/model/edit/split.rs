//! Splits a file of one chunk into one chunk per track: format 1.

use fcp::prelude::*;
use fcp::reply::count;
use rustc_hash::FxHashSet;

use crate::model::IsKind;
use crate::model::rows::kinds::{Chunk, Note, RawEvent, Track};
use crate::model::song::Song;
use crate::smf::End;

impl Song {
    /// Gives each track its own chunk, for format 1. Song rows stay in the first. Describes the
    /// effect on tracks; `None` if the format was 1 already.
    ///
    /// # Errors
    /// The chunks are separate pieces, or one is damaged.
    pub fn split(&mut self) -> Result<Option<String>> {
        match self.file.header.format {
            0 => {}
            1 => return Ok(None),
            _ => {
                bail!("each chunk of this file is a piece of its own, so they cannot be one piece")
            }
        }
        let tracks: Vec<(Id<Track>, Track)> = self
            .tracks
            .iter()
            .map(|(id, row)| (id, row.clone()))
            .collect();
        let chunks = self.chunks.iter().filter(|(_, chunk)| chunk.is_track());
        let chunks: Vec<Id<Chunk>> = chunks.map(|(id, _)| id).collect();
        for chunk in &chunks {
            self.writable(*chunk)?;
        }
        self.file.modify(|shell| shell.header.format = 1);
        // In format 1 every chunk but the first is a track, so one track keeps each of these
        // chunks.
        let mut staying = Vec::new();
        for chunk in chunks.iter().skip(1) {
            let own = self.tracks.index().of(*chunk).next();
            let keeper = own.unwrap_or_else(|| {
                self.tracks.insert(Track {
                    chunk: *chunk,
                    name: String::new(),
                    channel: None,
                })
            });
            staying.push((*chunk, keeper));
        }
        let keepers: FxHashSet<Id<Track>> = staying.iter().map(|(_, keeper)| *keeper).collect();
        for (id, row) in &tracks {
            if !keepers.contains(id) {
                let end = self.chunks.need(row.chunk)?.end.as_ref();
                let end = end.map_or(0, |end| end.tick);
                let chunk = self.chunks.insert(Chunk {
                    end: Some(End::at(end)),
                    ..Chunk::track()
                });
                self.move_out(*id, row.chunk, chunk);
                self.tracks.modify(*id, |row| row.chunk = chunk);
            }
        }
        for (chunk, keeper) in staying {
            let mut rows = Vec::new();
            self.starting(chunk, 0, u64::MAX, &mut rows);
            let rows = rows.into_iter().map(|(_, row)| row);
            let rows: Vec<Row> = rows.filter(|row| self.channel_of(*row).is_none()).collect();
            rows.into_iter()
                .for_each(|row| self.assign(row, Some(keeper)));
        }
        for chunk in chunks {
            self.chunks.modify(chunk, |row| row.claim = None);
        }
        self.relabel_all();
        Ok(Some(format!(
            "SMF 0 -> 1, {} in a chunk each",
            count(tracks.len(), "track")
        )))
    }

    /// Moves a track's rows into a chunk of its own. Every event keeps its place among the others.
    fn move_out(&mut self, track: Id<Track>, from: Id<Chunk>, chunk: Id<Chunk>) {
        let mut rows = Vec::new();
        self.starting(from, 0, u64::MAX, &mut rows);
        for (_, row) in rows {
            if self.track_of(row) != Some(track) {
                continue;
            }
            let other = self.others.get(row.of());
            if row.is::<Note>() {
                self.notes.modify(row.of(), |note| note.chunk = chunk);
            } else if row.is::<RawEvent>() && other.is_some_and(RawEvent::is_prefix) {
                // The name after it is assigned by its chunk.
                self.others.remove(row.of());
            } else if let Some(mark) = self.mark_of(row) {
                self.seat(row, chunk, mark);
            }
        }
    }
}
