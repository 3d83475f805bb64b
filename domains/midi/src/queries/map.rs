//! `map`

use fcp::prelude::*;
use fcp::reply::count;

use crate::display::row_line;
use crate::model::{Key, KeyChange, Marker, MeterChange, RowRef, Song, Tempo, part};
use crate::time::Division;

/// Number of sections to list, and of changes of tempo, meter and key.
const SHOWN: usize = 12;

/// Show the song in outline: title, time, tracks, changes, and what else the file holds.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C4
/// ? map
/// > Song: untitled
/// >   tempo:120 | 4/4 | no key | ppqn:480
/// >   Tracks (1):
/// >     1. Piano ch:1 acoustic-grand-piano (1 note)
/// >   Also: SMF 1, 1 bar, 0:00.5
/// ```
#[fcp_query]
pub fn map(song: &Song) -> Result<Vec<String>> {
    let mut lines = vec![format!(
        "Song: {}",
        song.title()
            .map_or_else(|| "untitled".to_owned(), |title| row_line::brief(&title))
    )];
    let mut time: Vec<String> = song
        .start()
        .into_iter()
        .map(|word| {
            word.split('+')
                .next()
                .unwrap_or("")
                .replace("-m", " m")
                .replace("no-key", "no key")
        })
        .collect();
    if song.first_key().is_none() {
        time.push("no key".to_owned());
    }
    time.push(match song.division() {
        Division::Quarter(ppqn) => format!("ppqn:{ppqn}"),
        Division::Second(rate) => format!("{rate} ticks a second"),
    });
    lines.push(format!("  {}", time.join(" | ")));
    lines.push(format!("  Tracks ({}):", song.tracks.len()));
    for (ix, (id, row)) in song.ordered().enumerate() {
        lines.push(format!(
            "    {}. {}",
            ix + 1,
            row_line::track(song, id, row)
        ));
    }
    let sections = [part::<Marker>()];
    let sections = shortened(song, &sections, |row| {
        let (chunk, at) = song.starts(row)?;
        let spot = match song.pattern(chunk) {
            Some(_) => row_line::spot(song, chunk, at),
            None => song.shown(chunk, at),
        };
        let text = &song.markers.get(row.of())?.text;
        Some(format!("{} {spot}", row_line::brief(text)))
    });
    lines.extend(sections.map(|text| format!("  Sections: {text}")));
    let changes = [part::<Tempo>(), part::<MeterChange>(), part::<KeyChange>()];
    let changes = shortened(song, &changes, |row| {
        let (chunk, at) = song.starts(row)?;
        let what = match song.row_ref(row)? {
            RowRef::Tempo(row) => format!("tempo {}", row_line::bpm(row.micros)),
            RowRef::Meter(row) => row_line::meter_text(row),
            RowRef::Key(row) => row_line::key_text(row),
            _ => return None,
        };
        Some(format!("{what} {}", row_line::spot(song, chunk, at)))
    });
    lines.extend(changes.map(|text| format!("  Changes: {text}")));
    let seconds = song
        .last_sound()
        .map_or(0.0, |(chunk, tick)| song.seconds(chunk, tick));
    let mut also = Vec::new();
    for (n, noun) in [(song.lyrics.len(), "lyric"), (song.texts.len(), "text")] {
        if n > 0 {
            also.push(count(n, noun));
        }
    }
    also.extend(song.kept_whole());
    let mut whole = vec![format!("SMF {}", song.file.header.format)];
    if song.has_bars() {
        whole.push(count(song.bar_count(), "bar"));
    }
    whole.push(row_line::clock(seconds));
    let mut also = vec![also.join(", "), whole.join(", ")];
    also.retain(|part| !part.is_empty());
    lines.push(format!("  Also: {}", also.join("; ")));
    Ok(lines)
}

/// The first rows of some kinds in the order of the song, and the number of others; rows at the
/// start of the song, except sections, are shown above.
fn shortened(
    song: &Song,
    parts: &[usize],
    describe: impl Fn(Row) -> Option<String>,
) -> Option<String> {
    let timelines = song.timelines().into_iter();
    let timelines = timelines.filter(|(own, _)| parts.contains(own));
    let rows = timelines.flat_map(|(own, line)| {
        let counts = move |key: &Key| key.tick > 0 || own == part::<Marker>();
        let rows = line.iter().filter(move |(key, _)| counts(key));
        rows.map(move |(key, spot)| (key.tick, own, key, Row::new(own, spot.id)))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_unstable_by_key(|(tick, own, key, _)| (*tick, *own, *key));
    let first = rows.iter().take(SHOWN);
    let mut items: Vec<String> = first.filter_map(|(.., row)| describe(*row)).collect();
    if rows.len() > SHOWN {
        items.push(format!("and {} more", rows.len() - SHOWN));
    }
    (!items.is_empty()).then(|| items.join(", "))
}
