//! What chunks and tracks are called.

use fcp::prelude::*;

use super::index::mark::Rank;
use super::rows::kinds::{Chunk, Program, RawEvent, Track};
use super::song::Song;
use crate::model::Written;
use crate::smf::{Body, Bytes};
use crate::values::{Channel, Encoding, Program as Sound};

/// The event that names a track or chunk.
fn said(name: &Written) -> Body {
    Body::Meta {
        kind: 3,
        bytes: name.bytes.clone(),
    }
}

/// What says that the metas behind it are for a channel.
pub(super) fn prefix(channel: Channel) -> Body {
    Body::Meta {
        kind: 0x20,
        bytes: Bytes::new(&[channel.get()]),
    }
}

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
        self.relabel_all();
        // How text is shown is no change of the song, so there is nothing to note.
        self.drain();
    }

    /// The event that names a chunk: its first meta 03, in a file of format 0 the first that names no track.
    #[must_use]
    pub fn name_event(&self, chunk: Id<Chunk>) -> Option<Id<RawEvent>> {
        let all = self.file.header.format != 0;
        let mut names = self.others.index().names_of(chunk);
        names.find(|id| all || self.others.get(*id).is_some_and(|row| row.track.is_none()))
    }

    /// The event that names a track: what names its chunk, in a file of format 0 what is for its channel.
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

    /// The text that names a chunk.
    #[must_use]
    pub fn chunk_name(&self, chunk: Id<Chunk>) -> Option<String> {
        self.name_said(self.name_event(chunk)?)
    }

    /// The text that names a track.
    #[must_use]
    pub fn track_name(&self, track: Id<Track>) -> Option<String> {
        self.name_said(self.track_name_event(track)?)
    }

    /// Whether a text would change nothing of a name: it is the same, in the same bytes if its encoding is named.
    #[must_use]
    pub fn is_named(&self, event: Option<Id<RawEvent>>, name: &Written) -> bool {
        let Some(event) = event else { return false };
        match self.others.get(event).map(|row| &row.body) {
            Some(Body::Meta { bytes, .. }) if name.is_named => *bytes == name.bytes,
            _ => self.name_said(event).as_deref() == Some(&name.text),
        }
    }

    fn name_said(&self, name: Id<RawEvent>) -> Option<String> {
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
            self.others.modify(id, |row| row.body = said(name));
            return Ok(());
        }
        // Behind the title, which would be for this channel too, and before what is for another one.
        let next = self.others.index().first_prefix(chunk);
        for body in [prefix(channel), said(name)] {
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
        let body = said(name);
        match self.name_event(chunk) {
            Some(id) => {
                self.others.modify(id, |row| row.body = body);
            }
            None => {
                let mark = self.place(chunk, 0, Rank::Off, None);
                self.others.insert(RawEvent {
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

    /// The first program change on the channel of a track; one that has none would play on the first.
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

    /// What a track is called when the file does not say: its instrument, else its channel or number.
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

    /// Works out anew what a track is called.
    pub fn relabel(&mut self, track: Id<Track>) {
        let number = || {
            let mut order = self.ordered();
            order.position(|(id, _)| id == track).map_or(1, |ix| ix + 1)
        };
        let name = self.shown_name(track, number);
        self.tracks.modify(track, |row| row.name = name);
    }

    /// Works out what every track is called.
    pub fn relabel_all(&mut self) {
        let ids: Vec<Id<Track>> = self.ordered().map(|(id, _)| id).collect();
        for (ix, id) in ids.into_iter().enumerate() {
            let name = self.shown_name(id, || ix + 1);
            self.tracks.modify(id, |row| row.name = name);
        }
    }
}
