//! Rows on one line, as replies and lists show them.

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{
    Aftertouch, Chunk, ControlChange, KeyChange, Lyric, Marker, MeterChange, NEUTRAL_OFF, Note,
    PitchBend, Program, RawEvent, RowRef, Song, Tempo, TextEvent, Track,
};
use crate::smf::Body;
use crate::values::{Bpm, Channel, Controller, KeySig, Pitch, Program as Sound};

/// A row of any kind; `None` for a chunk, and for a row that is gone.
#[must_use]
pub fn of_row(song: &Song, row: Row) -> Option<String> {
    Some(match song.row_ref(row)? {
        RowRef::Chunk(_) => return None,
        RowRef::Track(own) => track(song, row.of(), own),
        RowRef::Note(row) => note(song, row),
        RowRef::Control(row) => control(song, row),
        RowRef::Program(row) => program(song, row),
        RowRef::Bend(row) => bend(song, row),
        RowRef::Touch(row) => touch(song, row),
        RowRef::Lyric(row) => lyric(song, row),
        RowRef::Text(row) => text(song, row),
        RowRef::Tempo(row) => tempo(song, row),
        RowRef::Meter(row) => meter(song, row),
        RowRef::Key(row) => key(song, row),
        RowRef::Marker(row) => marker(song, row),
        RowRef::Raw(row) => raw(song, row),
    })
}

/// `Piano ch:1 acoustic-grand-piano (12 notes, 2 cc)`
pub fn track(song: &Song, id: Id<Track>, row: &Track) -> String {
    let line = played_by(song, id, row);
    let notes = song.notes.index().count(id);
    let mut held = vec![count(notes, "note")];
    held.extend(controls(song, id));
    format!("{line} ({})", held.join(", "))
}

/// `Piano ch:1 acoustic-grand-piano`: a track, its channel, and its instrument. Other channels with
/// notes of the track follow its own: `ch:1,10`.
pub fn played_by(song: &Song, id: Id<Track>, row: &Track) -> String {
    const SHOWN: usize = 4;
    let others = song.notes.index().channels(id);
    let others = others.filter(|channel| Some(*channel) != row.channel);
    let channels = row.channel.into_iter().chain(others);
    let channels: Vec<String> = channels.map(|channel| channel.to_string()).collect();
    let more = match channels.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("+{more}"),
    };
    let channels = match channels.as_slice() {
        [] => String::new(),
        all => format!(" ch:{}{more}", all[..all.len().min(SHOWN)].join(",")),
    };
    format!(
        "{}{channels} {}",
        song.name_of_track(id),
        instrument(song, id, row)
    )
}

/// `2 cc`, `1 rpn`: the controllers of a track. Those that select and set a parameter count as one
/// `rpn`.
#[must_use]
pub fn controls(song: &Song, track: Id<Track>) -> Vec<String> {
    let (groups, made_of) = crate::parameters::count(song, track);
    let controls = song.controls.index().count(track).saturating_sub(made_of);
    let counts = [(controls, "cc"), (groups, "rpn")];
    let counts = counts.into_iter().filter(|(n, _)| *n > 0);
    counts.map(|(n, what)| format!("{n} {what}")).collect()
}

/// The instrument that a track plays on its channel.
#[must_use]
pub fn instrument(song: &Song, id: Id<Track>, row: &Track) -> String {
    match song.first_program(id) {
        // Channel 10 plays the standard kit unless a program says otherwise.
        program if row.is_drums() => kit(program.unwrap_or(0)),
        Some(program) => Sound::name_of(program).to_owned(),
        None => "no instrument".to_owned(),
    }
}

/// ` ch:3`: the channel of a row, if it differs from that of its track.
fn other_channel(song: &Song, track: Id<Track>, channel: Channel) -> String {
    let own = song.tracks.get(track).and_then(|track| track.channel);
    match own == Some(channel) {
        true => String::new(),
        false => format!(" ch:{channel}"),
    }
}

/// ` off:99`: the release velocity of a note, if it differs from that of a new one.
#[must_use]
pub fn other_release(row: &Note) -> String {
    match row.off {
        NEUTRAL_OFF => String::new(),
        off => format!(" off:{off}"),
    }
}

