//! Moved rows keep their ids, bytes and form in the file, and nothing else changes, as judged by
//! midly.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Desk;
use crate::support::smf_build::{END, file, single};
use fcp::endpoint::Endpoint;
use fcp::testing::{data, say};
use fcp_midi::smf;
use midly::{MidiMessage, SmfBytemap, TrackEventKind};

/// An event as midly reads it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    tick: u32,
    /// Its bytes with the status.
    bytes: Vec<u8>,
    /// Whether the status is in the file.
    written: bool,
    /// Width of its delta time in bytes, if that is more than needed.
    wide: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    On,
    Off,
    Touch,
    Other,
    End,
}

impl Event {
    /// Its bytes without the key, the velocity of a note-on and the channel.
    fn form(&self) -> Vec<u8> {
        let mut form = self.bytes.clone();
        if matches!(self.kind, Kind::On | Kind::Off | Kind::Touch) {
            form[0] &= 0xf0;
            form[1] = 0;
            form[2] = if self.kind == Kind::On { 0 } else { form[2] };
        }
        form
    }
}

/// The events of each track of a file.
fn events(bytes: &[u8]) -> Vec<Vec<Event>> {
    let map = SmfBytemap::parse(bytes).unwrap();
    let place = |part: &[u8]| part.as_ptr() as usize;
    let mut all = Vec::new();
    for track in &map.tracks {
        let (mut tick, mut events) = (0, Vec::new());
        let mut last: Option<usize> = None;
        for (raw, event) in track {
            let delta = event.delta.as_int();
            tick += delta;
            let own = last.map(|last| place(raw) - last);
            last = Some(place(raw) + raw.len());
            let needed = match delta {
                0..0x80 => 1,
                0x80..0x4000 => 2,
                _ => 3,
            };
            let (kind, bytes) = match event.kind {
                TrackEventKind::Midi { channel, message } => {
                    let (high, kind) = match message {
                        MidiMessage::NoteOn { vel, .. } if vel > 0 => (0x90, Kind::On),
                        MidiMessage::NoteOn { .. } => (0x90, Kind::Off),
                        MidiMessage::NoteOff { .. } => (0x80, Kind::Off),
                        MidiMessage::Aftertouch { .. } => (0xa0, Kind::Touch),
                        MidiMessage::Controller { .. } => (0xb0, Kind::Other),
                        MidiMessage::ProgramChange { .. } => (0xc0, Kind::Other),
                        MidiMessage::ChannelAftertouch { .. } => (0xd0, Kind::Other),
                        MidiMessage::PitchBend { .. } => (0xe0, Kind::Other),
                    };
                    let data = if raw[0] < 0x80 { raw } else { &raw[1..] };
                    (kind, [&[high | channel.as_int()], data].concat())
                }
                TrackEventKind::Meta(midly::MetaMessage::EndOfTrack) => (Kind::End, raw.to_vec()),
                _ => (Kind::Other, raw.to_vec()),
            };
            events.push(Event {
                tick,
                bytes,
                written: raw[0] >= 0x80,
                wide: own.filter(|own| *own > needed),
                kind,
            });
        }
        all.push(events);
    }
    all
}

