//! Chunks of format 1 with several channels, as in many files: each note sounds as its channel
//! does.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Desk;
use crate::support::smf_build::{file, track};
use fcp::testing::Walk;
use fcp_midi::smf::{self, Body, Chunk};

/// A chunk with most of its notes on channel 1, some on channel 5 and kicks on channel 10, each
/// with other settings.
fn mixed() -> Vec<u8> {
    let mut events: Vec<(u32, Vec<u8>)> = vec![
        (0, b"\xff\x03\x05Mixed".to_vec()),
        (0, vec![0xc9, 8]),
        (0, vec![0xb9, 7, 99]),
        (0, vec![0xc0, 73]),
        (0, vec![0xb0, 7, 80]),
        (0, vec![0xc4, 33]),
        (0, vec![0xb4, 7, 70]),
        (0, vec![0xe4, 0, 70]),
    ];
    let notes = [
        (0, 0, 60),
        (96, 0, 64),
        (192, 0, 61),
        (288, 0, 67),
        (0, 4, 40),
        (192, 4, 43),
        (0, 9, 36),
        (96, 9, 38),
    ];
    for (at, channel, pitch) in notes {
        events.push((at, vec![0x90 | channel, pitch, 90]));
        events.push((at + 96, vec![0x80 | channel, pitch, 64]));
    }
    // Ends before starts.
    events.sort_by_key(|(at, bytes)| (*at, bytes[0] >> 4 == 9));
    let events: Vec<(u32, &[u8])> = events.iter().map(|(at, own)| (*at, &own[..])).collect();
    track(&events)
}

/// A file of a conductor, that chunk, and other chunks.
fn desk(others: &[&[u8]]) -> Desk {
    let (head, mixed) = (track(&[(0, b"\xff\x03\x01T")]), mixed());
    let chunks: Vec<&[u8]> = [&head[..], &mixed]
        .into_iter()
        .chain(others.iter().copied())
        .collect();
    Desk::on(&file(1, 96, &chunks))
}

/// The pitches of a channel, and its settings.
type Heard = (Vec<u8>, BTreeSet<(u8, u8)>);

/// The pitches of each channel in all chunks, with its settings at the start: program and volume.
fn heard(bytes: &[u8]) -> BTreeMap<u8, Heard> {
    let file = smf::read(bytes).unwrap();
    let mut heard: BTreeMap<u8, Heard> = BTreeMap::new();
    for chunk in &file.chunks {
        let Chunk::Track(track) = chunk else { continue };
        for event in &track.events {
            let Body::Channel { status, data } = &event.body else {
                continue;
            };
            let own = heard.entry(status & 15).or_default();
            match status & 0xf0 {
                0x90 if data[1] > 0 => own.0.push(data[0]),
                0xb0 => drop(own.1.insert((7, data[1]))),
                0xc0 => drop(own.1.insert((0, data[0]))),
                _ => {}
            }
        }
    }
    heard.values_mut().for_each(|own| own.0.sort_unstable());
    heard
}

/// The pitches on a channel, counted from 1.
fn on(desk: &Desk, channel: u8) -> Vec<u8> {
    let heard = heard(&desk.bytes());
    heard
        .get(&(channel - 1))
        .map_or_else(Vec::new, |own| own.0.clone())
}

