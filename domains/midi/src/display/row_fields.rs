//! Rows as `diff` shows them, with everything that the file holds of each.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use fcp::domain::SqlPiece;
use fcp::prelude::*;
use fcp::value::Cell;

use super::raw_bytes::{hex, riff_text};
use crate::model::{
    Aftertouch, Chunk, ControlChange, IsKind, Note, Program, Song, Track, part, row_of,
};
use crate::smf::{Claim, Container, RiffChunk, riff_chunks};
use crate::values::{Channel, Dur};

/// The column of the table `events` with the content of an event, and its value there.
pub type Content = fn(&Song, Row) -> Option<(&'static str, Cell)>;

/// A row with all fields that its bytes depend on.
pub fn show(song: &Song, id: u32, content: Content) -> Option<Shown> {
    let Some(row) = song.by_id(id) else {
        return show_chunk(song, Id::new(id));
    };
    if row.is::<Track>() {
        return show_track(song, row);
    }
    let (chunk, at) = song.starts(row)?;
    let place = song.shown(chunk, at);
    let mut fields = Vec::with_capacity(8);
    fields.push(number("at", place.clone(), at));
    if let Some(channel) = song.channel_of(row) {
        fields.push(channel_field(Some(channel)));
    }
    let own = song.track_of(row);
    let track = own.map(|track| song.name_of_track(track));
    if let (Some(own), Some(track)) = (own, &track) {
        fields.push(Field::target("on", track.clone(), own.number()));
    }
    let name = if let Some(note) = song.row_as::<Note>(row) {
        note_fields(song, note, &mut fields)
    } else {
        let text = crate::display::event_text::whole_text(song, row)?;
        let (mut name, mut value) = named(&text);
        let pressed = song.touches.get(row.of()).and_then(|touch| touch.pitch);
        let pressed = pressed.filter(|_| row.part() == part::<Aftertouch>());
        if let (Some(pitch), Some((pressure, key))) = (pressed, value.split_once(" on ")) {
            fields.push(number("pitch", key.to_owned(), pitch.get()));
            (name, value) = (key, pressure);
        }
        let kind = song.kind_of(row);
        if let Some(own) = song.row_as::<ControlChange>(row) {
            fields.push(number("number", own.number.to_string(), own.number));
        }
        // The name of a program depends on its channel.
        let program = song.row_as::<Program>(row).map(|own| own.program.into());
        let cell = content(song, row);
        fields.push(match &cell {
            Some(("bytes", Cell::Text(bytes))) => Field {
                cell: cell.clone(),
                ..Field::new("bytes", spaced(bytes))
            },
            _ => {
                // Named once: `tempo at 1.1: 120 -> 90`.
                let own = match name == kind || pressed.is_some() {
                    true => "",
                    false => name,
                };
                Field {
                    number: program.or(value.parse().ok()),
                    cell,
                    ..Field::new(own.to_owned(), value)
                }
            }
        });
        name.to_owned()
    };
    let on = track.map_or(String::new(), |track| format!(" on {track}"));
    let name = match song.kind_of(row) == name {
        true => on.trim_start().to_owned(),
        false => format!("{name}{on}"),
    };
    let mut shown = Shown::called(song, row, name, fields)?;
    shown.place = Some(place);
    Some(shown)
}

/// Adds the fields of a note and returns its pitch.
fn note_fields(song: &Song, note: &Note, fields: &mut Vec<Field>) -> String {
    let pitch = song.pitch_of(note);
    fields.push(number("pitch", pitch.clone(), note.pitch.get()));
    let length = match note.dur {
        Some(dur) => Field {
            unit: Some(Dur::TICKS),
            ..number("dur", crate::display::event_text::length(song, note), dur)
        },
        None => Field::new("dur", "open"),
    };
    let ticks = note.dur.and_then(|dur| i64::try_from(dur).ok());
    fields.push(length.in_column("dur", ticks.map_or(Cell::Null, Cell::Integer)));
    fields.push(number(
        "vel",
        note.velocity.to_string(),
        note.velocity.get(),
    ));
    fields.push(match note.dur {
        Some(_) => number("off", note.off.to_string(), note.off)
            .in_column("off_vel", Cell::Integer(note.off.into())),
        None => Field::new("off", "none").in_column("off_vel", Cell::Null),
    });
    let form = match note.dur {
        None => "none",
        Some(_) if note.off_by_on => "9n vel 0",
        Some(_) => "8n",
    };
    fields.push(Field::new("note-off", form));
    pitch
}

/// Splits the description of a row into name and value: `cc volume 90` is a volume of 90,
/// `tempo 96` a tempo of 96.
fn named(text: &str) -> (&str, &str) {
    let text = text.strip_prefix("cc ").unwrap_or(text);
    let (name, value) = text.split_once(' ').unwrap_or(("event", text));
    (name, value)
}

fn show_track(song: &Song, row: Row) -> Option<Shown> {
    let track = song.tracks.get(row.of())?;
    let fields = vec![
        // Tracks that share a name are told apart by a number.
        Field::new("name", track.name.clone())
            .in_column("track", Cell::Text(song.name_of_track(row.of()))),
        channel_field(track.channel),
    ];
    Shown::row(song, row, fields)
}

/// The numbers of tracks.
pub fn places(song: &Song, rows: &[Row]) -> Vec<Option<(u32, Field)>> {
    let numbers: HashMap<u32, i64> = song.ordered().map(|(id, _)| id.number()).zip(1..).collect();
    let place = |row: &Row| {
        let number = *numbers.get(&row.id()).filter(|_| row.is::<Track>())?;
        let field = Field::number("number", number.to_string(), number);
        // All tracks are in one song.
        Some((0, field.in_column("nr", Cell::Integer(number))))
    };
    rows.iter().map(place).collect()
}

fn channel_field(channel: Option<Channel>) -> Field {
    let text = channel.map_or("none".to_owned(), |channel| channel.to_string());
    let shown = channel.map(|channel| i64::from(channel.get()) + 1);
    Field::new("ch", text).in_column("ch", shown.map_or(Cell::Null, Cell::Integer))
}

fn show_chunk(song: &Song, id: Id<Chunk>) -> Option<Shown> {
    let chunk = song.chunks.get(id)?;
    let mut fields = Vec::new();
    if let Some(end) = song.end_of_chunk(id) {
        fields.push(number("end", song.shown(id, end), end));
    }
    let last = chunk.end.as_ref();
    fields.extend(last.and_then(|end| some_bytes("end bytes", &end.bytes)));
    fields.extend(some_bytes("tail", &chunk.tail));
    fields.extend(some_bytes("content", &chunk.bytes));
    fields.extend(claimed("claimed length", chunk.claim.as_deref()));
    let kind = String::from_utf8_lossy(&chunk.name).into_owned();
    Some(Shown {
        kind: "chunk".into(),
        plural: "chunks".into(),
        name: format!("{} {kind}", song.chunks.index().number(id)),
        place: None,
        within: None,
        fields,
    })
}

/// The end of a track chunk is a row of `events`, by its track; that of the song, or of several tracks, has no row.
pub fn piece(song: &Song, row: Row) -> Option<SqlPiece> {
    if row.part() != part::<Chunk>() {
        return None;
    }
    let mut tracks = song.tracks.index().of(row.of());
    let track = match (tracks.next(), tracks.next()) {
        (Some(track), None) => Some(Row::new(part::<Track>(), track.number())),
        _ => None,
    };
    Some(SqlPiece {
        row: track,
        table: "events",
        column: "pos",
    })
}

/// The chunks of rows: their ends follow their last events.
pub fn shown_with(song: &Song, touched: &[Row]) -> Vec<Row> {
    let chunks = touched.iter().filter_map(|row| song.chunk_of(*row));
    let chunks: BTreeSet<Id<Chunk>> = chunks.collect();
    chunks.into_iter().map(row_of).collect()
}

/// Hex digits byte by byte: `f0 43 10 f7`.
fn spaced(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() / 2 * 3);
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && ix % 2 == 0 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

fn number(name: &'static str, text: String, number: impl TryInto<i64>) -> Field {
    Field {
        number: number.try_into().ok(),
        ..Field::new(name, text)
    }
}

/// The fields of the file's header and container.
pub fn show_part(song: &Song, field: &str) -> Vec<Field> {
    if field != "file" {
        return Vec::new();
    }
    let shell = song.file.get();
    let header = &shell.header;
    let mut fields = vec![
        Field::new("format", header.format.to_string()),
        Field::new("division", header.division.to_string()),
        Field::new("tracks", header.claimed_tracks.to_string()),
    ];
    fields.extend(claimed("claimed header length", header.claim.as_ref()));
    fields.extend(some_bytes("header surplus", &header.surplus));
    fields.extend(some_bytes("trailing", &shell.trailing));
    match &shell.container {
        Container::Bare => fields.push(Field::new("container", "none")),
        Container::Riff(riff) => {
            let form = String::from_utf8_lossy(&riff.form).into_owned();
            fields.push(Field::new("container", format!("RIFF {form}")));
            fields.extend(claimed("claimed RIFF length", riff.claim.as_ref()));
            fields.extend(claimed("claimed data length", riff.data_claim.as_ref()));
            match riff.pad {
                Some(0) => {}
                Some(pad) => fields.push(Field::new("padding", hex(&[pad]))),
                None => fields.push(Field::new("padding", "omitted")),
            }
            fields.extend(riff_fields(song, "chunks before data", &riff.before));
            fields.extend(riff_fields(song, "chunks after data", &riff.after));
            fields.extend(some_bytes("after RIFF", &riff.beyond));
        }
    }
    fields
}

/// The chunks of a RIFF file before or after its song, one by one if they can be read.
fn riff_fields(song: &Song, name: &'static str, bytes: &[u8]) -> Vec<Field> {
    let Some(chunks) = riff_chunks(bytes) else {
        return some_bytes(name, bytes).into_iter().collect();
    };
    let field = |chunk: &RiffChunk<'_>| {
        let text = match riff_text(song, chunk.content) {
            Some(text) if chunk.content.ends_with(&[0]) => text,
            Some(text) => format!("{text} (without a NUL)"),
            None => shortened(chunk.content),
        };
        Field::new(chunk.name.clone(), text)
    };
    chunks.iter().map(field).collect()
}