/// A track of six bars of 4 × 96 ticks: every form of note-off, running status and redundant
/// statuses, wide delta times and lengths, and events of one tick in an order that no writer would
/// choose. No two notes have the same key.
fn track(channel: u8, low: u8) -> Vec<u8> {
    let (on, off, touch, cc) = (
        0x90 | channel,
        0x80 | channel,
        0xa0 | channel,
        0xb0 | channel,
    );
    let mut out = Vec::new();
    out.extend([0, 0xff, 0x03, 0x81 - 0x80, b'A' + channel]);
    out.extend([0, 0xc0 | channel, 5]);
    for bar in 0..6_u8 {
        let key = low + bar * 6;
        // On the barline a lyric after the notes, then a controller, then a note with a redundant
        // status.
        out.extend([0, on, key, 60 + bar, 0, key + 1, 61]);
        out.extend([0, 0xff, 0x05, 0x80, 0x02, b'l', b'0' + bar]);
        out.extend([0, cc, 10, 20 + bar, 0x80, 0x80, 0x00, on, key + 2, 62]);
        out.extend([0x18, touch, key, 70 + bar]);
        // One ends by a note-on of velocity 0 in running status, one by a note-off with its own
        // velocity.
        out.extend([0x18, on, key + 1, 0, 0, off, key, 30 + bar]);
        // One ends after a wide delta time, by a note-on of velocity 0 with an explicit status.
        out.extend([0x80, 0x80, 0x80, 0x10, on, key + 2, 0]);
        out.extend([
            0x20,
            on,
            key + 3,
            63,
            0x18,
            off,
            key + 3,
            0x40,
            0x60,
            off,
            key + 3,
            1,
        ]);
        // A chord with one note that sounds into the next bar.
        out.extend([0x28, on, key + 4, 64, 0, key + 5, 65, 0x20, key + 4, 0]);
        // The barline: 0x180 ticks after the previous one.
        let spent: u32 = 0x18 + 0x18 + 0x10 + 0x20 + 0x18 + 0x60 + 0x28 + 0x20;
        let rest = 0x180 - spent;
        out.extend([
            0x80 | u8::try_from(rest >> 7).unwrap(),
            u8::try_from(rest & 0x7f).unwrap(),
        ]);
        out.extend([on, key + 5, 0]);
    }
    [&out, END].concat()
}

/// The conductor: on one tick a marker before a tempo, and texts.
fn conductor() -> Vec<u8> {
    let mut out =
        b"\0\xff\x03\x05Forms\0\xff\x51\x03\x07\xa1\x20\0\xff\x58\x04\x04\x02\x18\x08".to_vec();
    for bar in 0..5_u8 {
        out.extend([0x83, 0x00, 0xff, 0x06, 2, b'M', b'1' + bar]);
        out.extend([0, 0xff, 0x01, 2, b't', b'1' + bar]);
        out.extend([0, 0xff, 0x7f, 0x80, 0x03, 0, 1, bar]);
    }
    [&out, END].concat()
}

/// Files of each format with the same events.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (
            "format 1",
            file(1, 96, &[&conductor(), &track(0, 24), &track(1, 70)]),
        ),
        ("format 0", file(0, 96, &[&track(2, 40)])),
        ("format 2", file(2, 96, &[&track(0, 24), &track(1, 70)])),
    ]
}

/// The changes that an op may make to an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum May {
    /// Only its time.
    Move,
    /// Time, and the key of notes and their aftertouch.
    Key,
    /// Time, and the velocity of note-ons.
    Velocity,
    /// None; new events may be added.
    Copy,
    /// Its channel; new events may be added.
    Channel,
}

fn spelled(event: &Event, may: May) -> Vec<u8> {
    let mut bytes = event.bytes.clone();
    match (may, event.kind) {
        (May::Key, Kind::On | Kind::Off | Kind::Touch) => bytes[1] = 0,
        (May::Velocity, Kind::On) => bytes[2] = 1,
        (May::Channel, _) if bytes[0] < 0xf0 => bytes[0] &= 0xf0,
        _ => {}
    }
    bytes
}

