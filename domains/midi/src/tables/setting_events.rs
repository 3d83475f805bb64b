//! Setting values of events with SQL.

use std::collections::HashMap;
use std::iter::once;

use fcp::prelude::*;
use fcp::value::{Cell, SetValue};

use super::events::EventRow;
use super::placed::{
    Seconds, bytes_of, pos_tick, settle as settle_all, sysex_of, tempo, tempo_of_micros,
    track_named, with_parts,
};
use super::setting_notes::Tick;
use super::tempo_seconds::tempo_ticks;
use crate::edit::rows::meter_move::MeterMoves;
use crate::model::{
    self, Aftertouch, Chunk, ControlChange, Holder, IsKind, KeyChange, LAST_TICK, MeterChange,
    Parts, PitchBend, Program, RawEvent, Song, Tempo, Track,
};
use crate::smf::{Body, Bytes};
use crate::values::{
    Channel, ControlValue, Controller, Instrument, KeySig, Meter, PitchWord, Words, whole,
};

pub(super) type Rows<'r, V> = Vec<(&'r EventRow, V)>;

/// The row of an event; the end of a track has none.
fn own(event: &EventRow, column: &str) -> Result<Row> {
    match event.row {
        Some(row) => Ok(row),
        None => bail!("the end of a track has no {column} to set"),
    }
}

/// Error for a column that an event of a kind lacks, or that cannot be set.
fn lacks<T>(song: &Song, row: Row, column: &str, why: &str) -> Result<T> {
    bail!("{column} of {} cannot be set: {why}", song.describe(row))
}

/// The owner of an event's place.
fn placed(song: &Song, event: &EventRow) -> Result<Holder> {
    match event.row {
        Some(row) => Ok(Holder::Row(row)),
        None => end_chunk(song, event).map(Holder::End),
    }
}

/// The chunk and tick of an event.
pub(super) fn place(song: &Song, placed: Holder) -> Result<(Id<Chunk>, u64)> {
    let place = match placed {
        Holder::Row(row) => song.starts(row),
        Holder::End(chunk) => song.end_of_chunk(chunk).map(|end| (chunk, end)),
    };
    match place {
        Some(place) => Ok(place),
        None => bail!("this event is gone"),
    }
}

/// The chunk of an end of track.
fn end_chunk(song: &Song, event: &EventRow) -> Result<Id<Chunk>> {
    let named = event.track.as_deref().map(|name| track_named(song, name));
    let chunk = match named {
        Some(track) => Some(song.tracks.need(track?)?.chunk),
        None => song.first_chunk(),
    };
    match chunk {
        Some(chunk) => Ok(chunk),
        None => bail!("this end belongs to no track"),
    }
}

/// Moves an event to a tick.
fn put(song: &mut Song, placed: Holder, tick: u64) -> Result<()> {
    if tick > LAST_TICK {
        bail!("{tick} is beyond tick {LAST_TICK}, the last one of a file");
    }
    let row = match placed {
        Holder::Row(row) => row,
        Holder::End(chunk) => return put_end(song, chunk, tick),
    };
    if let Some(coming) = MeterMoves::of(song, once((row, tick)), true) {
        let checked = coming.check(song, |_| None);
        checked.map_err(|error| Diagnostic::new(error.about(&song.describe(row))))?;
    }
    song.move_row_to(row, tick, None).map(drop)
}

fn put_end(song: &mut Song, chunk: Id<Chunk>, tick: u64) -> Result<()> {
    song.writable(chunk)?;
    let last = song.last_tick(chunk);
    if tick < last {
        bail!(
            "a track ends where its last event is or later: at tick {last} or after it, not at {tick}"
        );
    }
    song.chunks.modify(chunk, |chunk| {
        if let Some(end) = &mut chunk.end {
            end.tick = tick;
        }
    });
    Ok(())
}

pub(super) fn tick(song: &mut Song, event: &EventRow, tick: Tick) -> Result<()> {
    let placed = placed(song, event)?;
    put(song, placed, u64::try_from(tick.get()).unwrap_or(0))
}

/// A position as a text. A number could be one of bars or of ticks.
pub(super) struct PosText(String);

