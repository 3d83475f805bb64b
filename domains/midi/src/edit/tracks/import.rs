//! Imports the tracks of another file, at the beats of this one.

use std::collections::BTreeSet;

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use crate::edit::tracks::channels;
use crate::edit::tracks::channels::Channels;
use crate::model::{Chunk, LAST_TICK, RawEvent, Song, Track};
use crate::smf::{Body, Bytes, End};
use crate::time::Division;
use crate::values::{Channel, Encoding};

/// An import in progress.
pub struct Import<'a> {
    song: &'a mut Song,
    other: &'a Song,
    conductor: Id<Chunk>,
    start: u64,
    prefix: &'a str,
    channels: Channels,
}

/// The chunk of a track of the other file, and its new chunk and track.
struct Home {
    source: Id<Chunk>,
    chunk: Id<Chunk>,
    track: Id<Track>,
}

type Homes = FxHashMap<Id<Track>, Home>;

/// Result of an import.
pub struct Imported {
    /// Number of tracks.
    pub tracks: usize,
    /// Number of notes.
    pub notes: usize,
    /// Remarks for the reply.
    pub remarks: Vec<String>,
}

impl<'a> Import<'a> {
    /// An import of all tracks of `other`, starting at tick `start`.
    ///
    /// # Errors
    /// The song cannot take more tracks, or `other` has none.
    pub fn new(
        song: &'a mut Song,
        other: &'a Song,
        conductor: Id<Chunk>,
        start: u64,
        prefix: &'a str,
    ) -> Result<Self> {
        if song.file.header.format == 0 {
            bail!(
                "a file of format 0 is one chunk and takes no other tracks";
                try: "save smf:1"
            );
        }
        // A track after a truncated one would be read as the rest of it.
        if let Some((last, _)) = song.chunks.iter().next_back() {
            song.writable(last)?;
        }
        if other.tracks.is_empty() {
            bail!("the file has no track");
        }
        Ok(Self {
            song,
            other,
            conductor,
            start,
            prefix,
            channels: Channels::new(),
        })
    }

    /// Adds the tracks.
    ///
    /// # Errors
    /// An event would be after the last tick of a file.
    pub fn run(mut self) -> Result<Imported> {
        let mut remarks = Vec::new();
        let other = self.other;
        // Rows that belong to no track of the other file.
        let lyrics = other.lyrics.iter().filter(|(_, row)| row.track.is_none());
        let texts = other.texts.iter().filter(|(_, row)| row.track.is_none());
        let raw = other.others.iter().filter(|(_, row)| row.track.is_none());
        let raw = raw.filter(|(_, row)| !row.is_name());
        let left = [
            (other.tempos.len(), "tempo"),
            (other.meters.len(), "meter"),
            (other.keys.len(), "key"),
            (other.markers.len(), "marker"),
            (lyrics.count(), "lyric"),
            (texts.count(), "text"),
            (raw.count(), "raw"),
        ];
        let left = left.iter().filter(|(n, _)| *n > 0);
        let left: Vec<String> = left.map(|(n, noun)| format!("{n} {noun}")).collect();
        if !left.is_empty() {
            remarks.push(format!("left behind: {}", left.join(", ")));
        }
        if other.chunks.iter().any(|(_, chunk)| chunk.fault.is_some()) {
            remarks.push("the file is damaged: what can be read is here".to_owned());
        }
        self.choose_channels();
        let moved = channels::moved(&self.channels);
        if !moved.is_empty() {
            remarks.push(format!("channel {}", moved.join(", ")));
        }
        let before = self.song.notes.len();
        let mut homes = Homes::default();
        for (id, row) in other.tracks.iter() {
            homes.insert(id, self.make(row)?);
        }
        self.rows(&homes)?;
        if !self.prefix.is_empty() {
            for (id, row) in other.tracks.iter() {
                let Some(home) = homes.get(&id) else { continue };
                let name = format!("{}{}", self.prefix, row.name);
                let name = self.song.written(&name, self.utf8_of(home.chunk))?;
                self.song
                    .set_chunk_name(home.chunk, Some(home.track), &name)?;
            }
        }
        self.song.relabel_all();
        Ok(Imported {
            tracks: other.tracks.len(),
            notes: self.song.notes.len() - before,
            remarks,
        })
    }

    /// UTF-8, if the name of a chunk is in it: with a prefix it stays so.
    fn utf8_of(&self, chunk: Id<Chunk>) -> Option<Encoding> {
        let event = self.song.name_event(chunk)?;
        let Body::Meta { bytes, .. } = &self.song.others.get(event)?.body else {
            return None;
        };
        let is_utf8 = !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok();
        is_utf8.then(Encoding::utf8)
    }

    /// Replaces each channel that is in use already by a free one, if there is one. Drums stay on
    /// their channel.
    fn choose_channels(&mut self) {
        let here = channels::used_channels(self.song);
        let there = channels::used_channels(self.other);
        let mut taken: BTreeSet<Channel> = here.union(&there).copied().collect();
        taken.insert(Channel::DRUMS);
        for channel in there {
            let free = Channel::all().find(|free| !taken.contains(free));
            let clashes = channel != Channel::DRUMS && here.contains(&channel);
            let to = free.filter(|_| clashes).unwrap_or(channel);
            taken.insert(to);
            self.channels.insert(channel, to);
        }
    }