/// Checks one op on one file, if the op is accepted. Returns whether it was.
fn check(name: &str, bytes: &[u8], op: &str, may: May) -> bool {
    let mut desk = Desk::on(bytes);
    let ids = |desk: &Desk| -> BTreeSet<u32> {
        let notes = desk.song().notes.iter();
        notes.map(|(id, _)| id.number()).collect()
    };
    let before_ids = ids(&desk);
    let op = match name {
        "format 2" if op.starts_with("bars") => format!("{op} on:A"),
        _ => op.to_owned(),
    };
    let answer = desk.session.run(std::slice::from_ref(&op), None);
    if answer.is_error || answer.text.starts_with('=') {
        assert!(name != "format 1", "{op}: {}", answer.text);
        return false;
    }
    let what = format!("{name}: {op}\n{}", answer.text);
    let (before, after) = (events(bytes), events(&desk.bytes()));
    let flat = |all: &[Vec<Event>]| -> Vec<Event> {
        let all = all.iter().flatten().filter(|event| event.kind != Kind::End);
        all.cloned().collect()
    };
    let (mut old, new) = (flat(&before), flat(&after));
    // Stray note-offs that would end a longer note are removed, and the reply reports them.
    let drops = answer.text.contains("stray offs dropped");
    let is_stray = |event: &Event| event.bytes[0] & 0xf0 == 0x80 && event.bytes[2] == 1;
    let stays = |event: &Event| new.iter().any(|own| own.bytes == event.bytes);
    old.retain(|event| !(drops && is_stray(event)) || stays(event));
    // The name of a track that is merged into another is removed.
    old.retain(|event| !op.starts_with("track merge") || event.bytes != [0xff, 3, 1, b'B']);
    let count = |all: &[Event]| {
        let mut counts: BTreeMap<Vec<u8>, Vec<&Event>> = BTreeMap::new();
        for event in all {
            counts.entry(spelled(event, may)).or_default();
        }
        counts.into_keys().collect::<BTreeSet<_>>()
    };
    let (old_forms, new_forms) = (count(&old), count(&new));
    let lost: Vec<_> = old_forms.difference(&new_forms).collect();
    assert!(lost.is_empty(), "{what}lost {lost:02x?}");
    if matches!(may, May::Copy | May::Channel) {
        // New events have a form that was there.
        let forms: BTreeSet<Vec<u8>> = old.iter().map(Event::form).collect();
        for event in new
            .iter()
            .filter(|event| matches!(event.kind, Kind::On | Kind::Off))
        {
            assert!(
                forms.contains(&event.form()),
                "{what}{event:02x?} has a form of its own"
            );
        }
        assert!(ids(&desk).is_superset(&before_ids), "{what}");
    } else {
        // The reply names each setting that is written again.
        let first = answer.text.lines().next().unwrap();
        let carried = first.split("; ").filter(|part| part.starts_with("carried"));
        let carried: usize = carried.map(|part| part.split(", ").count()).sum();
        assert_eq!(new.len(), old.len() + carried, "{what}");
        assert_eq!(ids(&desk), before_ids, "{what}");
    }
    // Wide numbers stay wide, and an explicit status stays explicit.
    let wide = |all: &[Event]| all.iter().filter(|event| event.wide.is_some()).count();
    let first =
        |all: &[Event], bytes: &[u8]| all.iter().find(|event| event.bytes == bytes).cloned();
    for event in &old {
        if may == May::Move
            && event.written
            && let Some(own) = first(&new, &event.bytes)
        {
            assert!(own.written, "{what}{event:02x?} lost its status");
        }
    }
    if may == May::Move && !op.starts_with("retime") {
        assert!(
            wide(&new) >= wide(&old) / 2,
            "{what}wide delta times are gone"
        );
    }
    // Events that stay at their tick do not swap.
    if may != May::Key {
        for (old, new) in before.iter().zip(&after) {
            let stays = |event: &&Event, all: &[Event]| {
                event.kind != Kind::End
                    && all.iter().any(|own| {
                        own.tick == event.tick && spelled(own, may) == spelled(event, may)
                    })
            };
            let kept = |of: &[Event], all: &[Event]| -> Vec<(u32, Vec<u8>)> {
                let kept = of.iter().filter(|event| stays(event, all));
                kept.map(|event| (event.tick, spelled(event, may)))
                    .collect()
            };
            if !matches!(may, May::Copy | May::Channel) && before.len() == after.len() {
                assert_eq!(kept(old, new), kept(new, old), "{what}events swapped");
            }
        }
    }
    // Each note lasts from its on to its off, and the saved file opens with the same content.
    desk.settles(&what);
    desk.act("undo");
    assert!(desk.bytes() == bytes, "{what}undo gives other bytes");
    true
}

