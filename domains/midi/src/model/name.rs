//! Names of chunks and tracks.

use fcp::prelude::*;
use fcp::work;

use super::index::event_places::Rank;
use super::rows::kinds::{Chunk, Program, RawEvent, Track};
use super::song::Song;
use crate::model::{Written, row_of};
use crate::smf::{Body, Bytes};
use crate::values::{Channel, Encoding, Program as Sound};

/// The steps that the name of a track counts.
const STEPS_A_NAME: usize = 2;

/// The event that names a track or chunk.
const fn name_event_body(bytes: Bytes) -> Body {
    Body::Meta { kind: 3, bytes }
}

/// A channel prefix: it assigns the metas after it to a channel.
pub(super) fn prefix(channel: Channel) -> Body {
    Body::Meta {
        kind: 0x20,
        bytes: Bytes::new(&[channel.get()]),
    }
}

impl Song {
    /// The encoding of text that is not UTF-8.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or_default()
    }

    /// Sets the encoding of text that is not UTF-8; `None` assumes one. No byte changes.
    pub(crate) fn set_encoding(&mut self, set: Option<Encoding>) {
        let before = self.encoding();
        self.encoding.adjust(|own| *own = set);
        let encoding = self.encoding();
        if encoding == before {
            return;
        }
        macro_rules! read {
            ($($table:ident),*) => {$(
                let ids: Vec<_> = self.$table.iter().map(|(id, _)| id).collect();
                for id in ids {
                    self.$table.modify(id, |row| row.text = encoding.shown(&row.bytes));
                }
            )*};
        }
        read!(lyrics, texts, markers);
        self.relabel_all();
        // Only the display of text changes, not the song, so there is nothing to record.
        self.drain();
    }

    /// The event that names a chunk: its first meta 03; in a file of format 0 the first that does
    /// not name a track.
    #[must_use]
    pub fn name_event(&self, chunk: Id<Chunk>) -> Option<Id<RawEvent>> {
        let all = self.file.header.format != 0;
        let mut names = self.others.index().names_of(chunk);
        names.find(|id| all || self.others.get(*id).is_some_and(|row| row.track.is_none()))
    }

    /// The event that names a track: the name of its chunk; in a file of format 0 the name for its
    /// channel.
    #[must_use]
    pub fn track_name_event(&self, track: Id<Track>) -> Option<Id<RawEvent>> {
        let chunk = self.tracks.get(track)?.chunk;
        if self.file.header.format != 0 {
            return self.name_event(chunk);
        }
        let mut names = self.others.index().names_of(chunk);
        names.find(|id| {
            self.others
                .get(*id)
                .is_some_and(|row| row.track == Some(track))
        })
    }

    /// The name of a chunk.
    #[must_use]
    pub fn chunk_name(&self, chunk: Id<Chunk>) -> Option<String> {
        self.name_text(self.name_event(chunk)?)
    }

    /// The name of a track.
    #[must_use]
    pub fn track_name(&self, track: Id<Track>) -> Option<String> {
        self.name_text(self.track_name_event(track)?)
    }

    /// Whether a name would not change: it is equal, and its bytes are equal if its encoding is
    /// given.
    #[must_use]
    pub fn is_named(&self, event: Option<Id<RawEvent>>, name: &Written) -> bool {
        let Some(event) = event else { return false };
        match self.others.get(event).map(|row| &row.body) {
            Some(Body::Meta { bytes, .. }) if name.is_named => *bytes == name.bytes,
            _ => self.name_text(event).as_deref() == Some(&name.text),
        }
    }

    fn name_text(&self, name: Id<RawEvent>) -> Option<String> {
        match &self.others.get(name)?.body {
            Body::Meta { bytes, .. } => {
                Some(self.encoding().shown(bytes)).filter(|name| !name.trim().is_empty())
            }
            _ => None,
        }
    }

    /// Names a track.
    ///
    /// # Errors
    /// Its chunk is damaged.
    pub fn set_track_name(&mut self, track: Id<Track>, name: &Written) -> Result<()> {
        let row = self.tracks.need(track)?;
        let (chunk, channel) = (row.chunk, row.channel);
        let (0, Some(channel)) = (self.file.header.format, channel) else {
            return self.set_chunk_name(chunk, Some(track), name);
        };
        self.writable(chunk)?;
        if let Some(id) = self.track_name_event(track) {
            return self.set_name(id, name);
        }
        let body = name_event_body(self.new_bytes(name)?);
        // After the title, which would also be for this channel, and before a prefix for another
        // channel.
        let next = self.others.index().first_prefix(chunk);
        for body in [prefix(channel), body] {
            let mark = self.place(chunk, 0, Rank::Song, next);
            self.others.insert(RawEvent {
                chunk,
                track: Some(track),
                at: 0,
                body,
                mark,
            });
        }
        Ok(())
    }

    /// Names a chunk.
    ///
    /// # Errors
    /// It is damaged.
    pub fn set_chunk_name(
        &mut self,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
        name: &Written,
    ) -> Result<()> {
        self.writable(chunk)?;
        if let Some(id) = self.name_event(chunk) {
            return self.set_name(id, name);
        }
        let body = name_event_body(self.new_bytes(name)?);
        let mark = self.place(chunk, 0, Rank::Off, None);
        self.others.insert(RawEvent {
            chunk,
            track,
            at: 0,
            body,
            mark,
        });
        Ok(())
    }

    /// Sets a name, in the encoding of the old one.
    fn set_name(&mut self, event: Id<RawEvent>, name: &Written) -> Result<()> {
        let bytes = match &self.others.need(event)?.body {
            Body::Meta { bytes, .. } => self.bytes_over(row_of(event), bytes, name)?,
            _ => self.new_bytes(name)?,
        };
        self.others
            .modify(event, |row| row.body = name_event_body(bytes));
        Ok(())
    }

    /// The first program change on the channel of a track; a track without a channel would play on
    /// the first.
    #[must_use]
    pub fn own_program(&self, track: Id<Track>) -> Option<Id<Program>> {
        let channel = self.tracks.get(track)?.channel;
        let channel = channel.unwrap_or(Channel::FIRST);
        self.programs.index().of(track, channel).next()
    }

    /// The first program on the channel of a track.
    #[must_use]
    pub fn first_program(&self, track: Id<Track>) -> Option<u8> {
        let first = self.programs.get(self.own_program(track)?)?;
        Some(first.program)
    }

    /// The name of a track, or if the file has none, its instrument, else its channel or number.
    pub(super) fn shown_name(&self, track: Id<Track>, number: impl FnOnce() -> usize) -> String {
        let Some(row) = self.tracks.get(track) else {
            return String::new();
        };
        self.track_name(track)
            .unwrap_or_else(|| match (row.channel, self.first_program(track)) {
                (Some(Channel::DRUMS), _) => "drums".to_owned(),
                (_, Some(program)) => Sound::name_of(program).to_owned(),
                (Some(channel), None) => format!("ch-{channel}"),
                (None, None) => format!("track-{}", number()),
            })
    }

    /// Updates the name of a track.
    pub fn relabel(&mut self, track: Id<Track>) {
        let number = || {
            let mut order = self.ordered();
            order.position(|(id, _)| id == track).map_or(1, |ix| ix + 1)
        };
        let name = self.shown_name(track, number);
        self.tracks.modify(track, |row| row.name = name);
    }

    /// Updates the names of all tracks.
    pub fn relabel_all(&mut self) {
        let ids: Vec<Id<Track>> = self.ordered().map(|(id, _)| id).collect();
        // The call fails at its next check.
        let _ = work::spend(STEPS_A_NAME * ids.len());
        for (ix, id) in ids.into_iter().enumerate() {
            let name = self.shown_name(id, || ix + 1);
            self.tracks.modify(id, |row| row.name = name);
        }
    }
}
