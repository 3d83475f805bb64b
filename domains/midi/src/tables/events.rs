//! `events`

use fcp::prelude::*;
use fcp::value::{Cell, ColumnValue, SqlType};

use super::notes::number;
use super::placed::{BAR, BEAT, Placing, SUB, in_order, names, seats, whole};
use super::setting_events as set;
use crate::display::row_line;
use crate::model::{RowRef, Song};
use crate::smf::{Body, hex};
use crate::values::{Controller, Program as Sound};

/// A number that is whole for most kinds of events.
#[derive(Clone, Copy, Debug)]
pub struct Amount(f64);

impl ColumnValue for Amount {
    const SQL: SqlType = SqlType::Integer;

    fn cell(&self) -> Cell {
        Cell::Real(self.0)
    }
}

/// An event that is not a note.
#[derive(FcpRow)]
#[fcp(model = Song)]
pub struct EventRow {
    pub row: Option<Row>,
    /// The track's name, or the pattern's in a file of patterns; NULL for what belongs to the song.
    #[fcp(set_all = set::tracks, shows = "on")]
    pub track: Option<String>,
    /// Channel, 1 to 16.
    #[fcp(set = set::channel)]
    pub ch: Option<i64>,
    /// cc, program, bend, touch (of the channel), keytouch, tempo, meter, key, marker, lyric, track-name, text, copyright,
    /// instrument, cue, program-name, device, meta, sysex, escape, system, stray (a note-off that ends nothing), end.
    #[fcp(by = "DELETE and INSERT")]
    pub kind: String,
    /// Name of a controller or program.
    #[fcp(set = set::name)]
    pub name: Option<String>,
    /// Number of a controller or a meta event; microseconds of a quarter of a tempo.
    #[fcp(set = set::number)]
    pub number: Option<i64>,
    /// Value: 0 to 127; of bends -8192 to 8191; of tempos quarters a minute.
    #[fcp(set = set::value)]
    pub value: Option<Amount>,
    /// The key of a key's aftertouch.
    #[fcp(set = set::pitch)]
    pub pitch: Option<i64>,
    /// The text; of meters 4/4, of keys A-minor.
    #[fcp(set_all = set::texts)]
    pub text: Option<String>,
    /// Bytes of a text, meta event, sysex or escape, in hex.
    #[fcp(set = set::bytes)]
    pub bytes: Option<String>,
    /// Ticks from the start of the track.
    #[fcp(set = set::tick)]
    pub tick: i64,
    /// The place as ops take it: 5.3.240.
    #[fcp(set = set::pos, shows = "at end")]
    pub pos: String,
    /// Bar, from 1.
    #[fcp(set = set::part::<BAR, 1>)]
    pub bar: Option<i64>,
    /// Beat in its bar, from 1.
    #[fcp(set = set::part::<BEAT, 1>)]
    pub beat: Option<i64>,
    /// Ticks after that beat.
    #[fcp(set = set::part::<SUB, 0>)]
    pub sub: Option<i64>,
    /// Its number among all at its tick in its track, ends of notes included, from 1.
    #[fcp(set = set::nth)]
    pub nth: i64,
    /// Seconds from the start of the song.
    #[fcp(set_all = set::seconds)]
    pub seconds: Option<f64>,
}

/// All that is not a note, in the order of the file, with the end of each track.
#[fcp_table(
    entity,
    insert = "{kind} {track} {ch} {number|name} {value} {pitch} {text} {bytes} {tick|pos|bar|seconds} {beat} {sub}",
    insert_by = super::adding::event,
    one_of = "number|name tick|pos|seconds|bar,beat,sub text|bytes tempo:number|value program:name|value"
)]
pub fn events(song: &Song, wanted: Wanted<'_>) -> Vec<EventRow> {
    let names = names(song);
    let needs_place = wanted.any(&["bar", "beat", "sub"]);
    let mut rows: Vec<EventRow> = Vec::new();
    let mut all = in_order(song, wanted.has("nth")).into_iter().peekable();
    for (chunk, _) in song.chunks.iter() {
        let clock = Placing::new(song, chunk);
        let placed = |what: What, tick: u64, nth: i64, row: Option<Row>| {
            let place = clock.place(tick).filter(|_| needs_place);
            let track = row.and_then(|row| song.owner_of(row));
            EventRow {
                row,
                track: track.and_then(|track| names.get(&track.number()).cloned()),
                ch: what.ch,
                kind: what.kind,
                name: what.name,
                number: what.number,
                value: what.value.map(Amount),
                pitch: what.pitch,
                text: what.text,
                bytes: what.bytes,
                tick: whole(tick),
                pos: wanted.value("pos", || clock.pos(tick)),
                bar: place.map(|place| whole(place.bar)),
                beat: place.map(|place| whole(place.beat)),
                sub: place.map(|place| whole(place.tick)),
                nth,
                seconds: wanted.has("seconds").then(|| clock.seconds(tick)),
            }
        };
        while let Some((_, tick, nth, row)) = all.next_if(|(own, ..)| *own == chunk) {
            if let Some(what) = What::of(song, row) {
                rows.push(placed(what, tick, nth, Some(row)));
            }
        }
        if let Some(end) = song.end_of_chunk(chunk) {
            let nth = wanted.value("nth", || seats(song, chunk, end) + 1);
            let mut tracks = song.tracks.index().of(chunk);
            let mut row = placed(What::new("end"), end, nth, None);
            if let (Some(track), None) = (tracks.next(), tracks.next()) {
                row.track = names.get(&track.number()).cloned();
            }
            rows.push(row);
        }
    }
    rows
}