#[test]
fn drums_stay_when_tones_move() {
    let all = |desk: &Desk| [1, 5, 10].map(|channel| on(desk, channel));
    let cases: [(&str, &str, [&[u8]; 3]); 8] = [
        (
            "transpose @all +2",
            "@ Transposed 6 notes on Mixed up 2 semitones (2 drum notes left)",
            [&[62, 63, 66, 69], &[42, 45], &[36, 38]],
        ),
        (
            "transpose @all +2 drums:on",
            "@ Transposed 8 notes on Mixed up 2 semitones",
            [&[62, 63, 66, 69], &[42, 45], &[38, 40]],
        ),
        (
            "invert @all about:C4",
            "@ Inverted 6 notes on Mixed about C4 (2 drum notes left)",
            [&[53, 56, 59, 60], &[77, 80], &[36, 38]],
        ),
        (
            "invert @channel:10 about:D2 drums:on",
            "@ Inverted 2 notes on Mixed about snare",
            [&[60, 61, 64, 67], &[40, 43], &[38, 40]],
        ),
        (
            "snap @all to:C-minor",
            "@ Snapped 6 notes on Mixed to C-minor (3 moved) (2 drum notes left)",
            [&[60, 60, 63, 67], &[39, 43], &[36, 38]],
        ),
        (
            "snap @all to:Eb drums:on",
            "@ Snapped 8 notes on Mixed to Eb-major (3 moved)",
            [&[60, 60, 63, 67], &[39, 43], &[36, 38]],
        ),
        (
            "remove @scale:C",
            "- Removed 5 notes",
            [&[61], &[], &[36, 38]],
        ),
        (
            "remove @not:scale:C",
            "- Removed Note C#4 on Mixed at 1.3 dur:96 vel:90",
            [&[60, 64, 67], &[40, 43], &[36, 38]],
        ),
    ];
    for (op, left, drums) in [
        (
            "copy @all to:9 transpose:2",
            "2 drum notes",
            [36, 36, 38, 38],
        ),
        ("copy @all to:9 transpose:2 drums:on", "", [36, 38, 38, 40]),
        (
            "repeat @all times:1 transpose:2",
            "2 drum notes",
            [36, 36, 38, 38],
        ),
        (
            "repeat @all times:1 transpose:2 drums:on",
            "",
            [36, 38, 38, 40],
        ),
    ] {
        let mut desk = desk(&[]);
        let reply = desk.run(op);
        let left = match left {
            "" => String::new(),
            left => format!(" ({left} at their pitch; drums:on)\n"),
        };
        assert!(reply.contains(&left), "{op}: {reply}");
        assert_eq!(
            left.is_empty(),
            !reply.contains("drums:on"),
            "{op}: {reply}"
        );
        let [melody, _, kit] = all(&desk);
        assert!(
            melody.contains(&62) && kit == drums,
            "{op}: {melody:?} {kit:?}"
        );
    }
    for (op, line, wanted) in cases {
        let mut desk = desk(&[]);
        let reply = desk.run(op);
        assert!(reply.starts_with(&format!("{line}\n")), "{op}: {reply}");
        assert_eq!(all(&desk).each_ref().map(Vec::as_slice), wanted, "{op}");
    }
    let mut desk = desk(&[]);
    for op in ["transpose", "invert", "snap"] {
        let way = ["+1", "", "to:C"][usize::from(op == "invert") + 2 * usize::from(op == "snap")];
        let reply = desk.run(&format!("{op} @channel:10 {way}"));
        assert!(
            reply.starts_with("= ") && reply.contains("(2 drum notes left)"),
            "{op}: {reply}"
        );
    }
    // Without a key in effect, a tone is neither inside nor outside of it.
    desk.run("key-sig C at:1.3");
    assert_eq!(desk.ask("list @not:scale").lines().count(), 1);
    assert_eq!(desk.ask("list @scale").lines().count(), 2);
}

#[test]
fn a_note_is_named_by_its_channel() {
    let mut desk = desk(&[]);
    assert!(desk.ask("events Mixed").contains("1.1 kick q v90 ch:10"));
    assert!(
        desk.ask("list @pitch:kick")
            .starts_with("1.1 kick q v90 ch:10 Mixed")
    );
    assert!(
        desk.refused("remove @pitch:kick @channel:5")
            .contains("matches nothing")
    );
    desk.run("modify @pitch:kick pitch:crash");
    assert_eq!(on(&desk, 10), [38, 49]);
    desk.run("note Mixed cowbell at:2 ch:10");
    assert_eq!(on(&desk, 10), [38, 49, 56]);
    desk.refused("note Mixed cowbell at:2");
    // The ops that a query prints make the same notes.
    let reply = desk.ask("phrase Mixed grid:exact");
    assert!(reply.contains("crash-cymbal-1"), "{reply}");
    let before = heard(&desk.bytes());
    desk.run("remove @track:Mixed");
    for op in reply.lines() {
        desk.run(op);
    }
    assert_eq!(heard(&desk.bytes()), before);
    let chords = desk.ask("chords");
    assert!(
        desk.ask("at 1.1").contains("Mixed E2 C4 crash-cymbal-1"),
        "{}",
        desk.ask("at 1.1")
    );
    desk.run("remove @channel:10");
    assert_eq!(desk.ask("chords"), chords);
    assert!(desk.ask("stats").contains("pitches: E2-G4"));
}

