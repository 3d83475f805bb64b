//! `tempo-map`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::Song;

/// List what changes the time of the song, with the minute and second: tempo, meter, key, markers.
///
/// In a file of patterns, which each have their own, one pattern comes after the other.
///
/// ```fcp
/// # tempo 90 at:3
/// # time-sig 3/4 at:5
/// # marker Chorus at:5
/// ? tempo-map
/// > 1.1 0:00.0 Tempo 120
/// > 1.1 0:00.0 Meter 4/4
/// > 3.1 0:04.0 Tempo 90
/// > 5.1 0:09.3 Meter 3/4
/// > 5.1 0:09.3 Marker "Chorus"
/// ```
#[fcp_query(name = "tempo-map")]
pub fn tempo_map(song: &Song) -> Result<Listing<'_>> {
    let mut rows = Vec::new();
    for (part, timeline) in song.timelines() {
        if song.is_of_song(part) {
            rows.extend(
                timeline
                    .iter()
                    .map(|(key, spot)| (key, Row::new(part, spot.id))),
            );
        }
    }
    // Several at a tick are in the order of the file.
    let own = |chunk: u32| song.is_patterns().then_some(chunk);
    rows.sort_unstable_by_key(|(key, _)| (own(key.chunk), key.tick, key.chunk, key.pos, key.seq));
    let line = move |row: Row| {
        let summary = song.describe(row);
        let what = summary
            .rsplit_once(" at ")
            .map_or(summary.as_str(), |(what, _)| what);
        let Some((chunk, (at, _))) = song.chunk_of(row).zip(song.tick_and_rank(row)) else {
            return what.to_owned();
        };
        let seconds = row_line::clock(song.seconds(chunk, at));
        format!("{} {seconds} {what}", song.shown(chunk, at))
    };
    let lines = rows.into_iter();
    Ok(Listing::lines(
        lines.len(),
        lines.map(move |(_, row)| line(row)),
    ))
}