/// `Note C4 on Piano at 1.1 dur:480 vel:80`
fn note(song: &Song, row: &Note) -> String {
    let dur = row
        .dur
        .map_or_else(|| "open".to_owned(), |dur| dur.to_string());
    let at = song.shown(row.chunk, row.at);
    format!(
        "Note {} on {} at {at} dur:{dur} vel:{}{}{}",
        song.pitch_of(row),
        song.name_of_track(row.track),
        row.velocity,
        other_release(row),
        other_channel(song, row.track, row.channel)
    )
}

/// `CC volume 80 on Drums at 1.1`
fn control(song: &Song, row: &ControlChange) -> String {
    format!(
        "CC {} {} on {} at {}{}",
        Controller::text_of(row.number),
        row.value,
        song.name_of_track(row.track),
        song.shown(row.chunk, row.at),
        other_channel(song, row.track, row.channel)
    )
}

/// `Program 33 electric-bass-finger on Bass at 1.1`
fn program(song: &Song, row: &Program) -> String {
    let at = song.shown(row.chunk, row.at);
    format!(
        "Program {} {} on {} at {at}{}",
        row.program,
        played(row),
        song.name_of_track(row.track),
        other_channel(song, row.track, row.channel)
    )
}

/// The names of the tracks that are not heard.
#[must_use]
pub fn unheard(song: &Song) -> Vec<String> {
    song.unheard().map(|id| song.name_of_track(id)).collect()
}

/// A tempo in beats per minute.
#[must_use]
pub fn bpm(micros: u32) -> String {
    Bpm::from_micros(micros).map_or_else(|| format!("{micros}us"), |bpm| bpm.to_string())
}

/// `Bend -512 on Bass at 1.1`
fn bend(song: &Song, row: &PitchBend) -> String {
    let at = song.shown(row.chunk, row.at);
    format!(
        "Bend {} on {} at {at}{}",
        row.value,
        song.name_of_track(row.track),
        other_channel(song, row.track, row.channel)
    )
}

/// `Touch 80 on Bass at 1.1`, `Touch 80 on C4 of Bass at 1.1`
fn touch(song: &Song, row: &Aftertouch) -> String {
    let key = row.pitch.map_or(String::new(), |pitch| {
        format!(" on {} of", song.pitch_on(row.channel, pitch))
    });
    let on = if key.is_empty() { " on" } else { "" };
    format!(
        "Touch {}{key}{on} {} at {}{}",
        row.value,
        song.name_of_track(row.track),
        song.shown(row.chunk, row.at),
        other_channel(song, row.track, row.channel)
    )
}

/// The place of a lyric or text: ` on Voice at 1.1`, ` at 1.1`.
fn place_text(song: &Song, track: Option<Id<Track>>, chunk: Id<Chunk>, at: u64) -> String {
    let on = track.map_or(String::new(), |track| {
        format!(" on {}", song.name_of_track(track))
    });
    format!("{on} at {}", song.shown(chunk, at))
}

/// `Lyric "la" on Voice at 1.1`
fn lyric(song: &Song, row: &Lyric) -> String {
    let place = place_text(song, row.track, row.chunk, row.at);
    format!("Lyric \"{}\"{place}", brief(&row.text))
}

/// `Text "slower" on Voice at 1.1`, `Copyright "1999" at 1.1`
fn text(song: &Song, row: &TextEvent) -> String {
    let place = place_text(song, row.track, row.chunk, row.at);
    let kind = row.kind.to_string();
    let mut letters = kind.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!(
        "{first}{} \"{}\"{place}",
        letters.as_str(),
        brief(&row.text)
    )
}

/// `Tempo 96 at 3.1`
fn tempo(song: &Song, row: &Tempo) -> String {
    format!(
        "Tempo {} {}",
        bpm(row.micros),
        spot(song, row.chunk, row.at)
    )
}

/// A meter: `3/4`.
#[must_use]
pub fn meter_text(row: &MeterChange) -> String {
    match 1_u64.checked_shl(u32::from(row.power)) {
        Some(unit) => format!("{}/{unit}", row.beats),
        None => format!("{}/2^{}", row.beats, row.power),
    }
}

