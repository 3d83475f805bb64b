//! Events keep their order: those of a tick, nested notes of one pitch, and the setup of a track.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use midly::{MidiMessage, Smf, TrackEvent, TrackEventKind};
use proptest::prelude::*;

use crate::support::Desk;
use crate::support::smf_build::{END, file, single};
use fcp::endpoint::Endpoint;

#[test]
fn nested_equal_pitches_end_first_in_first_out_and_keep_their_ends() {
    let bytes = single(b"\0\x90\x3c\x40\x10\x3c\x41\x10\x3c\0\x10\x3c\0\0\xff\x2f\0");
    let desk = Desk::on(&bytes);
    let spans: Vec<(u64, Option<u64>)> = desk
        .song()
        .notes
        .iter()
        .map(|(_, note)| (note.at, note.dur))
        .collect();
    assert_eq!(spans, [(0, Some(32)), (16, Some(32))]);
    assert!(desk.bytes() == bytes);

    let mut desk = Desk::blank();
    desk.run("track add Piano");
    desk.run("note Piano C4 at:1.1 dur:h");
    let text = desk.run("note Piano C4 at:1.2 dur:q");
    assert!(
        text.starts_with("+ Note C4 on Piano at 1.2 dur:480 vel:80 (1 shortened)\n"),
        "{text}"
    );
    let text = desk.run("note Piano C4 at:1.2 dur:h vel:100");
    assert!(
        text.starts_with("+ Note C4 on Piano at 1.2 dur:960 vel:100 (1 merged)\n"),
        "{text}"
    );
    let spans: Vec<(u64, Option<u64>)> = desk
        .song()
        .notes
        .iter()
        .map(|(_, note)| (note.at, note.dur))
        .collect();
    assert_eq!(spans, [(0, Some(480)), (480, Some(960))]);
    desk.settles("overlaps");
}

#[test]
fn changing_one_of_two_overlapping_notes_of_a_file_settles() {
    // The first ends at 40, the second at 60.
    let bytes =
        single(b"\0\x90\x3c\x40\x10\x3c\x41\x18\x3c\0\x14\x3c\0\x60\x3e\x40\x10\x3e\0\0\xff\x2f\0");
    for op in [
        "modify #4 dur:ticks:5",
        "modify #3 dur:ticks:5",
        "modify #3 dur:ticks:500",
        "modify #4 dur:ticks:500",
        "modify #4 at:+ticks:1",
        "modify #3 at:+ticks:20",
        "modify #3 at:tick:16",
        "modify #4 at:tick:0",
        "modify #3 pitch:62",
        "modify #4 pitch:62",
        "remove #3",
        "remove #4",
        "copy #3 to:tick:20",
        "copy #4 to:tick:10",
    ] {
        let mut desk = Desk::on(&bytes);
        desk.run(op);
        desk.settles(op);
        desk.act("undo");
        assert!(desk.bytes() == bytes, "{op}");
    }
}

#[test]
fn notes_across_what_only_files_hold_settle() {
    // A note-off without a note, a note without an end, a note without length, twins.
    for (what, track) in [
        ("orphan", &b"\x60\x80\x3c\x20\x60\x90\x3e\x40\x10\x3e\0"[..]),
        ("stuck", b"\x60\x90\x3c\x40"),
        ("stuck, then one", b"\x60\x90\x3c\x40\x60\x3d\x40\x10\x3d\0"),
        ("zero", b"\x60\x90\x3c\x40\0\x3c\0"),
        ("twins", b"\x60\x90\x3c\x40\0\x3c\x50\x60\x3c\0\x10\x3c\0"),
        ("twice off", b"\x60\x90\x3c\x40\x10\x3c\0\x10\x3c\0"),
    ] {
        let bytes = single(&[track, END].concat());
        for op in [
            "note 1 C4 at:tick:0 dur:ticks:400",
            "note 1 C4 at:tick:0 dur:ticks:96",
            "note 1 C4 at:tick:96 dur:ticks:96",
            "note 1 C4 at:tick:100 dur:ticks:96",
            "note 1 C4 at:tick:90 dur:ticks:9",
            "copy @all to:tick:20",
            "copy @all to:tick:96",
            "modify @all at:+ticks:50",
            "modify @all at:-ticks:20",
            "modify @all dur:ticks:30",
            "modify @all dur:ticks:200",
            "modify @all pitch:60",
            "modify @all pitch:61",
            "transpose @all +1",
            "transpose @all -2",
        ] {
            let mut desk = Desk::on(&bytes);
            let answer = desk.session.run(&[op.to_owned()], None);
            assert!(
                !answer.is_error || answer.text.contains("nothing"),
                "{what}: {op}: {}",
                answer.text
            );
            desk.settles(&format!("{what}: {op}: {}", answer.text));
            if !answer.is_error && !answer.text.starts_with('=') {
                let undone = desk.session.act("undo");
                assert!(!undone.is_error, "{what}: {op}: {}", answer.text);
            }
            assert!(desk.bytes() == bytes, "{what}: {op}");
        }
    }
}