#[test]
fn every_verb_keeps_ids_bytes_and_forms() {
    let table: &[(&str, May)] = &[
        ("bars move 2 to:4", May::Move),
        ("bars move 4-5 to:2", May::Move),
        ("bars move 2-3 to:end", May::Move),
        ("bars insert 2 at:3", May::Move),
        ("bars insert 1 at:1", May::Move),
        ("bars copy 2 to:4", May::Copy),
        ("bars copy 2 to:end times:2", May::Copy),
        ("bars copy 2 to:6 mode:mix", May::Copy),
        ("move @track:A @range:2 by:+e", May::Move),
        ("move @track:A @range:2-3 to:4.2", May::Move),
        ("move @range:2-3 by:+1bar", May::Move),
        ("move @track:A @type:cc|lyric @range:2 by:+e", May::Move),
        ("move @type:marker by:+1bar", May::Move),
        ("copy @range:2 to:9", May::Copy),
        ("copy @track:A @range:2 to:9 on:B", May::Copy),
        ("copy @type:cc|lyric @range:2 to:9", May::Copy),
        ("repeat @range:5-6 times:2", May::Copy),
        ("track copy A as:Z", May::Copy),
        ("track move A to:2", May::Move),
        ("track merge A,B", May::Move),
        ("track split A by:pitch:C2", May::Channel),
        ("track split A by:voice", May::Channel),
        ("quantize @all grid:e", May::Move),
        ("quantize @track:A grid:q ends:on", May::Move),
        ("humanize @all time:40 vel:0 seed:3", May::Move),
        ("humanize @all time:40 vel:3 seed:3", May::Velocity),
        ("stretch @track:A 150%", May::Move),
        ("reverse @track:A @range:2-3", May::Move),
        ("transpose @all +1", May::Key),
        ("transpose @track:A -2", May::Key),
        ("invert @track:A @range:2", May::Key),
        ("snap @pitch:D#2 to:C-major", May::Key),
        ("length @all 50%", May::Move),
        ("legato @track:A", May::Move),
        ("staccato @track:A", May::Move),
        ("velocity @all +3", May::Velocity),
        ("crescendo @range:2-3 from:40 to:99", May::Velocity),
        ("modify @all at:+e", May::Move),
        ("modify @all dur:e", May::Move),
        ("modify @all vel:+2", May::Velocity),
        ("modify @track:A pitch:+1", May::Key),
        ("modify @type:cc at:+e", May::Move),
        ("retime ppqn:192", May::Move),
        ("retime ppqn:120", May::Move),
    ];
    let mut done = BTreeMap::new();
    for (name, bytes) in files() {
        for (op, may) in table {
            if check(name, &bytes, op, *may) {
                *done.entry(name).or_insert(0_usize) += 1;
            }
        }
    }
    assert_eq!(done["format 1"], table.len());
    assert!(done["format 0"] > 20 && done["format 2"] > 20, "{done:?}");
}

/// The events of a file by bytes and ticks, in order, without ends of tracks, channel prefixes and
/// names.
fn played(bytes: &[u8]) -> Vec<(u32, Vec<u8>, bool)> {
    let events = events(bytes).into_iter().flatten();
    let is_kept =
        |event: &Event| event.kind != Kind::End && !matches!(event.bytes[..], [0xff, 0x20 | 3, ..]);
    let kept = events.filter(is_kept);
    let mut kept: Vec<_> = kept
        .map(|event| (event.tick, event.bytes, event.wide.is_some()))
        .collect();
    kept.sort();
    kept
}

#[test]
fn another_format_keeps_every_event() {
    for (name, bytes) in files().into_iter().filter(|(name, _)| *name != "format 2") {
        let mut desk = Desk::on(&bytes);
        let to = if name == "format 1" { 0 } else { 1 };
        desk.act(&format!("save as:other.mid smf:{to}"));
        let other = std::fs::read(desk.root.path().join("other.mid")).unwrap();
        let own = |bytes: &[u8]| -> Vec<(u32, Vec<u8>)> {
            let events = played(bytes).into_iter();
            events.map(|(tick, bytes, _)| (tick, bytes)).collect()
        };
        assert_eq!(own(&other), own(&bytes), "{name}");
        let mut desk = Desk::on(&other);
        let back = 1 - to;
        desk.act(&format!("save as:back.mid smf:{back}"));
        let back = std::fs::read(desk.root.path().join("back.mid")).unwrap();
        assert_eq!(own(&back), own(&bytes), "{name}");
    }
}

