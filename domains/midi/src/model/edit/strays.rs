//! Note-offs that end no note.

use fcp::prelude::*;

use crate::model::index::event_places::Rank;
use crate::model::rows::kinds::{Chunk, Note, RawEvent};
use crate::model::song::Song;
use crate::values::{Channel, Pitch};

impl Song {
    /// The note-offs of a chunk that end no note.
    pub(crate) fn strays(&self, chunk: Id<Chunk>) -> Vec<Id<RawEvent>> {
        let index = self.others.index();
        if index.strays() == 0 {
            return Vec::new();
        }
        let all = index.time.range(chunk, 0, u64::MAX);
        let strays = all.filter(|(_, spot)| spot.rank == Rank::Off);
        strays.map(|(_, spot)| Id::new(spot.id)).collect()
    }

    /// The note that a stray note-off would end at its place.
    pub(crate) fn stray_ends(&self, id: Id<RawEvent>) -> Option<Id<Note>> {
        let row = self.others.get(id)?;
        let crate::smf::Body::Channel { status, data } = row.body else {
            return None;
        };
        if row.rank() != Rank::Off {
            return None;
        }
        let (channel, pitch) = (Channel::new(status & 15)?, Pitch::new(data[0])?);
        let place = (row.at, row.mark.pos, row.mark.seq);
        self.ended_by((row.chunk, channel, pitch), place)
    }
}