#[test]
fn events_of_a_tick_never_swap_and_new_ones_are_placed_by_rank() {
    let bytes = file(
        1,
        480,
        &[
            END,
            b"\0\x90\x3c\x40\0\xb0\x07\x50\0\xc0\x05\0\xff\x01\x01x\0\xe0\0\x40\x60\x3c\0\0\xff\x2f\0",
        ],
    );
    let mut desk = Desk::on(&bytes);
    let before = desk.events();
    desk.run("note 1 E4 at:1.1 dur:ticks:96");
    desk.run("modify track 1 pan:20");
    desk.run("marker Here");
    desk.run("tempo 99");
    let after = desk.events();
    let old: Vec<&str> = before.lines().collect();
    let kept: Vec<&str> = after.lines().filter(|line| old.contains(line)).collect();
    assert_eq!(kept, old, "{after}");
    desk.settles("order");

    // A new song: metas, program, controllers, notes.
    let mut desk = Desk::blank();
    desk.run("track add Piano");
    desk.run("note Piano C4 at:1.1");
    desk.run("modify track Piano volume:90");
    desk.run("modify track Piano instrument:violin");
    desk.run("note Piano E4 at:1.1");
    let text = desk.events();
    let at_start: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("1 0 "))
        .collect();
    assert_eq!(
        at_start,
        ["ff03055069616e6f", "c028", "b0075a", "903c50", "904050"]
    );
}

#[test]
fn a_note_ends_before_the_next_of_its_pitch_starts() {
    let mut desk = Desk::blank();
    desk.run("track add Piano");
    desk.run("note Piano C4 at:1.2");
    desk.run("note Piano C4 at:1.1");
    desk.run("note Piano C4 at:1.3");
    let text = desk.events();
    let notes: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(" 903c") || line.contains(" 803c"))
        .collect();
    assert_eq!(
        notes,
        [
            "1 0 903c50",
            "1 480 803c40",
            "1 480 903c50",
            "1 960 803c40",
            "1 960 903c50",
            "1 1440 803c40"
        ]
    );
    desk.settles("legato");
}

#[test]
fn setup_of_a_track_survives_edits_around_it() {
    // RPN select, data, null; bank before program; running status and wide deltas.
    let track = b"\0\xb0\x65\0\0\x64\0\0\x06\x0c\0\x65\x7f\0\x64\x7f\0\0\x01\0\x20\x02\0\xc0\x05\x80\x60\x90\x3c\x40\x60\x3c\0\x83\0\x3e\x40\x60\x3e\0\0\xff\x2f\0";
    let bytes = single(track);
    let mut desk = Desk::on(&bytes);
    let before = desk.events();
    for op in [
        "note 1 G5 at:1.1",
        "note 1 G5 at:3.1",
        "modify @pitch:C4 vel:9",
        "modify @pitch:D4 dur:ticks:30",
        "remove @pitch:G5",
    ] {
        desk.run(op);
        let after = desk.events();
        let setup =
            |text: &str| -> Vec<String> { text.lines().take(8).map(str::to_owned).collect() };
        let old = setup(&before);
        let kept: Vec<&str> = after
            .lines()
            .filter(|line| old.iter().any(|own| own == line))
            .collect();
        assert_eq!(kept, old, "{op}\n{after}");
        desk.settles(op);
    }
    desk.act("undo 5");
    assert!(desk.bytes() == bytes);
    // With one more note, the wide deltas of the others are still wide.
    desk.run("note 1 G5 at:5.1");
    assert!(desk.bytes().windows(2).any(|two| two == [0x80, 0x60]));
}