#[test]
fn a_note_that_is_given_an_end_takes_the_form_of_its_neighbours() {
    for (off, form) in [
        (&[0x90, 60, 0][..], &[0x90, 70, 0][..]),
        (&[0x80, 60, 33], &[0x80, 70, 33]),
    ] {
        let mut track = vec![0, 0x90, 60, 100, 0x60];
        track.extend(off);
        track.extend([0, 0x90, 70, 100, 0x60, 0xb0, 7, 100]);
        track.extend(END);
        let bytes = file(1, 96, &[END, &track]);
        for op in [
            "fix stuck",
            "fix stuck until:bar",
            "modify @stuck dur:e",
            "modify @stuck end:2",
            "length @stuck q",
        ] {
            let mut desk = Desk::on(&bytes);
            desk.run(op);
            let events = events(&desk.bytes()).remove(1);
            let ends = events.iter().filter(|event| event.kind == Kind::Off);
            let ends: Vec<&[u8]> = ends.map(|event| &event.bytes[..]).collect();
            assert_eq!(ends, [off, form], "{op}");
        }
    }
}

#[test]
fn bars_move_with_all_their_events_in_order() {
    const BAR: u32 = 384;
    // The events of each bar in order, by their place in it; ends of notes on a barline are
    // separate.
    let bars = |track: &[Event]| -> Vec<Vec<(u32, Vec<u8>)>> {
        let mut bars = vec![Vec::new(); 8];
        for event in track.iter().filter(|event| event.kind != Kind::End) {
            let is_end = event.kind == Kind::Off && event.tick.is_multiple_of(BAR);
            if event.tick > 0 && !is_end {
                let bar = usize::try_from(event.tick / BAR).unwrap();
                bars[bar].push((event.tick % BAR, event.bytes.clone()));
            }
        }
        bars
    };
    // On a barline the ends of notes come before other events.
    let ends_first = |track: &[Event]| {
        track.windows(2).all(|pair| {
            let on_line = pair[0].tick == pair[1].tick && pair[0].tick.is_multiple_of(BAR);
            !on_line || pair[1].kind != Kind::Off || pair[0].kind == Kind::Off
        })
    };
    for (name, bytes) in files() {
        for (op, order) in [
            ("bars move 2 to:4", [0, 2, 1, 3, 4, 5]),
            ("bars move 4-5 to:2", [0, 3, 4, 1, 2, 5]),
            ("bars move 5 to:3", [0, 1, 4, 2, 3, 5]),
        ] {
            let op = match name {
                "format 2" => format!("{op} on:A"),
                _ => op.to_owned(),
            };
            let mut desk = Desk::on(&bytes);
            desk.run(&op);
            let (before, after) = (events(&bytes), events(&desk.bytes()));
            for (nth, (before, after)) in before.iter().zip(&after).enumerate() {
                if name == "format 2" && nth > 0 {
                    assert_eq!(before, after, "{op}: another pattern");
                    continue;
                }
                let (before, after_bars) = (bars(before), bars(after));
                for (to, from) in order.into_iter().enumerate() {
                    assert_eq!(after_bars[to], before[from], "{name}: {op}: bar {}", to + 1);
                }
                assert!(ends_first(after), "{name}: {op}: {after:02x?}");
            }
        }
    }
}

/// Files by other people that midly reads like this codec: undamaged, and small enough to try many
/// ops.
fn real_files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = data("midi") else {
        return Vec::new();
    };
    let mut files: Vec<_> = crate::support::data::files(&folder).into_iter().collect();
    files.retain(|(_, bytes)| {
        // `retime` adds a tempo to files without bars.
        let has_bars = bytes.get(12).is_some_and(|division| *division < 0x80);
        bytes.len() < 12_000
            && has_bars
            && smf::read(bytes).is_ok_and(|file| {
                let mut tracks = file.tracks();
                tracks.all(|track| track.fault.is_none() && track.end.is_some())
            })
            && SmfBytemap::parse(bytes).is_ok_and(|map| map.tracks.iter().flatten().count() > 20)
    });
    files
}

