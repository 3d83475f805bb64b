//! What chunks and tracks are called.

use fcp::prelude::*;

use super::mark::Rank;
use super::rows::{Chunk, Other, Track};
use super::song::Song;
use crate::smf::{Body, Bytes};
use crate::text::Encoding;
use crate::values::Channel;

impl Song {
    /// What text is read as that is no UTF-8.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        *self.encoding
    }

    /// Reads text in another encoding, where it is no UTF-8. No byte changes.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) {
        if encoding == self.encoding() {
            return;
        }
        self.encoding.adjust(|own| *own = encoding);
        macro_rules! read {
            ($($table:ident),*) => {$(
                let ids: Vec<_> = self.$table.iter().map(|(id, _)| id).collect();
                for id in ids {
                    self.$table.modify(id, |row| row.text = encoding.shown(&row.bytes));
                }
            )*};
        }
        read!(lyrics, texts, markers);
        // In a file of format 0 no track is called by a text of the file.
        if self.file.header.format != 0 {
            self.relabel_all();
        }
        // How text is shown is no change of the song, so there is nothing to note.
        self.drain();
    }

    /// The event that names a chunk: its first meta 03.
    #[must_use]
    pub fn name_event(&self, chunk: Id<Chunk>) -> Option<Id<Other>> {
        self.others.index().name(chunk)
    }

    /// The text that names a chunk.
    #[must_use]
    pub fn chunk_name(&self, chunk: Id<Chunk>) -> Option<String> {
        match &self.others.get(self.name_event(chunk)?)?.body {
            Body::Meta { bytes, .. } => {
                Some(self.encoding().shown(bytes)).filter(|name| !name.trim().is_empty())
            }
            _ => None,
        }
    }

    /// Names a chunk.
    ///
    /// # Errors
    /// It is damaged.
    pub fn set_chunk_name(
        &mut self,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
        name: &str,
    ) -> Result<()> {
        self.writable(chunk)?;
        let body = Body::Meta {
            kind: 3,
            bytes: Bytes::new(name.as_bytes()),
        };
        match self.name_event(chunk) {
            Some(id) => {
                self.others.modify(id, |row| row.body = body);
            }
            None => {
                let mark = self.place(chunk, 0, Rank::Off, None);
                self.others.insert(Other {
                    chunk,
                    track,
                    at: 0,
                    body,
                    mark,
                });
            }
        }
        Ok(())
    }

    /// The first program of a track.
    #[must_use]
    pub fn first_program(&self, track: Id<Track>) -> Option<u8> {
        let chunk = self.tracks.get(track)?.chunk;
        let spots = self.programs.index().time.range(chunk, 0, u64::MAX);
        let mut rows = spots.filter_map(|(_, spot)| self.programs.get(Id::new(spot.id)));
        rows.find(|row| row.track == track).map(|row| row.program)
    }

    /// What a track is called when the file does not say: its instrument, else its channel or number.
    pub(super) fn shown_name(&self, track: Id<Track>, number: usize) -> String {
        let Some(row) = self.tracks.get(track) else {
            return String::new();
        };
        let named = if self.file.header.format == 0 {
            None
        } else {
            self.chunk_name(row.chunk)
        };
        named.unwrap_or_else(|| match (row.channel, self.first_program(track)) {
            (Some(Channel::DRUMS), _) => "drums".to_owned(),
            (_, Some(program)) => crate::lines::sound(program).to_owned(),
            (Some(channel), None) => format!("ch-{channel}"),
            (None, None) => format!("track-{number}"),
        })
    }

    /// Works out anew what a track is called.
    pub fn relabel(&mut self, track: Id<Track>) {
        let number = self
            .tracks
            .iter()
            .position(|(id, _)| id == track)
            .map_or(1, |ix| ix + 1);
        // A file of format 0 has no place for a name, so one that was given lives as long as the document is open.
        if self.file.header.format == 0
            && self
                .tracks
                .get(track)
                .is_some_and(|row| !row.name.is_empty())
        {
            return;
        }
        let name = self.shown_name(track, number);
        self.tracks.modify(track, |row| row.name = name);
    }

    /// Works out anew what tracks are called, those aside that were named in a file without a place for names.
    pub fn relabel_tracks(&mut self) {
        let tracks: Vec<Id<Track>> = self.tracks.iter().map(|(id, _)| id).collect();
        for track in tracks {
            self.relabel(track);
        }
    }

    /// Works out what every track is called.
    pub fn relabel_all(&mut self) {
        let ids: Vec<Id<Track>> = self.tracks.iter().map(|(id, _)| id).collect();
        for (ix, id) in ids.into_iter().enumerate() {
            let name = self.shown_name(id, ix + 1);
            self.tracks.modify(id, |row| row.name = name);
        }
    }
}
