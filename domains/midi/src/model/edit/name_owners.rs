//! Owners of names in a file of format 0.

use std::collections::BTreeSet;

use fcp::prelude::*;

use crate::model::index::controls::Moment;
use crate::model::rows::kinds::{Chunk, RawEvent, Track};
use crate::model::song::{Song, SongEvent};
use crate::smf::Body;
use crate::values::Channel;

/// A prefix in effect: its row, its channel, and the last place up to which no channel event ended
/// it.
struct Holds {
    prefix: Id<RawEvent>,
    channel: Channel,
    to: Moment,
}

impl Song {
    /// Whether an event is the channel prefix of a track's name.
    pub(crate) fn is_own_prefix(&self, row: &RawEvent) -> bool {
        self.file.header.format == 0 && row.is_prefix() && row.track.is_some()
    }

    /// Updates the owners of names, if changes may affect them.
    pub(crate) fn own_names_after(&mut self, changes: &[SongEvent]) {
        let is_said = |change: &SongEvent| matches!(change, SongEvent::Others(_));
        if self.others.index().prefixes() > 0 || changes.iter().any(is_said) {
            self.own_names();
        }
    }

    /// Assigns each name in a file of format 0, with its prefix, to the track of its channel;
    /// creates the track if there is none. By RP-001 a channel prefix holds until the next channel
    /// event or the next prefix.
    pub(crate) fn own_names(&mut self) {
        if self.file.header.format != 0 {
            return;
        }
        let mut owners: Vec<(Id<RawEvent>, Option<Channel>)> = Vec::new();
        let mut holds: Option<Holds> = None;
        let mut last = None;
        for (chunk, place, id) in self.others.index().names_and_prefixes() {
            if last.replace(chunk) != Some(chunk) {
                holds = None;
            }
            let Some(row) = self.others.get(id) else {
                continue;
            };
            if let Body::Meta { kind: 0x20, bytes } = &row.body {
                owners.push((id, None));
                let channel = match **bytes {
                    [channel] => Channel::new(channel),
                    _ => None,
                };
                holds = channel.map(|channel| Holds {
                    prefix: id,
                    channel,
                    to: place,
                });
                continue;
            }
            holds = holds.filter(|holds| !self.plays_between(row.chunk, holds.to, place));
            owners.push((id, holds.as_ref().map(|holds| holds.channel)));
            if let Some(holds) = &mut holds {
                holds.to = place;
                owners.push((holds.prefix, Some(holds.channel)));
            }
        }
        // If a prefix is listed twice, the entry with a name counts.
        owners.sort_unstable();
        owners.reverse();
        owners.dedup_by_key(|(id, _)| *id);
        let mut chunks: BTreeSet<Id<Chunk>> = BTreeSet::new();
        for (id, channel) in owners {
            let Some((chunk, before)) = self.others.get(id).map(|row| (row.chunk, row.track))
            else {
                continue;
            };
            let owner = channel.map(|channel| self.of_channel(chunk, channel));
            if owner != before {
                self.others.modify(id, |row| row.track = owner);
                chunks.insert(chunk);
            }
        }
        chunks
            .into_iter()
            .for_each(|chunk| self.relabel_chunk(chunk));
    }

    /// Whether a channel event is between two places of a chunk.
    fn plays_between(&self, chunk: Id<Chunk>, from: Moment, to: Moment) -> bool {
        self.timelines().into_iter().any(|(part, timeline)| {
            let after = timeline.after(chunk, from);
            let mut between = after.take_while(|(key, _)| (key.tick, key.pos, key.seq) < to);
            between.any(|(_, spot)| self.channel_of(Row::new(part, spot.id)).is_some())
        })
    }

    /// The track of a channel in a chunk of a file of format 0, created if there is none.
    pub(in crate::model) fn of_channel(&mut self, chunk: Id<Chunk>, channel: Channel) -> Id<Track> {
        let plays = |id: &Id<Track>| {
            let own = self.tracks.get(*id).and_then(|row| row.channel);
            own == Some(channel)
        };
        if let Some(own) = self.tracks.index().of(chunk).find(plays) {
            return own;
        }
        let made = self.tracks.insert(Track {
            chunk,
            name: String::new(),
            channel: Some(channel),
        });
        self.relabel(made);
        made
    }
}