#[test]
fn channel_and_instrument_belong_together() {
    let mut desk = desk(&[]);
    let line = "1. Mixed ch:1,5,10 flute | 8 notes E2-G4 vel 90-90 | 3 cc | bars 1-1";
    assert_eq!(desk.ask("tracks"), line);
    assert!(line.len() <= 100);
    assert!(
        desk.ask("map")
            .contains("\n    1. Mixed ch:1,5,10 flute (8 notes, 3 cc)\n")
    );
    let reply = desk.ask("describe Mixed");
    assert!(
        reply.starts_with(line) && reply.contains("\n  channels: 1, 5, 10\n"),
        "{reply}"
    );
    // Its instrument and its volume are those of its channel.
    assert!(
        desk.run("modify track:Mixed instrument:oboe volume:50")
            .starts_with("* Track Mixed: instrument oboe, volume 50\n")
    );
    let heard = heard(&desk.bytes());
    assert_eq!(heard[&0].1, [(0, 68), (7, 50)].into());
    assert_eq!(heard[&4].1, [(0, 33), (7, 70)].into());
    assert_eq!(heard[&9].1, [(0, 8), (7, 99)].into());
    // Channels that do not fit on the line are counted; one with many other events but few notes is
    // not the first.
    let mut events: Vec<(u32, Vec<u8>)> = Vec::new();
    for value in 0..40 {
        events.push((0, vec![0xb7, 11, value]));
    }
    for channel in 0..16 {
        events.push((0, vec![0x90 | channel, 60, 90]));
        events.push((96, vec![0x80 | channel, 60, 64]));
    }
    events.push((96, vec![0x92, 60, 90]));
    events.push((192, vec![0x82, 60, 90]));
    events.push((0, vec![0xc2, 40]));
    let events: Vec<(u32, &[u8])> = events.iter().map(|(at, own)| (*at, &own[..])).collect();
    let mut desk = Desk::on(&file(1, 96, &[&track(&[]), &track(&events)]));
    assert_eq!(
        desk.ask("tracks"),
        "1. violin ch:3,1,2,4+12 violin | 17 notes C4-C4 vel 90-90 | 40 cc | bars 1-1"
    );
}

#[test]
fn a_new_track_takes_a_channel_that_nothing_is_on() {
    let setting = track(&[
        (0, &[0xb1, 7, 90]),
        (0, &[0xc2, 5]),
        (0, &[0xe3, 0, 64]),
        (0, &[0xd5, 9]),
        (0, &[0x86, 60, 0]),
    ]);
    let mut desk = desk(&[&setting]);
    // 1, 5 and 10 have notes; 2, 3, 4, 6 and 7 other events.
    assert!(desk.run("track add New").starts_with("+ Track New ch:8 "));
    assert!(desk.run("track add Next").starts_with("+ Track Next ch:9 "));
    assert!(
        desk.run("track copy New as:Third")
            .starts_with("+ Track Third ch:11 ")
    );
    for name in ["A", "B", "C", "D", "E"] {
        desk.run(&format!("track add {name}"));
    }
    let reply = desk.refused("track add F");
    assert!(
        reply.contains("share one, which Mixed plays on\n  try: track add F ch:1"),
        "{reply}"
    );
}