#[test]
fn other_peoples_files_keep_their_events_where_time_moves() {
    let ops = [
        "bars move 2 to:4",
        "bars move 3-4 to:1",
        "bars move 1 to:3",
        "bars move 2-3 to:end",
        "bars insert 2 at:3",
        "bars insert 1 at:1",
        "move @range:2-3 by:+1bar",
        "retime ppqn:960",
        "track move 1 to:2",
    ];
    // Each event without its time, and the notes that were cut or dropped according to the reply.
    let counts = |bytes: &[u8]| {
        let mut counts: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
        let events = events(bytes).into_iter().flatten();
        for event in events.filter(|event| event.kind != Kind::End) {
            *counts.entry(event.bytes).or_default() += 1;
        }
        counts
    };
    let (mut done, mut files) = (0, 0);
    for (name, bytes) in real_files() {
        files += 1;
        let mut desk = Desk::on(&bytes);
        let before = counts(&bytes);
        for op in ops {
            let answer = desk.session.run(&[op.to_owned()], None);
            if answer.is_error || answer.text.starts_with('=') {
                continue;
            }
            let reply = answer.text.lines().next().unwrap();
            let is_new = |word: &str| reply.contains(word);
            let after = counts(&desk.bytes());
            if !is_new("merged") && !is_new("dropped") && !is_new("replace") {
                for (event, n) in &before {
                    let left = after.get(event).copied().unwrap_or(0);
                    assert!(left >= *n, "{name}: {op}: {event:02x?}\n{reply}");
                }
            }
            let carried = reply.split("; ").filter(|part| part.starts_with("carried"));
            let carried: usize = carried.map(|part| part.split(", ").count()).sum();
            let total = |counts: &BTreeMap<Vec<u8>, i64>| counts.values().sum::<i64>();
            if carried == 0
                && !is_new("stuck ended")
                && !is_new("merged")
                && !is_new("dropped")
                && !is_new("replace")
            {
                assert_eq!(total(&after), total(&before), "{name}: {op}\n{reply}");
            }
            desk.settles(&format!("{name}: {op}"));
            desk.act("undo");
            assert!(
                desk.bytes() == bytes,
                "{name}: {op}: undo gives other bytes"
            );
            done += 1;
        }
    }
    say(&format!("{done} ops kept the events of {files} files"));
    assert!(files == 0 || done > 100, "{done}");
}

#[test]
fn an_account_after_a_meter_edit_tells_of_no_note_that_stayed() {
    let mut desk = Desk::blank();
    let ops = [
        "track add A",
        "note A C4 at:2.1 dur:q vel:80",
        "note A D4 at:2.3 dur:q vel:80",
    ];
    for op in ops {
        desk.run(op);
    }
    desk.act("checkpoint here");
    desk.run("time-sig 3/4");
    desk.run("modify @pitch:D4 vel:1");
    let told = desk.ask("diff checkpoint:here");
    assert!(told.contains("meter at 1.1: 4/4 -> 3/4"), "{told}");
    assert!(
        told.contains("~ note D4 on A at 2.3: vel 80 -> 1\n"),
        "{told}"
    );
    assert!(!told.contains("MTrk"), "{told}");
}

#[test]
fn a_meter_that_is_replaced_and_stated_again_keeps_its_row() {
    // 4/4 at the start, 3/4 on tick 7, 4/4 on tick 14: bars that end early.
    let meter = |delta, beats| [delta, 0xff, 0x58, 4, beats, 2, 24, 8];
    let notes: &[u8] = &[0, 0x90, 60, 80, 50, 0x80, 60, 0];
    let track = [&meter(0, 4)[..], &meter(7, 3), &meter(7, 4), notes, END].concat();
    let mut desk = Desk::on(&file(0, 96, &[&track]));
    let first = "SELECT ref FROM meters WHERE at = 0";
    let row = desk.ask(first);
    let reply = desk.run("bars move 1 to:end");
    assert!(reply.contains("replaced at 1.1: 1 meter"), "{reply}");
    assert!(reply.contains("carried at"), "{reply}");
    let last = "SELECT ref FROM meters ORDER BY at DESC LIMIT 1";
    assert_eq!(desk.ask(last), row, "{reply}");
}