#[test]
fn a_merged_note_takes_no_end_of_one_that_sounds_on() {
    // Three C4, each begun while the earlier ones sound: ends are paired in the order of starts.
    let bytes = single(
        b"\0\x90\x3c\x40\x60\x3c\x41\x60\x3c\x42\x60\x80\x3c\x40\x02\x3c\x40\x0a\x3c\x40\0\xff\x2f\0",
    );
    for op in [
        "note ch-1 C4 at:1.2 dur:w",
        "move #4 to:1.2",
        "copy @pitch:C4 to:1.2",
        "quantize @all grid:h",
    ] {
        let mut desk = Desk::on(&bytes);
        desk.run(op);
        desk.settles(op);
    }
}

#[test]
fn a_pedal_leaves_those_of_other_channels() {
    let mut desk = Desk::blank();
    desk.run("track add Keys ch:1");
    desk.run("cc Keys sustain 127 at:1.2 ch:5");
    desk.run("cc Keys sustain 0 at:2.2 ch:5");
    let text = desk.run("pedal Keys 1-2");
    assert!(
        text.starts_with("+ Pedal on Keys from 1.1 to 3.1 (2 times down)\n"),
        "{text}"
    );
    assert!(desk.ask("list @channel:5 @type:cc").lines().count() == 2);
    let text = desk.run("pedal Keys 1-2");
    assert!(
        text.starts_with("= Pedal on Keys from 1.1 to 3.1"),
        "{text}"
    );
    let text = desk.run("pedal Keys 1-2 every:h");
    assert!(text.contains("(4 times down)"), "{text}");
}

#[test]
fn a_pedal_that_is_pressed_where_another_ends_stays_the_same_row() {
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    desk.run("pedal Keys 3-4");
    let pressed = |desk: &mut Desk| {
        let text =
            desk.ask("SELECT ref FROM events WHERE kind='cc' AND tick = 3840 AND value = 127");
        text.lines().nth(1).map(str::to_owned)
    };
    let before = pressed(&mut desk);
    assert!(before.is_some());
    desk.run("pedal Keys 1-2");
    assert_eq!(pressed(&mut desk), before);
    // The pedal that ends is released before the other is pressed.
    let values = desk.ask("SELECT value FROM events WHERE kind='cc' AND tick = 3840 ORDER BY nth");
    assert_eq!(
        values.lines().skip(1).take(2).collect::<Vec<_>>(),
        ["0", "127"]
    );
}

#[test]
fn a_phrase_or_grid_that_is_written_again_keeps_its_notes() {
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    desk.run("track add Drums instrument:standard-kit");
    desk.run("phrase Keys \"E4/h F4\" at:1");
    desk.run("grid Drums kick x...x... at:1");
    let notes = |desk: &mut Desk| desk.ask("SELECT ref, tick, pitch FROM notes ORDER BY ref");
    let before = notes(&mut desk);
    for op in [
        "phrase Keys \"E4/h F4\" at:1 replace:on",
        "grid Drums kick x...x... at:1 replace:on",
    ] {
        let text = desk.run(op);
        assert!(!text.contains("replaced"), "{text}");
        assert_eq!(notes(&mut desk), before, "{op}");
    }
    // Only the one that differs is replaced.
    let text = desk.run("phrase Keys \"E4/h G4\" at:1 replace:on");
    assert!(text.contains("(2 notes, 1 replaced)"), "{text}");
    let kept = before.lines().filter(|line| line.ends_with("| 64"));
    let now = notes(&mut desk);
    assert!(
        kept.clone().count() == 1 && kept.into_iter().all(|line| now.contains(line)),
        "{now}"
    );
}

