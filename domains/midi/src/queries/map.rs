//! `map`

use fcp::prelude::*;

use crate::clock::Division;
use crate::lines;
use crate::model::Song;

/// How many changes of tempo, meter and key are listed.
const CHANGES: usize = 12;

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
        song.title().unwrap_or_else(|| "untitled".to_owned())
    )];
    let mut time: Vec<String> = song
        .start()
        .into_iter()
        .map(|word| word.split('+').next().unwrap_or("").to_owned())
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
    for (ix, (id, row)) in song.tracks.iter().enumerate() {
        lines.push(format!("    {}. {}", ix + 1, lines::track(song, id, row)));
    }
    let sections: Vec<String> = song
        .markers
        .iter()
        .map(|(_, row)| format!("{} {}", row.text, song.shown(row.chunk, row.at)))
        .collect();
    if !sections.is_empty() {
        lines.push(format!("  Sections: {}", shortened(&sections)));
    }
    let mut changes: Vec<(u64, String)> = Vec::new();
    for (_, row) in song.tempos.iter().filter(|(_, row)| row.at > 0) {
        changes.push((
            row.at,
            format!(
                "tempo {} at {}",
                lines::bpm(row.micros),
                song.shown(row.chunk, row.at)
            ),
        ));
    }
    for (_, row) in song.meters.iter().filter(|(_, row)| row.at > 0) {
        changes.push((
            row.at,
            format!(
                "{} at {}",
                lines::meter_text(row),
                song.shown(row.chunk, row.at)
            ),
        ));
    }
    for (_, row) in song.keys.iter().filter(|(_, row)| row.at > 0) {
        changes.push((
            row.at,
            format!(
                "{} at {}",
                lines::key_text(row),
                song.shown(row.chunk, row.at)
            ),
        ));
    }
    changes.sort();
    if !changes.is_empty() {
        let changes: Vec<String> = changes.into_iter().map(|(_, change)| change).collect();
        lines.push(format!("  Changes: {}", shortened(&changes)));
    }
    let seconds = song
        .last_sound()
        .map_or(0.0, |(chunk, tick)| song.seconds(chunk, tick));
    let mut also = Vec::new();
    for (n, one, many) in [
        (song.lyrics.len(), "lyric", "lyrics"),
        (song.texts.len(), "text", "texts"),
    ] {
        if n > 0 {
            also.push(format!("{n} {}", if n == 1 { one } else { many }));
        }
    }
    also.extend(song.kept_whole());
    let mut whole = vec![format!("SMF {}", song.file.header.format)];
    if song.has_bars() {
        let bars = song.bar_count();
        whole.push(format!("{bars} {}", if bars == 1 { "bar" } else { "bars" }));
    }
    whole.push(lines::clock(seconds));
    let mut also = vec![also.join(", "), whole.join(", ")];
    also.retain(|part| !part.is_empty());
    lines.push(format!("  Also: {}", also.join("; ")));
    Ok(lines)
}

fn shortened(items: &[String]) -> String {
    let mut shown = items
        .iter()
        .take(CHANGES)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    if items.len() > CHANGES {
        shown.push_str(&format!(", and {} more", items.len() - CHANGES));
    }
    shown
}
