//! Rows that set something on a channel of a track: inserted, or changed if a row at the same tick
//! sets the same.

use std::collections::HashMap;

use fcp::prelude::*;

use super::{
    Aftertouch, ControlChange, Mark, PitchBend, Placed, Program, Site, Song, Timeline, Track,
};
use crate::values::{Channel, Pitch};

/// A row that sets something on a channel of a track.
pub trait Setting: Entity + Placed + Clone {
    /// The rows of its kind in the order of the file.
    fn time(index: &Self::Index) -> &Timeline;
    /// Its target: track and channel, and controller or key.
    fn sets(&self) -> (Id<Track>, Channel, Option<u8>);
    /// Its value.
    fn value(&self) -> i32;
    /// Its mark.
    fn mark(&mut self) -> &mut Mark;
}

macro_rules! setting {
    ($($row:ty, $which:expr, $time:expr, $value:ident);* $(;)?) => {$(
        impl Setting for $row {
            fn time(index: &Self::Index) -> &Timeline {
                let time: fn(&Self::Index) -> &Timeline = $time;
                time(index)
            }
            fn sets(&self) -> (Id<Track>, Channel, Option<u8>) {
                let which: fn(&Self) -> Option<u8> = $which;
                (self.track, self.channel, which(self))
            }
            fn value(&self) -> i32 {
                self.$value.into()
            }
            fn mark(&mut self) -> &mut Mark {
                &mut self.mark
            }
        }
    )*};
}

setting! {
    ControlChange, |row| Some(row.number), |index| &index.time, value;
    Program, |_| None, |index| &index.time, program;
    PitchBend, |_| None, |index| &index.time, value;
    Aftertouch, |row| row.pitch.map(Pitch::get), |index| index, value;
}

macro_rules! at {
    ($site:ident, $row:ident { $($field:ident),* }) => {
        $row {
            chunk: $site.chunk,
            track: $site.track,
            at: $site.at,
            channel: $site.channel,
            mark: Mark::default(),
            $($field),*
        }
    };
}

impl Site {
    /// A control change at this site.
    #[must_use]
    pub fn control(self, number: u8, value: u8) -> ControlChange {
        at!(self, ControlChange { number, value })
    }

    /// A program change at this site.
    #[must_use]
    pub fn program(self, program: u8) -> Program {
        at!(self, Program { program })
    }

    /// A bend at this site.
    #[must_use]
    pub fn bend(self, value: i32) -> PitchBend {
        at!(self, PitchBend { value })
    }

    /// Aftertouch at this site: of a key, or of the channel.
    #[must_use]
    pub fn touch(self, pitch: Option<Pitch>, value: u8) -> Aftertouch {
        at!(self, Aftertouch { pitch, value })
    }
}

/// The rows with the same target as `row`, from its tick to another, both included.
fn alike<T: Setting>(song: &Song, row: &T, to: u64) -> Vec<Id<T>>
where
    Song: HasTable<T>,
{
    let table = HasTable::<T>::table(song);
    let spots = T::time(table.index()).range(row.chunk(), row.start().0, to);
    let ids = spots.map(|(_, spot)| Id::new(spot.id));
    ids.filter(|id| table.get(*id).is_some_and(|own| own.sets() == row.sets()))
        .collect()
}

/// Inserts a row at its place, after others of its rank.
pub fn put<T: Setting>(song: &mut Song, row: T) -> Id<T>
where
    Song: HasTable<T>,
{
    put_again(song, row, None)
}

/// [`put`], which restores the row with a given id if this op removed it.
pub fn put_again<T: Setting>(song: &mut Song, mut row: T, gone: Option<Id<T>>) -> Id<T>
where
    Song: HasTable<T>,
{
    let (at, _, rank) = row.start();
    *row.mark() = song.place(row.chunk(), at, rank, None);
    match gone {
        Some(id) => song.table_mut().resume(id, row),
        None => song.table_mut().insert(row),
    }
}

/// Inserts a row, or gives its value to the row at its tick with the same target. Returns the id,
/// and the previous row.
pub fn set<T: Setting>(song: &mut Song, mut row: T) -> (Id<T>, Option<T>)
where
    Song: HasTable<T>,
{
    // Of several at a tick, the last takes effect.
    let there = alike(song, &row, row.start().0).pop();
    let before = there.and_then(|id| Some((id, HasTable::<T>::table(song).get(id)?.clone())));
    let Some((id, before)) = before else {
        return (put(song, row), None);
    };
    *row.mark() = before.start().1;
    song.table_mut().modify(id, |own| *own = row);
    (id, Some(before))
}

/// Replaces the rows with the target of `first`, from its tick to another, both included. A row
/// whose place and value equal those of a new one stays.
pub fn replace<T: Setting>(song: &mut Song, first: &T, to: u64, new: impl Iterator<Item = T>)
where
    Song: HasTable<T>,
{
    let mut gone = HashMap::new();
    for id in alike(song, first, to) {
        if let Some(row) = HasTable::<T>::table_mut(song).remove(id) {
            gone.insert((row.start().0, row.value()), (id, row));
        }
    }
    for row in new {
        match gone.remove(&(row.start().0, row.value())) {
            Some((id, row)) => song.table_mut().resume(id, row),
            None => put(song, row),
        };
    }
}