#[test]
fn one_channel_with_two_instruments_is_reported_whatever_else_the_tracks_play() {
    let other = track(&[
        (0, b"\xff\x03\x05Other"),
        (0, &[0xc4, 50]),
        (0, &[0xc1, 20]),
        (0, &[0x91, 60, 90]),
        (0, &[0x91, 62, 90]),
        (0, &[0x94, 60, 90]),
        (9, &[0x84, 60, 0]),
        (9, &[0x81, 60, 0]),
        (9, &[0x81, 62, 0]),
    ]);
    let mut desk = desk(&[&other]);
    assert!(
        desk.ask("warnings")
            .contains("Other: shares ch:5 with Mixed, which plays electric-bass-finger"),
        "{}",
        desk.ask("warnings")
    );
    // Settings on a channel without notes are for other tracks.
    desk.run("remove @track:Other @channel:5");
    assert!(!desk.ask("warnings").contains("shares"));
}

#[test]
fn a_copy_keeps_channels_apart() {
    let mut desk = desk(&[]);
    let reply = desk.run("track copy Mixed as:Copy");
    assert!(
        reply.starts_with("+ Track Copy ch:2 flute (copy of Mixed, 8 notes; channel 5 -> 3)\n"),
        "{reply}"
    );
    let all = heard(&desk.bytes());
    assert_eq!(all[&0], all[&1]);
    assert_eq!(all[&4], all[&2]);
    assert_eq!(all[&9].0, [36, 36, 38, 38]);
    assert!(desk.ask("tracks").contains("2. Copy ch:2,3,10 flute"));
    // A requested channel may be one of its others.
    let reply = desk.run("track copy Mixed as:More ch:5");
    assert!(
        reply.contains("+ Track More ch:5 flute (copy of Mixed, 8 notes; channel 5 -> 4)"),
        "{reply}"
    );
    let reply = desk.refused("track copy Mixed as:Third ch:10");
    assert!(
        reply.contains("try: track copy Mixed as:Third ch:6"),
        "{reply}"
    );
    desk.refused("track copy Mixed as:Third instrument:standard-kit");
    desk.settles("copies");
}

#[test]
fn rows_that_stay_on_a_track_keep_their_channels() {
    for op in [
        "copy @range:1 to:2 on:Mixed",
        "move @range:1 to:2 on:Mixed",
        "modify @all on:Mixed",
    ] {
        let mut desk = desk(&[]);
        let before = heard(&desk.bytes());
        desk.run(op);
        let times = 1 + usize::from(op.starts_with("copy"));
        for (channel, (pitches, _)) in heard(&desk.bytes()) {
            let before: Vec<u8> = before[&channel]
                .0
                .iter()
                .flat_map(|own| vec![*own; times])
                .collect();
            assert_eq!(pitches, before, "{op}");
        }
    }
    // Collisions on the target channel are reported.
    let mut desk = desk(&[]);
    desk.run("note Mixed C4 ch:5 at:1 dur:h");
    let reply = desk.run("modify track:Mixed ch:5");
    assert!(
        reply.starts_with("* Track Mixed: ch 5 (1 merged)\n"),
        "{reply}"
    );
}

#[test]
fn all_channels_of_an_import_are_kept_apart() {
    let mut desk = desk(&[]);
    let bytes = desk.bytes();
    let before = heard(&bytes);
    std::fs::write(desk.root.path().join("other.mid"), &bytes).unwrap();
    let reply = desk.act("import other.mid at:2 prefix:\"B \"");
    assert!(reply.contains("channel 1 -> 2, 5 -> 3"), "{reply}");
    let after = heard(&desk.bytes());
    for (from, to) in [(0, 1), (4, 2)] {
        assert_eq!(after[&from], before[&from]);
        assert_eq!(after[&to], before[&from]);
    }
    assert_eq!(after[&9].0, [36, 36, 38, 38]);
    desk.settles("import");
}

