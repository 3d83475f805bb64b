//! The model.

use std::collections::{BTreeMap, BTreeSet};

use fcp::model::Given;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_batch::{Apart, Gathering};
use super::rows::kinds::{
    Chunk, ControlChange, Key, Marker, Meter, Note, Program, RawEvent, Tempo, Track,
};
use super::rows::voice::{Aftertouch, PitchBend};
use super::rows::words::{Lyric, TextEvent};
use super::song_settings::Manner;
use crate::model::row_of;
use crate::smf::{Bytes, Container, Header};
use crate::soundfont::LoadedSoundFont;
use crate::values::Encoding;

/// A song: the whole content of a Standard MIDI File.
#[derive(FcpModel)]
#[fcp(domain = "midi", title = "Standard MIDI Files")]
pub struct Song {
    /// The data around the chunks.
    pub file: Slot<Envelope>,
    /// The chunks after the header, in file order.
    #[fcp(hidden)]
    pub chunks: Table<Chunk>,
    /// The tracks.
    #[fcp(count = "t", line = line)]
    pub tracks: Table<Track>,
    /// The notes.
    #[fcp(universe, line = line)]
    pub notes: Table<Note>,
    /// The control changes.
    #[fcp(line = line)]
    pub controls: Table<ControlChange>,
    /// The program changes.
    #[fcp(line = line)]
    pub programs: Table<Program>,
    /// The pitch bends.
    #[fcp(line = line)]
    pub bends: Table<PitchBend>,
    /// Aftertouch.
    #[fcp(line = line)]
    pub touches: Table<Aftertouch>,
    /// The lyrics.
    #[fcp(line = line)]
    pub lyrics: Table<Lyric>,
    /// The texts.
    #[fcp(line = line)]
    pub texts: Table<TextEvent>,
    /// The tempo changes.
    #[fcp(line = line)]
    pub tempos: Table<Tempo>,
    /// The meter changes.
    #[fcp(line = line)]
    pub meters: Table<Meter>,
    /// The key signatures.
    #[fcp(line = line)]
    pub keys: Table<Key>,
    /// The markers.
    #[fcp(line = line)]
    pub markers: Table<Marker>,
    /// Every other event.
    #[fcp(line = line)]
    pub others: Table<RawEvent>,
    /// End of the last music added to each track.
    #[fcp(view)]
    pub cursors: Slot<Cursors>,
    /// Muted and solo tracks.
    #[fcp(view)]
    pub mutes: Slot<Mutes>,
    /// Encoding of text that is not UTF-8; `None` if it is only assumed.
    #[fcp(view)]
    pub encoding: Given<Option<Encoding>>,
    /// Settings of display and edits.
    #[fcp(view)]
    pub manner: Given<Manner>,
    /// The SoundFont that plays it.
    #[fcp(view)]
    pub sound: Given<LoadedSoundFont>,
    /// Changes to make together; none between ops.
    #[fcp(view)]
    pub gathering: Given<Gathering>,
    /// Copies that have no effect on other notes yet; none between ops.
    #[fcp(view)]
    pub apart: Given<Apart>,
}

/// A row on one line, as the domain says it: the model makes no text of rows.
fn line<T: Entity>(song: &Song, id: Id<T>, _: &T) -> String
where
    Song: HasTable<T>,
{
    Domain::describe_row(song, row_of(id)).unwrap_or_default()
}

/// The data around the chunks of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Shell")]
pub struct Envelope {
    /// The RIFF wrapper, if there is one.
    #[schemars(skip)]
    pub container: Container,
    /// The header chunk.
    #[schemars(skip)]
    pub header: Header,
    /// Number of track chunks it was read with, so that a wrong count in the header stays wrong by as much.
    pub read_tracks: u16,
    /// Bytes after the last chunk that are not a chunk.
    #[schemars(with = "String")]
    pub trailing: Bytes,
}

impl Default for Envelope {
    fn default() -> Self {
        Self {
            container: Container::Bare,
            header: Header::new(1, 0, 480),
            read_tracks: 0,
            trailing: Bytes::default(),
        }
    }
}

// Format and division are content; container, extra bytes and wrong lengths are spelling.
impl std::hash::Hash for Envelope {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.header.format, self.header.division).hash(state);
    }
}

/// End of the last music added to a track, in ticks, by the track's id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Cursors(pub BTreeMap<u32, u64>);

/// Muted and solo tracks, by their ids. A file does not hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Mutes {
    /// Tracks that are not heard.
    pub muted: BTreeSet<u32>,
    /// Tracks that are heard alone, if there are any.
    pub solo: BTreeSet<u32>,
}

impl Song {
    /// The tracks in the order of the file, which their numbers follow. A moved track keeps its id,
    /// so this is not the order of ids.
    pub fn ordered(&self) -> impl Iterator<Item = (Id<Track>, &Track)> {
        let order = self.tracks.index().ordered();
        order.filter_map(|id| Some((id, self.tracks.get(id)?)))
    }

    /// The tracks that are not heard.
    pub fn unheard(&self) -> impl Iterator<Item = Id<Track>> + '_ {
        let ids = self.ordered().map(|(id, _)| id);
        ids.filter(|id| !self.is_heard(*id))
    }

    /// Whether a track is heard: it is not muted, and is solo if any is.
    #[must_use]
    pub fn is_heard(&self, track: Id<Track>) -> bool {
        let (mutes, number) = (&self.mutes, track.number());
        !mutes.muted.contains(&number) && (mutes.solo.is_empty() || mutes.solo.contains(&number))
    }

    /// The first track chunk, which holds the song's own rows.
    #[must_use]
    pub fn first_chunk(&self) -> Option<Id<Chunk>> {
        self.chunks
            .iter()
            .find(|(_, chunk)| chunk.is_track())
            .map(|(id, _)| id)
    }

    /// The last tick at which a row of a track ends, and its chunk.
    #[must_use]
    pub fn last_sound(&self) -> Option<(Id<Chunk>, u64)> {
        let timelines = self.timelines().into_iter();
        let own = timelines.filter(|(part, _)| !self.is_of_song(*part));
        let lasts = own.flat_map(|(_, timeline)| timeline.lasts());
        let last = lasts.max_by_key(|key| (key.tick, key.chunk))?;
        Some((Id::new(last.chunk), last.tick))
    }
}
