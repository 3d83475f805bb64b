//! `empty`

use fcp::prelude::*;

use crate::checks::affected;
use crate::checks::silence::{Next, next_start, sounds_on};
use crate::model::{Note, Song, Track};

/// The fewest bars of silence after the last note of a track to report.
const TAIL: u64 = 4;

/// The fewest bars between two notes to report: one bar of rest is music.
const GAP: u64 = 2;

/// Number of notes with the next ids to check before using the index.
const NEXT: u32 = 8;

/// The most tracks: each is compared with all others, and a file with more is not an arrangement
/// with gaps to fill.
const MOST_TRACKS: usize = 256;

/// Bars in which a track is silent while others play, between its notes or for long after the last.
///
/// Songs of more than 256 tracks are not looked at.
#[fcp_lint(weight = 20)]
pub fn empty(song: &Song, id: Id<Note>, note: &Note) -> Option<String> {
    if !song.has_bars() || song.is_patterns() || song.tracks.len() > MOST_TRACKS {
        return None;
    }
    let end = note.at.saturating_add(note.dur?);
    let bars = song.bars(note.chunk);
    if goes_on(song, id, note, end + bars.shortest()) {
        return None;
    }
    let (next, tail) = match next_start(song, note) {
        Next::Sounds => return None,
        Next::Start(tick) => (tick, false),
        Next::Nothing => (last_of_others(song, note.track)?, true),
    };
    if next <= end {
        return None;
    }
    let place = bars.place(end);
    let on_line = bars.bar(place.bar) == end;
    let first = if on_line { place.bar } else { place.bar + 1 };
    let last = bars.place(next).bar;
    let last = if tail && bars.bar(last) < next {
        last
    } else {
        last - 1
    };
    let least = if tail { TAIL } else { GAP };
    if last + 1 < first + least || sounds_on(song, note, end) {
        return None;
    }
    let (from, to) = (bars.bar(first), bars.bar(last + 1));
    let (low, high) = others_play(song, note.track, from, to)?;
    let (first, last) = (bars.place(low).bar, bars.place(high).bar);
    let name = song.name_of_track(note.track);
    (last + 1 >= first + least).then(|| format!("{name}: empty at measures {first}-{last}"))
}

/// Whether one of the notes with the next ids starts before two bars of silence have passed. This
/// holds for nearly all notes, of which there may be very many.
fn goes_on(song: &Song, id: Id<Note>, note: &Note, soon: u64) -> bool {
    let next =
        (1..=NEXT).filter_map(|step| song.notes.get(Id::new(id.number().checked_add(step)?)));
    let mut own = next.filter(|next| next.track == note.track);
    let end = note.dur.map(|dur| note.at.saturating_add(dur));
    own.any(|next| {
        let ends = next.dur.map(|dur| next.at.saturating_add(dur));
        next.at <= soon && ends.is_none_or(|ends| Some(ends) > end)
    })
}

/// The last tick at which a note of another track starts or ends.
fn last_of_others(song: &Song, track: Id<Track>) -> Option<u64> {
    let notes = &song.notes.index().time;
    let lasts = affected::other_tracks(song, track).filter_map(|(_, row)| notes.last(row.chunk));
    lasts.map(|(key, _)| key.tick).max()
}

/// The first and last tick in a span at which another track starts or ends a note.
fn others_play(song: &Song, track: Id<Track>, from: u64, to: u64) -> Option<(u64, u64)> {
    let mut chunks: Vec<_> = affected::other_tracks(song, track)
        .map(|(_, row)| row.chunk)
        .collect();
    chunks.dedup();
    let notes = &song.notes.index().time;
    let mut span: Option<(u64, u64)> = None;
    for chunk in chunks {
        // This track has no notes of its own in the span.
        let mut here = notes.range(chunk, from, to);
        let first = here.clone().find(|(key, spot)| match spot.off {
            true => key.tick > from,
            false => key.tick < to,
        });
        let last = here.rfind(|(key, spot)| match spot.off {
            true => key.tick > from,
            false => key.tick < to,
        });
        let ticks = |(key, spot): (crate::model::Key, crate::model::Spot)| match spot.off {
            true => key.tick - 1,
            false => key.tick,
        };
        if let Some((first, last)) = first.map(ticks).zip(last.map(ticks)) {
            let (low, high) = span.unwrap_or((first, last));
            span = Some((low.min(first), high.max(last)));
        }
    }
    span
}