#[test]
fn a_tempo_replaced_at_the_start_is_set_again_after_moved_bars() {
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    for op in [
        "note Keys C4 at:6",
        "tempo 100",
        "tempo 90 at:3",
        "tempo 100 at:5",
    ] {
        desk.run(op);
    }
    let tempos = |desk: &mut Desk, at: &str| {
        let text = desk.ask(&format!("SELECT ref FROM tempo{at}"));
        let lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        lines
    };
    let first = tempos(&mut desk, " WHERE at = 0");
    let text = desk.run("bars move 1-3 to:7");
    assert!(text.contains("(replaces tempo 100)"), "{text}");
    assert!(tempos(&mut desk, "").contains(&first[0]), "{text}");
    assert!(
        !tempos(&mut desk, " WHERE at = 0").contains(&first[0]),
        "{text}"
    );
}

#[test]
fn of_several_tempos_at_a_tick_the_last_one_is_written_in_scores() {
    let mut desk = Desk::new();
    desk.act("new tempo:100");
    for op in [
        "track add Keys",
        "phrase Keys \"(C4/w)*4\"",
        "tempo 120 at:2",
        "tempo 90 at:3",
        "move @type:tempo @range:2 to:3",
    ] {
        desk.run(op);
    }
    assert!(desk.ask("at 3.2").contains("tempo:120"));
    desk.act("export abc as:x.abc");
    let text = std::fs::read_to_string(desk.root.path().join("x.abc")).unwrap();
    assert!(
        text.contains("[Q:1/4=120]") && !text.contains("[Q:1/4=90]"),
        "{text}"
    );
}

/// Events of a channel, with the tick of each, as the content of a track.
fn track_of(events: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for (tick, event) in events {
        let delta = tick - last;
        last = *tick;
        bytes.extend([0x80 | (delta >> 7) as u8, (delta & 0x7f) as u8]);
        bytes.extend(event);
    }
    bytes.extend(b"\0\xff\x2f\0");
    bytes
}

/// The bytes of events at some ticks, in the order of the file.
fn carried(desk: &Desk, ticks: &std::ops::Range<u64>) -> Vec<String> {
    let text = desk.events();
    let events = text.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let tick: u64 = words.next()?.parse().ok()?;
        let bytes = words.next()?;
        (ticks.contains(&tick) && !bytes.starts_with("ff2f")).then(|| bytes.to_owned())
    });
    events.collect()
}

/// A program before its bank, a pedal that is released in its tick, a note that starts before a
/// program, and two that end in the order they began.
fn mixed() -> Vec<(u32, Vec<u8>)> {
    let events: [(u32, &[u8]); 16] = [
        (480, b"\xc0\x05"),
        (480, b"\xb0\0\x01"),
        (480, b"\xff\x05\x02la"),
        (480, b"\x90\x43\x40"),
        (480, b"\xb0\x40\x7f"),
        (480, b"\xe0\0\x50"),
        (480, b"\xb0\x40\0"),
        (480, b"\xf0\x03\x43\x12\xf7"),
        (480, b"\x90\x40\x40"),
        (480, b"\xa0\x40\x11"),
        (480, b"\xc0\x06"),
        (960, b"\x90\x45\x40"),
        (960, b"\x90\x40\0"),
        (960, b"\xb0\x07\x11"),
        (960, b"\x90\x43\0"),
        (1200, b"\x90\x45\0"),
    ];
    events
        .iter()
        .map(|(tick, bytes)| (*tick, bytes.to_vec()))
        .collect()
}