/// A wrong length, if there is one.
fn claimed(name: &'static str, claim: Option<&Claim>) -> Option<Field> {
    let claim = claim?;
    let text = format!("{} for {} bytes", claim.claimed, claim.actual);
    Some(Field::new(name, text))
}

/// Bytes that are kept as found, if there are any.
fn some_bytes(name: &'static str, bytes: &[u8]) -> Option<Field> {
    (!bytes.is_empty()).then(|| Field::new(name, shortened(bytes)))
}

/// Bytes in hex; long ones are distinguished by a hash.
fn shortened(bytes: &[u8]) -> String {
    const WHOLE: usize = 16;
    if bytes.len() <= WHOLE {
        return hex(bytes);
    }
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{} bytes #{:06x}", bytes.len(), hasher.finish() >> 40)
}

/// The difference of two positions: in bars if both are at the same place in their bar, else in
/// ticks.
pub fn step(then: &Field, now: &Field) -> Option<String> {
    let ticks = now.number?.checked_sub(then.number?)?;
    if now.text == then.text {
        return None;
    }
    match &*now.name {
        "at" | "end" => {
            let bars = bars(&then.text, &now.text);
            Some(bars.unwrap_or_else(|| format!("{ticks:+} ticks")))
        }
        "dur" => Some(format!("{ticks:+} ticks")),
        _ => None,
    }
}

fn bars(then: &str, now: &str) -> Option<String> {
    let split = |place: &str| -> Option<(i64, String)> {
        let (bar, rest) = place.split_once('.')?;
        Some((bar.parse().ok()?, rest.to_owned()))
    };
    let ((then, before), (now, after)) = (split(then)?, split(now)?);
    let step = now - then;
    let noun = if step.abs() == 1 { "bar" } else { "bars" };
    (before == after && step != 0).then(|| format!("{step:+} {noun}"))
}
