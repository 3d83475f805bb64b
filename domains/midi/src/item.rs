//! What stands on a track, whatever its kind, in the order of the file.

use fcp::prelude::*;

use crate::lines;
use crate::model::{Chunk, Key, Song, Track};
use crate::values::{Controller, Dur};

/// Something on a track.
#[derive(Clone, Copy)]
pub enum Item {
    /// A note, by its id.
    Note(u32),
    /// A control change, by its id.
    Control(u32),
    /// A program change, by its id.
    Program(u32),
    /// Any other event, by its id.
    Other(u32),
}

/// Gathers what starts on a track from `from` up to, not including, `to`.
pub fn collect(
    song: &Song,
    track: Id<Track>,
    chunk: Id<Chunk>,
    (from, to): (u64, u64),
    rows: &mut Vec<(Key, Item)>,
) {
    // The end of a span is the first tick outside.
    let to = to.saturating_sub(1);
    for (key, spot) in song
        .notes
        .index()
        .time
        .range(chunk, from, to)
        .filter(|(_, spot)| !spot.off)
    {
        if song
            .notes
            .get(Id::new(spot.id))
            .is_some_and(|row| row.track == track)
        {
            rows.push((key, Item::Note(spot.id)));
        }
    }
    for (key, spot) in song.controls.index().time.range(chunk, from, to) {
        if song
            .controls
            .get(Id::new(spot.id))
            .is_some_and(|row| row.track == track)
        {
            rows.push((key, Item::Control(spot.id)));
        }
    }
    for (key, spot) in song.programs.index().time.range(chunk, from, to) {
        if song
            .programs
            .get(Id::new(spot.id))
            .is_some_and(|row| row.track == track)
        {
            rows.push((key, Item::Program(spot.id)));
        }
    }
    for (key, spot) in song.others.index().time.range(chunk, from, to) {
        if song
            .others
            .get(Id::new(spot.id))
            .is_some_and(|row| row.track == Some(track))
        {
            rows.push((key, Item::Other(spot.id)));
        }
    }
}

impl Item {
    /// One line of query `events`.
    #[must_use]
    pub fn line(self, song: &Song, several: bool) -> String {
        let told = match self {
            Self::Note(id) => note(song, id),
            Self::Control(id) => song.controls.get(Id::new(id)).map(|row| {
                let number = Controller::new(row.number)
                    .map_or_else(|| row.number.to_string(), |n| n.to_string());
                (
                    row.chunk,
                    row.at,
                    row.track,
                    format!("cc {number} {}", row.value),
                )
            }),
            Self::Program(id) => song.programs.get(Id::new(id)).map(|row| {
                let name = lines::played(row);
                (
                    row.chunk,
                    row.at,
                    row.track,
                    format!("program {} {name}", row.program),
                )
            }),
            Self::Other(id) => song
                .others
                .get(Id::new(id))
                .and_then(|row| Some((row.chunk, row.at, row.track?, lines::said(&row.body)))),
        };
        let (Self::Note(id) | Self::Control(id) | Self::Program(id) | Self::Other(id)) = self;
        let Some((chunk, at, track, text)) = told else {
            return format!("#{id}");
        };
        let on = if several {
            format!(" on {}", lines::name(song, track))
        } else {
            String::new()
        };
        format!("{} {text}{on} #{id}", song.shown(chunk, at))
    }
}

fn note(song: &Song, id: u32) -> Option<(Id<Chunk>, u64, Id<Track>, String)> {
    let row = song.notes.get(Id::new(id))?;
    let ppqn = song.has_bars().then(|| song.ppqn());
    let dur = match row.dur {
        None => "open".to_owned(),
        Some(dur) => {
            Dur::of_ticks(dur, ppqn).map_or_else(|| dur.to_string(), |dur| dur.to_string())
        }
    };
    let own = song.tracks.get(row.track).and_then(|track| track.channel);
    let channel = if own == Some(row.channel) {
        String::new()
    } else {
        format!(" ch:{}", row.channel)
    };
    Some((
        row.chunk,
        row.at,
        row.track,
        format!(
            "{} {dur} v{}{channel}",
            lines::pitch(song, row),
            row.velocity
        ),
    ))
}