impl PosText {
    /// The position in a cell.
    ///
    /// # Errors
    /// It is a number, or NULL.
    pub(super) fn of(cell: &Cell) -> std::result::Result<&str, ValueError> {
        match cell {
            Cell::Text(text) => Ok(text),
            Cell::Null => Err(ValueError::sentence("NULL is not a value here")),
            cell => {
                let shown = cell.shown();
                Err(ValueError::sentence(format!(
                    "a place is a text: '{shown}', or 'tick:{shown}'"
                )))
            }
        }
    }
}

impl SetValue for PosText {
    fn read(cell: &Cell) -> std::result::Result<Self, ValueError> {
        Self::of(cell).map(|text| Self(text.to_owned()))
    }
}

pub(super) fn pos(song: &mut Song, event: &EventRow, pos: PosText) -> Result<()> {
    let placed = placed(song, event)?;
    let (chunk, _) = place(song, placed)?;
    let track = event.row.and_then(|row| song.track_of(row));
    let tick = pos_tick(song, chunk, track, &pos.0)?;
    put(song, placed, tick)
}

/// Sets a part of a position: the bar, the beat, or the ticks after it.
pub(super) fn part<const OF: usize, const LOW: i64>(
    song: &mut Song,
    event: &EventRow,
    value: Int<LOW, 999_999>,
) -> Result<()> {
    song.keep_part(placed(song, event)?, OF, value.get());
    Ok(())
}

/// Moves an event to the position set by parts.
pub(super) fn settle(song: &mut Song, placed: Holder, parts: Parts) -> Result<()> {
    let (chunk, tick) = place(song, placed)?;
    let tick = with_parts(song, chunk, tick, parts)?;
    put(song, placed, tick)
}

pub(super) fn seconds(song: &mut Song, rows: Rows<'_, Seconds>) -> Result<Vec<String>> {
    settle_all(song)?;
    for (row, tick) in tempo_ticks(song, &rows)? {
        put(song, Holder::Row(row), tick)?;
    }
    let is_tempo = |event: &EventRow| event.row.is_some_and(IsKind::is::<Tempo>);
    for (event, value) in rows {
        if song.has_bars() && is_tempo(event) {
            continue;
        }
        let placed = placed(song, event)?;
        let (chunk, _) = place(song, placed)?;
        let tick = value.tick(song, chunk, None)?;
        put(song, placed, tick)?;
    }
    Ok(Vec::new())
}

pub(super) fn nth(song: &mut Song, event: &EventRow, nth: Int<1, 9_999_999>) -> Result<()> {
    song.keep_seat(own(event, "nth")?, u64::try_from(nth.get()).unwrap_or(1));
    Ok(())
}

pub(super) fn tracks(song: &mut Song, rows: Rows<'_, Text>) -> Result<Vec<String>> {
    let mut named: HashMap<String, Id<Track>> = HashMap::new();
    for (event, name) in rows {
        let row = own(event, "track")?;
        if song.is_of_song(row.part()) && !song.is_patterns() {
            return lacks(song, row, "track", "it holds for the song");
        }
        if song.names_track(row) {
            let why = "it names its track; track rename names another";
            return lacks(song, row, "track", why);
        }
        let track = match named.get(name.as_str()) {
            Some(track) => *track,
            None => {
                let track = track_named(song, name.as_str())?;
                named.insert(name.as_str().to_owned(), track);
                track
            }
        };
        let (_, tick) = place(song, Holder::Row(row))?;
        song.move_row_to(row, tick, Some(track))?;
        if song.owner_of(row) != Some(track) {
            let why = "in a chunk of several tracks it belongs to the song";
            return lacks(song, row, "track", why);
        }
    }
    Ok(Vec::new())
}

pub(super) fn channel(song: &mut Song, event: &EventRow, channel: Channel) -> Result<()> {
    let row = own(event, "ch")?;
    let played = [
        model::part::<ControlChange>(),
        model::part::<Program>(),
        model::part::<PitchBend>(),
        model::part::<Aftertouch>(),
    ];
    let (Some(track), true) = (song.track_of(row), played.contains(&row.part())) else {
        return lacks(song, row, "ch", "only cc, program, bend and touch have one");
    };
    let (chunk, tick) = place(song, Holder::Row(row))?;
    song.writable(chunk)?;
    let home = song.home(track, channel)?;
    match home == track {
        true => song.put_channel(row, channel),
        false => song.give_row(row, chunk, tick, (home, Some(channel))),
    }
    song.relabel_chunk(chunk);
    Ok(())
}