/// The column of an event's content, and its value there.
pub fn content(song: &Song, row: Row) -> Option<(&'static str, Cell)> {
    let what = What::of(song, row)?;
    let text = what.text.map(|text| ("text", Cell::Text(text)));
    #[allow(clippy::cast_possible_truncation)]
    let whole = |value: f64| match value.fract() == 0.0 && value.abs() < 1e9 {
        true => Cell::Integer(value as i64),
        false => Cell::Real(value),
    };
    let has_none = what.kind == "tempo" && what.value.is_none();
    let value = what.value.map(|value| ("value", whole(value)));
    let value = value.or(has_none.then_some(("value", Cell::Null)));
    let bytes = what.bytes.map(|bytes| ("bytes", Cell::Text(bytes)));
    text.or(value).or(bytes)
}

/// The content of an event.
#[derive(Default)]
struct What {
    kind: String,
    ch: Option<i64>,
    name: Option<String>,
    number: Option<i64>,
    value: Option<f64>,
    pitch: Option<i64>,
    text: Option<String>,
    bytes: Option<String>,
}

impl What {
    fn new(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            ..Self::default()
        }
    }

    fn of(song: &Song, row: Row) -> Option<Self> {
        Some(match song.row_ref(row)? {
            RowRef::Control(event) => {
                let controller = Controller::new(event.number).and_then(Controller::name);
                Self {
                    ch: Some(number(&event.channel)),
                    name: controller.map(str::to_owned),
                    number: Some(i64::from(event.number)),
                    value: Some(f64::from(event.value)),
                    ..Self::new("cc")
                }
            }
            RowRef::Program(event) => Self {
                ch: Some(number(&event.channel)),
                name: Some(Sound::name_of(event.program).to_owned()),
                value: Some(f64::from(event.program)),
                ..Self::new("program")
            },
            RowRef::Bend(event) => Self {
                ch: Some(number(&event.channel)),
                value: Some(f64::from(event.value)),
                ..Self::new("bend")
            },
            RowRef::Touch(event) => Self {
                ch: Some(number(&event.channel)),
                value: Some(f64::from(event.value)),
                pitch: event.pitch.map(|pitch| i64::from(u8::from(pitch))),
                ..Self::new(if event.pitch.is_some() {
                    "keytouch"
                } else {
                    "touch"
                })
            },
            RowRef::Tempo(event) => Self {
                number: Some(i64::from(event.micros)),
                value: (event.micros > 0).then(|| 60e6 / f64::from(event.micros)),
                ..Self::new("tempo")
            },
            RowRef::Meter(event) => Self::with_text("meter", row_line::meter_text(event)),
            RowRef::Key(event) => Self::with_text("key", row_line::key_text(event)),
            RowRef::Marker(event) => {
                Self::with_text("marker", event.text.clone()).of_bytes(&event.bytes)
            }
            RowRef::Lyric(event) => {
                Self::with_text("lyric", event.text.clone()).of_bytes(&event.bytes)
            }
            RowRef::Text(event) => {
                Self::with_text(&event.kind.to_string(), event.text.clone()).of_bytes(&event.bytes)
            }
            RowRef::Raw(event) => match &event.body {
                Body::Meta { kind: 3, bytes } => {
                    Self::with_text("track-name", song.encoding().shown(bytes)).of_bytes(bytes)
                }
                body => Self::of_body(body),
            },
            RowRef::Chunk(_) | RowRef::Track(_) | RowRef::Note(_) => return None,
        })
    }

    /// This content, with the bytes of a text.
    fn of_bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes = Some(hex(bytes));
        self
    }

    fn with_text(kind: &str, text: String) -> Self {
        Self {
            text: Some(text),
            ..Self::new(kind)
        }
    }

    fn of_body(body: &Body) -> Self {
        match body {
            Body::Channel { status, data } => Self {
                ch: Some(i64::from(status & 0x0f) + 1),
                bytes: Some(hex(&[&[*status][..], data].concat())),
                ..Self::new("stray")
            },
            Body::Meta { kind, bytes } => Self {
                number: Some(i64::from(*kind)),
                bytes: Some(hex(bytes)),
                ..Self::new("meta")
            },
            Body::Sysex(bytes) => Self {
                bytes: Some(hex(bytes)),
                ..Self::new("sysex")
            },
            Body::Escape(bytes) => Self {
                bytes: Some(hex(bytes)),
                ..Self::new("escape")
            },
            Body::System { status, data } => Self {
                bytes: Some(hex(&[&[*status][..], data].concat())),
                ..Self::new("system")
            },
        }
    }
}