/// Ops that move or copy all that starts in the first bar, and the ticks where it is then.
const CARRY: &[(&str, std::ops::Range<u64>)] = &[
    ("move @type:any by:+1bar", 1_920..9_999),
    ("move @type:any to:4.2", 0..99_999),
    ("modify @type:any at:+1bar", 1_920..9_999),
    ("stretch @type:any 200%", 0..99_999),
    ("stretch @type:any 50%", 0..99_999),
    ("copy @type:any to:4.2", 5_760..99_999),
    ("copy @type:any @range:1 to:4 times:2", 5_760..7_680),
    ("bars copy 1 to:end", 1_921..99_999),
];

#[test]
fn events_moved_or_copied_together_keep_their_order() {
    let bytes = file(1, 480, &[END, &track_of(&mixed())]);
    for (op, there) in CARRY {
        let mut desk = Desk::on(&bytes);
        let before = carried(&desk, &(0..99_999));
        desk.run(op);
        assert_eq!(carried(&desk, there), before, "{op}");
        desk.settles(op);
    }
}

#[test]
fn a_track_that_is_copied_split_or_merged_keeps_the_order_of_its_events() {
    let named = [b"\0\xff\x03\x01X", track_of(&mixed()).as_slice()].concat();
    let bytes = file(1, 480, &[END, &named]);
    let of_chunk = |desk: &Desk, chunk: &str| {
        let text = desk.events();
        let lines = text.lines().filter_map(|line| line.strip_prefix(chunk));
        // On another channel, and without its name.
        let lines = lines.map(|line| {
            let (tick, bytes) = line.split_once(' ').unwrap();
            let is_meta = bytes.starts_with('f');
            let status = if is_meta { &bytes[..2] } else { &bytes[..1] };
            format!("{tick} {status} {}", &bytes[2..])
        });
        let lines = lines.filter(|line| !line.contains(" ff 03") && !line.contains(" ff 2f"));
        lines.collect::<Vec<String>>()
    };
    let mut desk = Desk::on(&bytes);
    let before = of_chunk(&desk, "1 ");
    desk.run("track copy X as:Two");
    assert_eq!(of_chunk(&desk, "2 "), before);
    desk.settles("track copy");

    let mut desk = Desk::on(&bytes);
    desk.run("track split X by:pitch:F4 as:High,Low");
    let low = of_chunk(&desk, "2 ");
    let expected = before.iter().filter(|line| {
        // A copy of the settings, and the notes of the other part.
        !line.contains(" f") && !line.contains(" 9 43") && !line.contains(" 9 45")
    });
    assert_eq!(low.iter().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    desk.settles("track split");

    let mut desk = Desk::on(&bytes);
    desk.run("track add Empty");
    desk.run("track merge Empty,X");
    assert_eq!(of_chunk(&desk, "1 "), before);
    desk.settles("track merge");
}

#[test]
fn notes_without_a_length_keep_their_ends() {
    // Sixty of one pitch at one tick, on three channels.
    let note = |nth: usize| {
        let channel = [2, 0, 1, 1, 0, 2, 2][nth % 7];
        [0, 0x90 | channel, 60, 100, 0, 0x80 | channel, 60, 1]
    };
    let events: Vec<u8> = (0..60).flat_map(note).collect();
    let bytes = single(&[&events[..], b"\0\xff\x2f\0"].concat());
    for op in [
        "UPDATE notes SET pitch = pitch + rowid % 24 WHERE rowid % 8 = 7",
        "move @where:\"rowid % 3 = 1\" by:+1bar",
        "copy @where:\"rowid % 5 < 2\" to:3.1",
        "modify @where:\"rowid % 4 = 0\" ch:7",
    ] {
        let mut desk = Desk::on(&bytes);
        desk.run(op);
        let written = desk.bytes();
        let file = Smf::parse(&written).unwrap();
        let count = |ends: bool| {
            let of = |event: &&TrackEvent<'_>| match event.kind {
                TrackEventKind::Midi { message, .. } => match message {
                    MidiMessage::NoteOn { .. } => !ends,
                    MidiMessage::NoteOff { .. } => ends,
                    _ => false,
                },
                _ => false,
            };
            file.tracks.iter().flatten().filter(of).count()
        };
        assert!(count(false) >= 60, "{op}");
        assert_eq!(count(true), count(false), "{op}");
        desk.settles(op);
    }
}

