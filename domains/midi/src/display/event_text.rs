//! Rows of a track, of any kind, one line each.

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{Note, RowRef, Song};
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

/// The description of a row, with as much of its text as a line shows.
pub fn event_text(song: &Song, row: Row) -> Option<String> {
    described(song, row, &row_line::brief)
}

/// The description of a row with its whole text.
pub fn whole_text(song: &Song, row: Row) -> Option<String> {
    described(song, row, &str::to_owned)
}

/// `part` returns the part of a text to show.
fn described(song: &Song, row: Row, part: &dyn Fn(&str) -> String) -> Option<String> {
    Some(match song.row_ref(row)? {
        RowRef::Note(row) => note_text(song, row),
        RowRef::Control(row) => format!("cc {} {}", Controller::text_of(row.number), row.value),
        RowRef::Program(row) => format!("program {} {}", row.program, row_line::played(row)),
        RowRef::Bend(row) => format!("bend {}", row.value),
        RowRef::Touch(row) => {
            let key = row.pitch.map_or(String::new(), |pitch| {
                format!(" on {}", song.pitch_on(row.channel, pitch))
            });
            format!("touch {}{key}", row.value)
        }
        RowRef::Lyric(row) => format!("lyric \"{}\"", part(&row.text)),
        RowRef::Text(row) => format!("{} \"{}\"", row.kind, part(&row.text)),
        RowRef::Raw(row) => row_line::body_text(song, &row.body, part),
        RowRef::Tempo(row) => format!("tempo {}", row_line::bpm(row.micros)),
        RowRef::Meter(row) => format!("meter {}", row_line::meter_text(row)),
        RowRef::Key(row) => format!("key {}", row_line::key_text(row)),
        RowRef::Marker(row) => format!("marker \"{}\"", part(&row.text)),
        RowRef::Chunk(_) | RowRef::Track(_) => return None,
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