    fn channel(&self, channel: Channel) -> Channel {
        self.channels.get(&channel).copied().unwrap_or(channel)
    }

    fn body(&self, body: &Body) -> Body {
        match body {
            Body::Channel { status, data } => {
                let own =
                    Channel::new(status & 15).map_or(status & 15, |own| self.channel(own).get());
                Body::Channel {
                    status: status & 0xf0 | own,
                    data: *data,
                }
            }
            // A channel prefix: the channel of the metas after it.
            Body::Meta { kind: 0x20, bytes } => {
                let own = bytes.first().and_then(|own| Channel::new(*own));
                let bytes = match own.filter(|_| bytes.len() == 1) {
                    Some(own) => Bytes::new(&[self.channel(own).get()]),
                    None => bytes.clone(),
                };
                Body::Meta { kind: 0x20, bytes }
            }
            body => body.clone(),
        }
    }

    /// The tick in this song for a tick of the other file: the same number of beats, or of seconds
    /// if one of them has no beats.
    fn tick(&self, chunk: Id<Chunk>, tick: u64) -> Result<u64> {
        let there = match (self.other.division(), self.song.division()) {
            (Division::Quarter(from), Division::Quarter(to)) => {
                let (from, to) = (u128::from(from), u128::from(to));
                let ticks = (u128::from(tick) * to + from / 2) / from;
                u64::try_from(ticks).ok()
            }
            (_, here) => {
                let seconds = self.other.seconds(chunk, tick);
                match here {
                    Division::Quarter(_) => {
                        let start = self.song.seconds(self.conductor, self.start);
                        let map = self.song.tempo_map(self.conductor);
                        let at = map.tick(start + seconds);
                        at.map(|at| at.saturating_sub(self.start))
                    }
                    // Checked against the range below; the cast saturates.
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                    Division::Second(rate) => Some((seconds * rate).round() as u64),
                }
            }
        };
        let at = there.and_then(|ticks| ticks.checked_add(self.start));
        match at.filter(|at| *at <= LAST_TICK) {
            Some(at) => Ok(at),
            None => bail!("the file ends beyond tick {LAST_TICK}, the last one of a file"),
        }
    }

    /// An empty track for one of the other file.
    fn make(&mut self, row: &Track) -> Result<Home> {
        let (other, source) = (self.other, row.chunk);
        let end = other.chunks.need(source)?.end.as_ref();
        let end = match end {
            Some(end) => self.tick(source, end.tick)?,
            None => 0,
        };
        let chunk = self.song.chunks.insert(Chunk {
            end: Some(End::at(end)),
            ..Chunk::track()
        });
        let channel = row.channel.map(|channel| self.channel(channel));
        let track = self.song.tracks.insert(Track {
            chunk,
            name: String::new(),
            channel,
        });
        Ok(Home {
            source,
            chunk,
            track,
        })
    }

    /// Copies the rows of all tracks. Each keeps its mark, and so its place among the rows of its
    /// tick.
    fn rows(&mut self, homes: &Homes) -> Result<()> {
        let other = self.other;
        for (_, note) in other.notes.iter() {
            let Some(home) = homes.get(&note.track) else {
                continue;
            };
            let at = self.tick(home.source, note.at)?;
            let end = match note.dur {
                Some(dur) => Some(self.tick(home.source, note.at + dur)?),
                None => None,
            };
            let mut note = note.clone();
            (note.chunk, note.track, note.at) = (home.chunk, home.track, at);
            note.dur = end.map(|end| end - at);
            note.channel = self.channel(note.channel);
            self.song.notes.insert(note);
        }
        macro_rules! voices {
            ($($table:ident),*) => {$(
                for (_, row) in other.$table.iter() {
                    let Some(home) = homes.get(&row.track) else {
                        continue;
                    };
                    let at = self.tick(home.source, row.at)?;
                    let mut row = row.clone();
                    (row.chunk, row.track, row.at) = (home.chunk, home.track, at);
                    row.channel = self.channel(row.channel);
                    self.song.$table.insert(row);
                }
            )*};
        }
        voices!(controls, programs, bends, touches);
        let home_of = |track: Option<Id<Track>>| homes.get(&track?);
        macro_rules! texts {
            ($($table:ident),*) => {$(
                for (_, row) in other.$table.iter() {
                    let Some(home) = home_of(row.track) else {
                        continue;
                    };
                    let at = self.tick(home.source, row.at)?;
                    let mut row = row.clone();
                    (row.chunk, row.track, row.at) = (home.chunk, Some(home.track), at);
                    self.song.$table.insert(row);
                }
            )*};
        }
        texts!(lyrics, texts);
        for (_, event) in other.others.iter() {
            let home = home_of(event.track).filter(|_| !other.is_own_prefix(event));
            let Some(home) = home else { continue };
            let at = match event.is_name() {
                true => 0,
                false => self.tick(home.source, event.at)?,
            };
            self.song.others.insert(RawEvent {
                chunk: home.chunk,
                track: Some(home.track),
                at,
                body: self.body(&event.body),
                mark: event.mark,
            });
        }
        Ok(())
    }
}