/// The number of a controller, or the microseconds of a tempo.
pub(super) fn number(song: &mut Song, event: &EventRow, number: Int<0, 16_777_215>) -> Result<()> {
    let row = written(song, event, "number")?;
    if row.is::<ControlChange>() {
        let own = u8::try_from(number.get()).ok();
        let Some(number) = own.filter(|number| *number < 128) else {
            bail!("{number} is not a controller, 0 to 127");
        };
        song.controls.modify(row.of(), |row| row.number = number);
    } else if row.is::<Tempo>() {
        let micros = tempo_of_micros(&number.to_string())?.micros();
        song.tempos.modify(row.of(), |row| row.micros = micros);
    } else {
        let why = match row.is::<Program>() || row.is::<PitchBend>() {
            true => "it is in the column value",
            false => "controllers and tempos have one; DELETE it and INSERT another",
        };
        return lacks(song, row, "number", why);
    }
    Ok(())
}

/// A controller or a program by name.
pub(super) fn name(song: &mut Song, event: &EventRow, name: Text) -> Result<()> {
    let row = written(song, event, "name")?;
    if row.is::<ControlChange>() {
        let number = read::<Controller>(name.as_str())?.get();
        song.controls.modify(row.of(), |row| row.number = number);
    } else if row.is::<Program>() {
        let program = read::<Instrument>(name.as_str())?.program.get();
        set_program(song, row, program);
    } else {
        return lacks(song, row, "name", "controllers and programs have one");
    }
    Ok(())
}

fn set_program(song: &mut Song, row: Row, program: u8) {
    song.programs.modify(row.of(), |row| row.program = program);
    if let Some(track) = song.track_of(row) {
        song.relabel(track);
    }
}

/// The row of an event whose column is set, if its chunk can be written.
fn written(song: &Song, event: &EventRow, column: &str) -> Result<Row> {
    let row = own(event, column)?;
    match song.chunk_of(row) {
        Some(chunk) => song.writable(chunk).map(|()| row),
        None => Ok(row),
    }
}

fn read<V: FcpValue>(text: &str) -> Result<V> {
    V::parse(text).map_err(|error| error.refusal(text))
}

/// The value of a controller, program, bend, aftertouch or tempo.
pub(super) fn value(song: &mut Song, event: &EventRow, value: Text) -> Result<()> {
    let row = written(song, event, "value")?;
    let text = value.as_str();
    if row.is::<ControlChange>() {
        let number = song.controls.need(row.of())?.number;
        let value = read::<ControlValue>(text)?.of(Controller::new(number));
        let value = value.map_err(|error| Diagnostic::new(error.about(text)))?;
        song.controls.modify(row.of(), |row| row.value = value);
    } else if row.is::<Program>() {
        let program = match text.starts_with(char::is_alphabetic) {
            true => read::<Instrument>(text)?.program.get(),
            false => u8::try_from(read::<Int<0, 127>>(text)?.get()).unwrap_or(0),
        };
        set_program(song, row, program);
    } else if row.is::<PitchBend>() {
        let bend = read::<Int<-8192, 8191>>(text)?;
        let bend = i32::try_from(bend.get()).unwrap_or(0);
        song.bends.modify(row.of(), |row| row.value = bend);
    } else if row.is::<Aftertouch>() {
        let pressed = read::<Int<0, 127>>(text)?;
        let pressed = u8::try_from(pressed.get()).unwrap_or(0);
        song.touches.modify(row.of(), |row| row.value = pressed);
    } else if row.is::<Tempo>() {
        let micros = tempo(text)?.micros();
        song.tempos.modify(row.of(), |row| row.micros = micros);
    } else {
        let why = "cc, program, bend, touch, keytouch and tempo have one";
        return lacks(song, row, "value", why);
    }
    Ok(())
}

/// Sets the key of key aftertouch.
pub(super) fn pitch(song: &mut Song, event: &EventRow, word: PitchWord) -> Result<()> {
    let row = written(song, event, "pitch")?;
    let touch = song.row_as::<Aftertouch>(row);
    if touch.is_none_or(|touch| touch.pitch.is_none()) {
        return lacks(song, row, "pitch", "only keytouch has one");
    }
    song.press(row.of(), word.pitch);
    Ok(())
}

