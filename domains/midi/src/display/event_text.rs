//! Rows of a track, of any kind, one line each.

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{
    Aftertouch, ControlChange, KeyChange, Lyric, Marker, MeterChange, Note, PitchBend, Program,
    RawEvent, Song, Tempo, TextEvent, part,
};
use crate::parameters::ParameterChange;
use crate::values::{Controller, Dur};

/// A row on one line: its position, its description, and its owner if one is given.
#[must_use]
pub fn line(song: &Song, row: Row, owner: Option<&str>) -> String {
    let id = row.id();
    event_text(song, row).map_or_else(
        || format!("{} #{id}", song.describe(row)),
        |text| laid(song, row, &text, owner),
    )
}

/// A parameter on one line, by the first of its control changes.
#[must_use]
pub fn parameter(song: &Song, row: Row, group: &ParameterChange, owner: Option<&str>) -> String {
    let text = format!("rpn {} {}", group.parameter, group.value);
    laid(song, row, &text, owner)
}

fn laid(song: &Song, row: Row, text: &str, owner: Option<&str>) -> String {
    let id = row.id();
    let Some((chunk, at)) = song.starts(row) else {
        return format!("{text} #{id}");
    };
    let track = song.track_of(row);
    let own = track.and_then(|track| song.tracks.get(track)?.channel);
    let channel = match song.channel_of(row) {
        Some(channel) if own != Some(channel) => format!(" ch:{channel}"),
        _ => String::new(),
    };
    let owner = owner.map_or(String::new(), |owner| format!(" {owner}"));
    format!("{} {text}{channel}{owner} #{id}", song.shown(chunk, at))
}

/// The description of a row.
pub fn event_text(song: &Song, row: Row) -> Option<String> {
    if row.part() == part::<Note>() {
        return Some(note_text(song, song.notes.get(row.of())?));
    }
    Some(if row.part() == part::<ControlChange>() {
        let row = song.controls.get(row.of())?;
        let number =
            Controller::new(row.number).map_or_else(|| row.number.to_string(), |n| n.to_string());
        format!("cc {number} {}", row.value)
    } else if row.part() == part::<Program>() {
        let row = song.programs.get(row.of())?;
        format!("program {} {}", row.program, row_line::played(row))
    } else if row.part() == part::<PitchBend>() {
        format!("bend {}", song.bends.get(row.of())?.value)
    } else if row.part() == part::<Aftertouch>() {
        let row = song.touches.get(row.of())?;
        let key = row.pitch.map_or(String::new(), |pitch| {
            format!(" on {}", song.pitch_on(row.channel, pitch))
        });
        format!("touch {}{key}", row.value)
    } else if row.part() == part::<Lyric>() {
        let row = song.lyrics.get(row.of())?;
        format!("lyric \"{}\"", row_line::brief(&row.text))
    } else if row.part() == part::<TextEvent>() {
        let row = song.texts.get(row.of())?;
        format!("{} \"{}\"", row.kind, row_line::brief(&row.text))
    } else if row.part() == part::<RawEvent>() {
        row_line::body_text(song, &song.others.get(row.of())?.body)
    } else if row.part() == part::<Tempo>() {
        format!("tempo {}", row_line::bpm(song.tempos.get(row.of())?.micros))
    } else if row.part() == part::<MeterChange>() {
        format!("meter {}", row_line::meter_text(song.meters.get(row.of())?))
    } else if row.part() == part::<KeyChange>() {
        format!("key {}", row_line::key_text(song.keys.get(row.of())?))
    } else if row.part() == part::<Marker>() {
        format!(
            "marker \"{}\"",
            row_line::brief(&song.markers.get(row.of())?.text)
        )
    } else {
        return None;
    })
}

fn note_text(song: &Song, row: &Note) -> String {
    let (name, dur) = (song.pitch_of(row), length(song, row));
    format!("{name} {dur} v{}", row.velocity)
}

/// The length of a note: a note value if there is one, else ticks.
pub fn length(song: &Song, row: &Note) -> String {
    let ppqn = song.has_bars().then(|| song.ppqn());
    let written = |dur: u64| match Dur::of_ticks(dur, ppqn) {
        Some(dur) => dur.to_string(),
        None => dur.to_string(),
    };
    row.dur.map_or_else(|| "open".to_owned(), written)
}