#[test]
fn names_of_an_import_keep_their_encoding_behind_a_prefix() {
    let mut desk = desk(&[]);
    let name = "ピアノ".as_bytes();
    let events: [(u32, &[u8]); 3] = [
        (0, &[b"\xff\x03\x09", name].concat()),
        (0, &[0x90, 60, 64]),
        (96, &[0x80, 60, 64]),
    ];
    let bytes = file(1, 96, &[&track(&events)]);
    std::fs::write(desk.root.path().join("other.mid"), bytes).unwrap();
    desk.act("import other.mid at:2 prefix:B-");
    let bytes = desk.bytes();
    let named = [b"B-", name].concat();
    assert!(
        bytes.windows(named.len()).any(|own| own == named),
        "{bytes:?}"
    );
}

#[test]
fn parts_keep_the_settings_of_their_channels() {
    // The parts of each kind of split, and the channels of each with their pitches.
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "by:drum",
            "@ Split Mixed: Mixed (6 notes), Mixed-kick (1 note), Mixed-snare (1 note)",
            &[
                "1. Mixed ch:1,5 flute | 6 notes",
                "2. Mixed-kick ch:10 room-kit | 1 note",
                "3. Mixed-snare ch:10 room-kit | 1 note",
            ],
        ),
        (
            "by:channel",
            "@ Split Mixed: Mixed (4 notes), Mixed-ch-5 (2 notes), Mixed-ch-10 (2 notes)",
            &[
                "1. Mixed ch:1 flute | 4 notes",
                "2. Mixed-ch-5 ch:5 electric-bass-finger | 2 notes",
                "3. Mixed-ch-10 ch:10 room-kit | 2 notes",
            ],
        ),
        (
            "by:voice",
            "@ Split Mixed: Mixed (4 notes), Mixed-2 (4 notes)",
            &[
                "1. Mixed ch:1 flute | 4 notes",
                "2. Mixed-2 ch:5,10 electric-bass-finger | 4 notes",
            ],
        ),
        (
            "by:pitch:C#4",
            "@ Split Mixed: Mixed (3 notes), Mixed-2 (5 notes)",
            &[
                "1. Mixed ch:1 flute | 3 notes",
                "2. Mixed-2 ch:5,2,10 electric-bass-finger | 5 notes",
            ],
        ),
    ];
    for (way, line, tracks) in cases {
        let mut desk = desk(&[]);
        let before = heard(&desk.bytes());
        let reply = desk.run(&format!("track split Mixed {way}"));
        assert!(reply.starts_with(&format!("{line}\n")), "{way}: {reply}");
        let lines = desk.ask("tracks");
        for (wanted, line) in tracks.iter().zip(lines.lines()) {
            assert!(line.starts_with(wanted), "{way}: {lines}");
        }
        // Each pitch sounds as before: with the same program and volume.
        let after = heard(&desk.bytes());
        for (pitches, set) in before.values() {
            for pitch in pitches {
                let now = after.values().find(|own| own.0.contains(pitch)).unwrap();
                assert_eq!(&now.1, set, "{way}: {pitch}");
            }
        }
        desk.settles(way);
    }
    // On a drum track with tones the drums stay, and the tones move with their settings.
    let drums = track(&[
        (0, b"\xff\x03\x04Kits"),
        (0, &[0xc9, 8]),
        (0, &[0xc2, 40]),
        (0, &[0xb2, 7, 55]),
        (0, &[0x99, 36, 90]),
        (9, &[0x89, 36, 0]),
        (9, &[0x99, 38, 90]),
        (18, &[0x89, 38, 0]),
        (18, &[0x92, 70, 90]),
        (27, &[0x82, 70, 0]),
    ]);
    let mut desk = Desk::on(&file(1, 96, &[&track(&[]), &drums]));
    desk.run("track split Kits by:drum");
    let lines = desk.ask("tracks");
    for (line, wanted) in lines.lines().zip([
        "1. Kits ch:10 room-kit | 1 note kick-kick",
        "2. Kits-snare ch:10 room-kit | 1 note snare-snare",
        "3. Kits-rest ch:3 violin | 1 note A#4-A#4",
    ]) {
        assert!(line.starts_with(wanted), "{lines}");
    }
    assert!(desk.ask("events Kits-rest").contains("cc volume 55"));
    // The part that stays may have another channel than the track had.
    let mut desk = Desk::on(&file(1, 96, &[&track(&[]), &drums]));
    desk.run("track split Kits by:channel");
    assert!(
        desk.ask("tracks")
            .starts_with("1. Kits ch:3 violin | 1 note A#4-A#4"),
        "{}",
        desk.ask("tracks")
    );
}