/// Sets the text of words, meters and keys.
pub(super) fn texts(song: &mut Song, rows: Rows<'_, Words>) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for (event, text) in rows {
        let row = written(song, event, "text")?;
        if row.is::<MeterChange>() {
            let meter = read::<Meter>(text.as_str())?;
            let fits = meter.fits(song.ppqn());
            fits.map_err(|error| Diagnostic::new(error.about(text.as_str())))?;
            let [beats, power] = meter.meta();
            song.meters.modify(row.of(), |row| {
                if (row.beats, row.power) != (beats, power) {
                    (row.beats, row.power, row.clocks) = (beats, power, meter.clocks());
                }
            });
            continue;
        }
        if row.is::<KeyChange>() {
            let key = read::<KeySig>(&text.as_str().replace(' ', "-"))?;
            song.keys.modify(row.of(), |row| {
                (row.sharps, row.mode) = (i32::from(key.sharps()), u8::from(key.minor()));
            });
            continue;
        }
        let written = song.instead(text.as_str(), None);
        if song.text_of(row).is_some() {
            song.put_text(row, &written)?;
        } else if song.row_as(row).is_some_and(RawEvent::is_name) {
            if !song.is_named(Some(row.of()), &written) {
                let old = match &song.others.need(row.of())?.body {
                    Body::Meta { bytes, .. } => bytes.clone(),
                    _ => Bytes::default(),
                };
                let new = song.bytes_over(row, &old, &written)?;
                song.others.modify(row.of(), |row| {
                    if let Body::Meta { bytes, .. } = &mut row.body {
                        *bytes = new;
                    }
                });
            }
            if let Some(chunk) = song.chunk_of(row) {
                song.relabel_chunk(chunk);
            }
        } else {
            return lacks(song, row, "text", "only words, meters and keys have one");
        }
        if !written.note.is_empty() && !notes.contains(&written.note) {
            notes.push(written.note.clone());
        }
    }
    Ok(notes)
}

/// Sets the bytes of a text, a sysex, an escape or a meta event without a kind of its own.
pub(super) fn bytes(song: &mut Song, event: &EventRow, text: Text) -> Result<()> {
    let row = written(song, event, "bytes")?;
    let is_sysex = |row: &RawEvent| match &row.body {
        Body::Sysex(bytes) => Some(bytes.last() != Some(&0xf7)),
        _ => None,
    };
    let bytes = match song.row_as(row).and_then(is_sysex) {
        Some(is_open) => sysex_of(text.as_str(), is_open)?,
        None => bytes_of(text.as_str())?,
    };
    let new = Bytes::new(&bytes);
    let shown = song.encoding().shown(&bytes);
    if song.text_of(row).is_some() {
        song.set_text(row, shown, new);
    } else if row.is::<RawEvent>() {
        let body = match song.others.need(row.of())?.body.clone() {
            Body::Meta { .. } if song.row_as(row).is_some_and(|row| song.is_own_prefix(row)) => {
                return lacks(song, row, "bytes", "the channel of its track sets them");
            }
            Body::Meta { kind, .. } if !WORDS.contains(&kind) && !KNOWN.contains(&kind) => {
                let fits = whole(kind, &bytes);
                fits.map_err(|error| Diagnostic::new(error.about(text.as_str())))?;
                Body::Meta { kind, bytes: new }
            }
            Body::Sysex(_) => Body::Sysex(new),
            Body::Escape(_) => Body::Escape(new),
            Body::Channel { .. } => return lacks(song, row, "bytes", "DELETE removes it"),
            _ => return lacks(song, row, "bytes", "DELETE it and INSERT another"),
        };
        put_body(song, row, body);
    } else {
        return lacks(song, row, "bytes", "its value, number or text sets them");
    }
    Ok(())
}

/// Sets the content of an event that may name a track.
fn put_body(song: &mut Song, row: Row, body: Body) {
    song.others.modify(row.of(), |row| row.body = body);
    if let Some(chunk) = song.chunk_of(row) {
        song.relabel_chunk(chunk);
    }
}

/// Meta events that are rows of texts, unlike names.
const WORDS: [u8; 8] = [1, 2, 4, 5, 6, 7, 8, 9];

/// Meta events with more meaning than their bytes: an end, a tempo, a meter, a key.
const KNOWN: [u8; 4] = [0x2f, 0x51, 0x58, 0x59];
