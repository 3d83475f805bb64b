//! The contents of a track, and copies of them.

use std::collections::BTreeSet;

use fcp::prelude::*;

use super::channels::{Channels, free_channel_outside, used_channels};
use crate::model::{IsKind, NewNote, Note, Overlaps, Song, Sources, Track};
use crate::values::Channel;

/// Content of a track: its notes, and rows of other kinds with their ticks, without its name.
pub struct TrackContents {
    /// The track's channel.
    pub channel: Option<Channel>,
    /// The notes, in the order they start.
    pub notes: Vec<(Id<Note>, Note)>,
    /// The others, in the order of the file.
    pub others: Vec<(Row, u64)>,
}

/// Collects the content of a track.
///
/// # Errors
/// The track is gone.
pub fn held(song: &Song, track: Id<Track>) -> Result<TrackContents> {
    let Track { chunk, channel, .. } = *song.tracks.need(track)?;
    let mut rows = Vec::new();
    song.starting(chunk, 0, u64::MAX, &mut rows);
    rows.retain(|(_, row)| song.track_of(*row) == Some(track));
    rows.sort_unstable_by_key(|(key, _)| *key);
    let mut held = TrackContents {
        channel,
        notes: Vec::new(),
        others: Vec::new(),
    };
    for (key, row) in rows {
        if row.is::<Note>() {
            held.notes
                .push((row.of(), song.notes.need(row.of())?.clone()));
        } else if !song.names_track(row) {
            held.others.push((row, key.tick));
        }
    }
    Ok(held)
}

impl TrackContents {
    /// The channels of the track's content.
    fn channels(&self, song: &Song) -> BTreeSet<Channel> {
        let notes = self.notes.iter().map(|(_, note)| note.channel);
        let others = self.others.iter();
        let others = others.filter_map(|(row, _)| song.channel_of(*row));
        notes.chain(others).collect()
    }

    /// The channels of a copy whose own channel is `to`: drums keep their channel, and content of
    /// each other channel gets a free one, or stays if there is none.
    ///
    /// # Errors
    /// Content of two channels would share one: the first is the track's own, the second is `to`.
    pub fn copied(&self, song: &Song, to: Channel) -> Result<Channels, (Channel, Channel)> {
        let mut used = used_channels(song);
        used.insert(to);
        let mut channels = Channels::new();
        for channel in self.channels(song) {
            let free = || free_channel_outside(song, &used).unwrap_or(channel);
            let copied = match channel {
                own if Some(own) == self.channel => to,
                Channel::DRUMS => Channel::DRUMS,
                _ => free(),
            };
            used.insert(copied);
            channels.insert(channel, copied);
        }
        let is_mixed =
            |(from, copied): &(&Channel, &Channel)| Some(**from) != self.channel && **copied == to;
        match (self.channel, channels.iter().find(is_mixed)) {
            (Some(own), Some((other, _))) => Err((own, *other)),
            _ => Ok(channels),
        }
    }
}

/// Copies the content of a track to another, with replaced channels. Returns the effect on notes
/// that collided.
///
/// # Errors
/// A chunk is damaged.
pub fn copy_all(
    song: &mut Song,
    from: &TrackContents,
    to: Id<Track>,
    channels: &Channels,
) -> Result<Overlaps> {
    let chunk = song.tracks.need(to)?.chunk;
    let mut sources = Sources::default();
    for (row, at) in &from.others {
        let own = song.channel_of(*row);
        let channel = own.and_then(|own| channels.get(&own)).copied();
        song.copy_to(*row, chunk, *at, Some((to, channel)), &mut sources)?;
    }
    let mut notes = Vec::with_capacity(from.notes.len());
    for (id, note) in &from.notes {
        let copy = NewNote {
            track: to,
            channel: *channels.get(&note.channel).unwrap_or(&note.channel),
            ..song.like(note)
        };
        notes.push((*id, copy));
    }
    let overlaps = song.add_copies(notes, &mut sources)?;
    song.keep_order(sources);
    Ok(overlaps)
}