/// `Meter 3/4 at 1.1`
fn meter(song: &Song, row: &MeterChange) -> String {
    format!(
        "Meter {} {}",
        meter_text(row),
        spot(song, row.chunk, row.at)
    )
}

/// A key: `A-minor`.
#[must_use]
pub fn key_text(row: &KeyChange) -> String {
    let key = i8::try_from(row.sharps)
        .ok()
        .and_then(|sharps| KeySig::new(sharps, row.mode == 1));
    match key {
        Some(key) if row.mode < 2 => key.to_string(),
        _ => format!("key {} {}", row.sharps, row.mode),
    }
}

/// `Key A-minor at 1.1`
fn key(song: &Song, row: &KeyChange) -> String {
    format!("Key {} {}", key_text(row), spot(song, row.chunk, row.at))
}

/// `Marker "Chorus" at 5.1`
fn marker(song: &Song, row: &Marker) -> String {
    format!(
        "Marker \"{}\" {}",
        brief(&row.text),
        spot(song, row.chunk, row.at)
    )
}

/// The place of a song row: `at 5.1`; in a file of patterns also its owner: `on Verse at 5.1`.
#[must_use]
pub fn spot(song: &Song, chunk: Id<Chunk>, at: u64) -> String {
    let shown = song.shown(chunk, at);
    match song.pattern(chunk) {
        Some(track) => format!("on {} at {shown}", song.name_of_track(track)),
        None => format!("at {shown}"),
    }
}

/// Minutes, seconds and tenths: `1:02.5`.
#[must_use]
pub fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).round() / 10.0;
    format!("{:.0}:{:04.1}", (tenths / 60.0).floor(), tenths % 60.0)
}

/// The part of a text that one line shows.
#[must_use]
pub fn brief(text: &str) -> String {
    text.chars().take(200).collect()
}

/// The description of an event without a kind of its own: `track-name "Bass"`, `sysex 8 bytes`. `part` returns the part
/// of a text to show.
#[must_use]
pub fn body_text(song: &Song, body: &Body, part: &dyn Fn(&str) -> String) -> String {
    // The names of the metas are those of RP-001.
    const METAS: &[(u8, &str)] = &[(3, "track-name")];
    match body {
        Body::Channel {
            status,
            data: [low, high],
        } => {
            let channel = Channel::new(status & 15).unwrap_or(Channel::FIRST);
            let key = Pitch::new(*low)
                .map_or_else(|| low.to_string(), |pitch| song.pitch_on(channel, pitch));
            match status & 0xf0 {
                0x80 => format!("note-off {key} off:{high}"),
                0x90 => format!("note-off {key} by note-on"),
                _ => format!("message {status:02x} {low} {high}"),
            }
        }
        Body::Meta { kind, bytes } => match METAS.iter().find(|(own, _)| own == kind) {
            Some((_, name)) => {
                format!("{name} \"{}\"", part(&song.encoding().shown(bytes)))
            }
            None => format!("meta {kind:02x} {} bytes", bytes.len()),
        },
        Body::Sysex(bytes) => format!("sysex {} bytes", bytes.len()),
        Body::Escape(bytes) => format!("escape {} bytes", bytes.len()),
        Body::System { status, .. } => format!("system {status:02x}"),
    }
}

/// `sysex 8 bytes on flute at 1.1`
fn raw(song: &Song, row: &RawEvent) -> String {
    let on = row.track.map_or(String::new(), |track| {
        format!(" on {}", song.name_of_track(track))
    });
    format!(
        "{}{on} at {}",
        body_text(song, &row.body, &brief),
        song.shown(row.chunk, row.at)
    )
}

/// The sound of a program change: a kit on the drum channel, else an instrument.
#[must_use]
pub fn played(row: &Program) -> String {
    on_channel(row.channel, row.program)
}

/// The sound of a program on a channel.
#[must_use]
pub fn on_channel(channel: Channel, program: u8) -> String {
    if channel == Channel::DRUMS {
        kit(program)
    } else {
        Sound::name_of(program).to_owned()
    }
}

/// The kit of a program on a drum track.
fn kit(program: u8) -> String {
    let name = Sound::new(program).and_then(Sound::kit_name);
    name.map_or_else(|| format!("kit-{program}"), str::to_owned)
}
