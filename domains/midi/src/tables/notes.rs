//! `notes`

use fcp::prelude::*;

use super::placed::{BAR, BEAT, Placing, SUB, in_order, names, whole};
use super::setting_notes as set;
use crate::model::{Chunk, Note, Song};
use crate::values::Channel;

/// A note with its position.
#[derive(FcpRow)]
#[fcp(model = Song)]
pub struct NoteRow {
    pub row: Id<Note>,
    /// The track's name.
    #[fcp(set = "on")]
    pub track: String,
    /// Channel, 1 to 16.
    #[fcp(set)]
    pub ch: i64,
    /// Whether it is on channel 10, where drums are.
    #[fcp(by = "modify {rows} ch:=iif({value},10,nullif(ch,10))")]
    pub drum: bool,
    /// MIDI pitch, 0 to 127; 60 is middle C.
    #[fcp(set)]
    pub pitch: i64,
    /// The pitch by name: C4, F#3.
    #[fcp(set = "pitch")]
    pub name: String,
    /// Ticks from the start of the track.
    #[fcp(set = set::tick)]
    pub tick: i64,
    /// The start as ops take it: 5.3.240.
    #[fcp(set = "at")]
    pub pos: String,
    /// Bar of the start, from 1.
    #[fcp(set = set::part::<BAR, 1>)]
    pub bar: Option<i64>,
    /// Beat of the start in its bar, from 1.
    #[fcp(set = set::part::<BEAT, 1>)]
    pub beat: Option<i64>,
    /// Ticks after that beat.
    #[fcp(set = set::part::<SUB, 0>)]
    pub sub: Option<i64>,
    /// Its number among all at its tick in its track, ends of notes included, from 1.
    #[fcp(set = set::nth)]
    pub nth: i64,
    /// Bar of the beat that is nearest to the start.
    #[fcp(by = "quantize {rows} grid:q")]
    pub near_bar: Option<i64>,
    /// The nearest beat in that bar.
    #[fcp(by = "quantize {rows} grid:q")]
    pub near_beat: Option<i64>,
    /// Ticks from the nearest beat to the start, negative before it.
    #[fcp(set = set::off_beat)]
    pub off_beat: Option<i64>,
    /// Length in ticks; NULL if nothing ends the note.
    #[fcp(set)]
    pub dur: Option<i64>,
    /// The tick at which it ends; NULL if nothing ends it.
    #[fcp(set = set::end)]
    pub end: Option<i64>,
    /// Velocity, 1 to 127.
    #[fcp(set)]
    pub vel: i64,
    /// Release velocity, 0 to 127; NULL if nothing ends the note.
    #[fcp(set = "off")]
    pub off_vel: Option<i64>,
    /// Seconds from the start of the song.
    #[fcp(set = set::seconds)]
    pub seconds: Option<f64>,
    /// Seconds at which it ends.
    #[fcp(set = set::end_seconds)]
    pub end_seconds: Option<f64>,
}

/// Notes, each a note-on with its note-off, in the order of the file.
#[fcp_table(
    entity,
    insert = "{track} {pitch|name} {tick|pos|bar|seconds} {beat} {sub} {dur} {vel} {ch} {off_vel}",
    insert_by = super::adding::note,
    one_of = "pitch|name tick|pos|seconds|bar,beat,sub tick|off_beat seconds|off_beat dur|end|end_seconds"
)]
pub fn notes(song: &Song, wanted: Wanted<'_>) -> Vec<NoteRow> {
    let names = names(song);
    let needs_place = wanted.any(&["bar", "beat", "sub", "pos"]);
    let needs_near = wanted.any(&["near_bar", "near_beat", "off_beat"]);
    let mut placing: Option<(Id<Chunk>, Placing<'_>)> = None;
    let mut rows = Vec::new();
    for (chunk, tick, nth, row) in in_order(song, wanted.has("nth")) {
        let id: Id<Note> = row.of();
        let Some(note) = song.row_as::<Note>(row) else {
            continue;
        };
        let clock = match placing.take().filter(|(own, _)| *own == chunk) {
            Some((_, clock)) => clock,
            None => Placing::new(song, chunk),
        };
        let (_, clock) = &*placing.insert((chunk, clock));
        let place = clock.place(tick).filter(|_| needs_place);
        let near = needs_near.then(|| clock.nearest(tick)).flatten();
        let end = note.dur.map(|dur| note.at.saturating_add(dur));
        rows.push(NoteRow {
            row: id,
            track: names.get(&note.track.number()).cloned().unwrap_or_default(),
            ch: i64::from(note.channel.get()) + 1,
            drum: note.channel == Channel::DRUMS,
            pitch: i64::from(u8::from(note.pitch)),
            name: wanted.value("name", || note.pitch.name_sharp()),
            tick: whole(tick),
            pos: wanted.value("pos", || clock.pos(tick)),
            bar: place.map(|place| whole(place.bar)),
            beat: place.map(|place| whole(place.beat)),
            sub: place.map(|place| whole(place.tick)),
            nth,
            near_bar: near.as_ref().map(|near| near.bar),
            near_beat: near.as_ref().map(|near| near.beat),
            off_beat: near.as_ref().map(|near| near.off),
            dur: note.dur.map(whole),
            end: end.map(whole),
            vel: i64::from(note.velocity.get()),
            off_vel: note.dur.map(|_| i64::from(note.off)),
            seconds: wanted.has("seconds").then(|| clock.seconds(tick)),
            end_seconds: wanted.value("end_seconds", || end.map(|end| clock.seconds(end))),
        });
    }
    rows
}

/// A value that is shown as a whole number.
pub(super) fn number(value: &impl std::fmt::Display) -> i64 {
    value.to_string().parse().unwrap_or_default()
}