/// A track with notes, of which two have each pitch, and other events. Each has its tick, counted in
/// beats of four, and a number that orders it within the tick.
fn mixture(notes: Notes, others: Vec<(u32, usize, u32)>) -> Vec<u8> {
    let kinds: [&[u8]; 8] = [
        b"\xc0\x05",
        b"\xb0\0\x01",
        b"\xb0\x20\x01",
        b"\xb0\x40\x7f",
        b"\xe0\0\x50",
        b"\xff\x05\x01a",
        b"\xf0\x01\xf7",
        b"\xff\x01\x01t",
    ];
    let mut events = Vec::new();
    for (pitch, (start, length, on, off)) in (60_u8..).zip(notes) {
        // Two notes of a pitch may meet.
        let pitch = 60 + pitch / 2;
        events.push((start * 120, on, vec![0x90, pitch, 64]));
        // A note without a length ends after its start.
        let off = if length == 0 { 100 + off } else { off };
        events.push(((start + length) * 120, off, vec![0x80, pitch, 64]));
    }
    for (at, kind, order) in others {
        events.push((at * 120, order, kinds[kind].to_vec()));
    }
    events.sort();
    let events: Vec<(u32, Vec<u8>)> = events
        .into_iter()
        .map(|(tick, _, event)| (tick, event))
        .collect();
    file(1, 480, &[END, &track_of(&events)])
}

/// Start, length and the orders of note-on and note-off.
type Notes = Vec<(u32, u32, u32, u32)>;

/// All events by midly, each with its tick; pitches that were raised as they were before.
fn lowered(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    for track in Smf::parse(bytes).unwrap().tracks {
        let mut at = 0;
        for event in track {
            at += event.delta.as_int();
            let mut kind = event.kind;
            if let TrackEventKind::Midi { message, .. } = &mut kind
                && let MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } = message
                && *key >= 110
            {
                *key = (key.as_int() - 20).into();
            }
            all.push(format!("{at} {kind:?}"));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn songs_moved_by_a_bar_have_the_same_messages(
        notes in proptest::collection::vec((0_u32..12, 0_u32..12, 0_u32..100, 0_u32..100), 0..14),
        others in proptest::collection::vec((0_u32..12, 0_usize..8, 0_u32..100), 0..14),
    ) {
        let bytes = mixture(notes, others);
        for (op, there) in [("move @type:any by:+1bar", 1_920..99_999), ("copy @type:any to:9", 15_360..99_999_u64)] {
            let mut desk = Desk::on(&bytes);
            let before = carried(&desk, &(0..15_360));
            let answer = desk.session.run(&[op.to_owned()], None);
            prop_assume!(!answer.is_error && !answer.text.contains("merged") && !answer.text.contains("stray") && !answer.text.contains("stuck"));
            prop_assert_eq!(carried(&desk, &there), before, "{}", op);
            desk.settles(op);
        }
    }

    #[test]
    fn notes_with_another_pitch_keep_their_places(
        notes in proptest::collection::vec((0_u32..12, 0_u32..12, 0_u32..100, 0_u32..100), 1..14),
        others in proptest::collection::vec((0_u32..12, 0_usize..8, 0_u32..100), 0..14),
        chosen in proptest::collection::vec(any::<bool>(), 14),
    ) {
        let bytes = mixture(notes, others);
        let mut desk = Desk::on(&bytes);
        let ids = desk.song().notes.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        let ids: Vec<String> = ids.map(|((id, _), _)| format!("#{}", id.number())).collect();
        prop_assume!(!ids.is_empty());
        let refs = ids.join("','");
        for op in [
            format!("modify {} pitch:+20", ids.join(",")),
            format!("UPDATE notes SET pitch=pitch+20 WHERE ref IN ('{refs}')"),
        ] {
            desk.run(&op);
            prop_assert_eq!(lowered(&desk.bytes()), lowered(&bytes), "{}", op);
            desk.settles(&op);
            desk.act("undo");
        }
    }
}