#[test]
fn a_data_entry_that_is_carried_past_deleted_bars_keeps_its_row() {
    let mut desk = Desk::blank();
    for op in [
        "track add A",
        "cc A 101 0",
        "cc A 100 0",
        "cc A 6 12 at:2",
        "note A C4 at:3",
    ] {
        desk.run(op);
    }
    let entry = "SELECT ref FROM cc WHERE number = 6";
    let row = desk.ask(entry);
    assert!(row.contains("(1 row)"), "{row}");
    let reply = desk.run("bars delete 2");
    assert!(reply.contains("carried"), "{reply}");
    assert_eq!(desk.ask(entry), row, "{reply}");
}

#[test]
fn repeated_notes_equal_their_originals_in_all_but_place() {
    // Two notes of a pitch that overlap, ended in either order; one on another channel; one ended by a note-on of
    // velocity 0; release velocities; pressure on one of them.
    let notes: &[u8] = &[
        0, 0x90, 60, 80, 0x30, 60, 81, 0x20, 0xa0, 60, 33, 0x40, 0x80, 60, 11, 0x30, 60, 12, 0,
        0x91, 62, 90, 0x20, 0x81, 62, 0, 0, 0x90, 64, 70, 0, 65, 71, 0x40, 64, 0, 0, 0x80, 65, 127,
    ];
    let bytes = file(1, 96, &[&[notes, END].concat()]);
    for (ops, times) in [
        ("repeat @range:1 times:3", 3),
        ("repeat @all times:1", 1),
        ("repeat @range:1 times:2 to:4", 2),
        ("copy @range:1 to:4 times:2", 2),
        ("bars copy 1 to:2 times:2", 2),
    ] {
        let mut desk = Desk::new();
        desk.open(&bytes);
        let reply = desk.run(ops);
        assert!(!reply.contains("shortened"), "{reply}");
        let first = if ops.contains("to:4") { 3 } else { 1 };
        let bar = 4 * 96;
        let all = events(&desk.bytes()).concat();
        let content = |from: u32| -> Vec<(u32, Vec<u8>)> {
            let own = all.iter().filter(|event| event.kind != Kind::End);
            let own = own.filter(|event| (from..from + bar).contains(&event.tick));
            own.map(|event| (event.tick - from, event.bytes.clone()))
                .collect()
        };
        let original = content(0);
        assert_eq!(original.len(), 11, "{original:?}");
        for time in 0..times {
            assert_eq!(content((first + time) * bar), original, "{ops}, {time}");
        }
        let before = events(&bytes).concat();
        assert_eq!(all.len(), before.len() + 11 * times as usize, "{ops}");
    }
}

#[test]
fn rows_of_a_parameter_that_is_set_again_keep_their_ids() {
    // A group without the second row that deselects, at the start of bar 2.
    let delta = b"\x83\x00";
    let group = b"\xb0\x63\x01\0\xb0\x62\x08\0\xb0\x06\x46\0\xb0\x63\x7f";
    let note = b"\x83\x00\x90\x3c\x40\x60\x80\x3c\x40\0\xff\x2f\0";
    let mut desk = Desk::on(&single(&[&delta[..], group, note].concat()));
    let ids = |desk: &Desk| {
        let rows = desk.song().controls.iter();
        rows.map(|(id, row)| (id.number(), row.number, row.value, row.at))
            .collect::<Vec<_>>()
    };
    let before = ids(&desk);
    assert_eq!(before.len(), 4);
    desk.run("bars delete 2");
    let after = ids(&desk);
    assert!(
        before.iter().all(|row| after.contains(row)),
        "{before:?} {after:?}"
    );
    desk.settles("bars delete");
}