/// A chunk of some channels, each with some notes of distinct pitches, with or without settings at
/// the start.
fn any_chunk(random: &mut Walk) -> Vec<u8> {
    let mut events: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut pitch = 20;
    for channel in [0, 1, 2, 5, 9, 15] {
        if random.below(2) == 0 {
            continue;
        }
        if random.below(3) > 0 {
            events.push((0, vec![0xc0 | channel, random.below(128) as u8]));
        }
        if random.below(3) > 0 {
            events.push((0, vec![0xb0 | channel, 7, random.below(128) as u8]));
        }
        for _ in 0..random.below(5) {
            let at = random.below(4) as u32 * 48;
            events.push((at, vec![0x90 | channel, pitch, 90]));
            events.push((at + 40, vec![0x80 | channel, pitch, 64]));
            pitch += 1;
        }
    }
    let events: Vec<(u32, &[u8])> = events.iter().map(|(at, own)| (*at, &own[..])).collect();
    track(&events)
}

/// A pitch, whether it is a drum, and the settings of its channel.
type Sounding = (u8, bool, BTreeSet<(u8, u8)>);

/// The count of each note with the settings of its channel, and whether that is the drum channel.
fn each(desk: &Desk) -> BTreeMap<Sounding, usize> {
    let mut each = BTreeMap::new();
    for (channel, (pitches, set)) in heard(&desk.bytes()) {
        for pitch in pitches {
            *each.entry((pitch, channel == 9, set.clone())).or_default() += 1;
        }
    }
    each
}

#[test]
fn every_note_sounds_as_it_did_whatever_becomes_of_its_track() {
    let mut random = Walk::new(11);
    let mut done = 0;
    for round in 0..400 {
        let mut desk = Desk::on(&file(1, 96, &[&track(&[]), &any_chunk(&mut random)]));
        let before = each(&desk);
        let (op, times) = match random.below(6) {
            0 => ("track copy 1 as:Other", 2),
            1 => ("track split 1 by:channel", 1),
            2 => ("track split 1 by:voice", 1),
            3 => ("track split 1 by:pitch:C2", 1),
            4 => ("track split 1 by:drum", 1),
            _ => ("import song.mid at:3", 2),
        };
        match op.starts_with("import") {
            true => desk.act(op),
            false => desk.run(op),
        };
        let mut wanted = before;
        wanted.values_mut().for_each(|n| *n *= times);
        assert_eq!(
            each(&desk),
            wanted,
            "round {round}: {op}\n{}",
            desk.events()
        );
        desk.settles(op);
        // A track is listed with its channel and its instrument.
        let heard = heard(&desk.bytes());
        for line in desk.ask("tracks").lines() {
            let Some((_, rest)) = line.split_once(" ch:") else {
                continue;
            };
            let (channels, rest) = rest.split_once(' ').unwrap();
            let own: u8 = channels.split(',').next().unwrap().parse().unwrap();
            let set = heard.get(&(own - 1)).map(|own| &own.1);
            let has_program = set.is_some_and(|set| set.iter().any(|(what, _)| *what == 0));
            let has_instrument = !rest.starts_with("no instrument");
            assert_eq!(
                has_instrument,
                has_program || own == 10,
                "round {round}: {op}: {line}"
            );
            done += 1;
        }
    }
    assert!(done > 400, "{done}");
}
