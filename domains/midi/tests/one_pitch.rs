//! Notes of one pitch that overlap as only files have them, and ops that change some of them: the
//! saved file opens with the same content, and only what the op names changes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use fcp::endpoint::Endpoint;
use fcp::model::Id;
use fcp::testing::{Walk, walk_ops};
use fcp_midi::model::{Chunk, Note};
use fcp_midi::values::{Channel, Pitch};

use crate::support::Desk;
use crate::support::smf_build::{END, file, single};

/// A track of few ticks and one or two pitches: overlaps, twins, notes without length, notes
/// without an end, stray note-offs, and events between them.
fn track(random: &mut Walk) -> Vec<u8> {
    let (pitches, steps) = (random.below(2) + 1, random.below(3) + 2);
    // With many notes, they change together.
    let events = if random.below(16) == 0 {
        300
    } else {
        random.below(12) + 3
    };
    let mut bytes = Vec::new();
    for _ in 0..events {
        bytes.push(random.below(steps) as u8);
        let pitch = 60 + random.below(pitches) as u8;
        let velocity = random.below(126) as u8 + 1;
        match random.below(16) {
            0..=7 => bytes.extend([0x90, pitch, velocity]),
            8..=10 => bytes.extend([0x90, pitch, 0]),
            11..=14 => bytes.extend([0x80, pitch, velocity]),
            _ => bytes.extend([0xb0, 7, velocity]),
        }
    }
    single(&[&bytes, END].concat())
}

/// A track of one or two pitches whose notes overlap, and all end.
fn plain_track(random: &mut Walk) -> Vec<u8> {
    let pitches = random.below(2) + 1;
    let mut open = [0_usize; 2];
    let mut bytes = Vec::new();
    for _ in 0..random.below(12) + 4 {
        let nth = random.below(pitches);
        bytes.push(random.below(6) as u8 + 1);
        let velocity = random.below(126) as u8 + 1;
        let starts = open[nth] == 0 || random.below(2) == 0;
        bytes.extend([if starts { 0x90 } else { 0x80 }, 60 + nth as u8, velocity]);
        open[nth] = if starts { open[nth] + 1 } else { open[nth] - 1 };
        // Some start together.
        if starts && random.below(4) == 0 {
            bytes.extend([0, 0x90, 60 + nth as u8, 9]);
            open[nth] += 1;
        }
    }
    for (nth, open) in open.into_iter().enumerate() {
        for velocity in 0..open {
            bytes.extend([
                random.below(3) as u8 + 1,
                0x80,
                60 + nth as u8,
                velocity as u8,
            ]);
        }
    }
    single(&[&bytes, END].concat())
}

/// A note of a file: its start, its end, and its velocity.
type Sounds = (u64, Option<u64>, u8);

/// The notes of each pitch.
fn sounding(desk: &Desk) -> std::collections::BTreeMap<u8, Vec<Sounds>> {
    let mut all: std::collections::BTreeMap<u8, Vec<Sounds>> = std::collections::BTreeMap::new();
    for (_, note) in desk.song().notes.iter() {
        let end = note.dur.map(|dur| note.at + dur);
        let own = all.entry(note.pitch.get()).or_default();
        own.push((note.at, end, note.velocity.get()));
    }
    all.values_mut().for_each(|own| own.sort_unstable());
    all
}

#[test]
fn notes_of_several_chunks_that_meet_in_one_end_as_reported() {
    let mut random = Walk::new(41);
    let (mut met, mut apart) = (0, 0);
    for round in 0..600 {
        // The bytes after the header and the head of the only chunk.
        let mut chunks: Vec<Vec<u8>> = Vec::new();
        for _ in 0..=random.below(3) {
            chunks.push(track(&mut random).split_off(22));
        }
        let chunks: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
        let mut desk = Desk::on(&file(1, 96, &chunks));
        let (before, bytes) = (sounding(&desk), desk.bytes());
        let reply = desk.act("save as:one.mid smf:0");
        desk.settles(&format!("round {round}: {reply}"));
        let after = sounding(&desk);
        let count = |what: &str| -> usize {
            let (_, counts) = reply
                .split_once("overlapping notes:")
                .unwrap_or(("", &reply));
            let words: Vec<&str> = counts.split([' ', ',', '\n']).collect();
            let at = words.iter().position(|word| *word == what);
            at.map_or(0, |at| words[at - 1].parse().unwrap_or(0))
        };
        if !reply.contains("overlapping notes:") {
            assert_eq!(before, after, "round {round}: {reply}");
            apart += 1;
            continue;
        }
        met += 1;
        let counts = [&before, &after].map(|all| all.values().map(Vec::len).sum::<usize>());
        assert_eq!(
            counts[0] - counts[1],
            count("merged"),
            "round {round}: {reply}"
        );
        let mut shortened = 0;
        for (pitch, notes) in after {
            for (at, end, velocity) in notes {
                let own: Vec<Sounds> = before[&pitch]
                    .iter()
                    .filter(|own| own.0 == at)
                    .copied()
                    .collect();
                // A note without an end sounds forever.
                let ends = own.iter().any(|own| own.1 == end);
                let starts = before[&pitch].iter().any(|own| Some(own.0) == end);
                assert!(
                    ends || starts,
                    "round {round}: {pitch} at {at} {end:?}\n{reply}"
                );
                assert!(own.iter().any(|own| own.2 == velocity));
                shortened += usize::from(!ends);
            }
        }
        assert!(shortened <= count("shortened"), "round {round}: {reply}");
        desk.act("undo");
        assert!(desk.bytes() == bytes);
        // If a setting refuses overlaps, nothing is written.
        desk.act("set overlap:refuse");
        let answer = desk.session.act("save as:two.mid smf:0");
        assert_eq!(
            answer.is_error,
            count("shortened") + count("merged") > 0,
            "{reply}\n{}",
            answer.text
        );
        if answer.is_error {
            assert!(
                answer
                    .text
                    .contains("overlap:refuse is set\n  try: ! set overlap:cut"),
                "{}",
                answer.text
            );
            assert!(desk.bytes() == bytes && !desk.root.path().join("two.mid").exists());
        }
    }
    assert!(met > 100 && apart > 100, "{met} met, {apart} did not");
}

/// The notes of a track by its number, each pitch in order, moved back by `by` ticks.
fn on_track(desk: &Desk, number: usize, by: u64) -> Vec<(u8, u64, Option<u64>, u8, u8)> {
    let song = desk.song();
    let track = song.tracks.iter().nth(number - 1).unwrap().0;
    let notes = song.notes.iter().filter(|(_, note)| note.track == track);
    let mut notes: Vec<&Note> = notes.map(|(_, note)| note).collect();
    notes.sort_by_key(|note| (note.pitch, note.onset()));
    let fields = |note: &Note| {
        let (pitch, velocity) = (note.pitch.get(), note.velocity.get());
        (pitch, note.at - by, note.dur, velocity, note.off)
    };
    notes.into_iter().map(fields).collect()
}

#[test]
fn notes_that_move_together_keep_their_overlaps() {
    let mut random = Walk::new(43);
    let mut kept = 0;
    for round in 0..400 {
        let whole = round % 2 == 0;
        let track = if whole { plain_track } else { track };
        let chunk = track(&mut random).split_off(22);
        let mut desk = Desk::on(&file(1, 96, &[&chunk]));
        let before = on_track(&desk, 1, 0);
        if before.is_empty() {
            continue;
        }
        let bytes = desk.bytes();
        // Existing overlaps are not refused.
        if round % 3 == 0 {
            desk.act("set overlap:refuse");
        }
        // Any content moves unchanged to an empty channel.
        let mut cases = vec![
            (&["modify track:1 ch:5"][..], 1, 0),
            (&["modify @track:1 ch:5"], 1, 0),
        ];
        if whole {
            cases.extend([
                (&["move @track:1 by:+ticks:40"][..], 1, 40),
                (&["track copy 1 as:Copy"], 2, 0),
                (&["track add Other", "move @track:1 on:Other"], 2, 0),
                (&["track add Other", "track merge Other,1"], 1, 0),
            ]);
        }
        for (ops, number, by) in cases {
            let mut log = format!("round {round}");
            for op in ops {
                let text = desk.run(op);
                log.push_str(&format!("\n{op}\n{text}"));
                let has = |what: &str| text.contains(what);
                assert!(!has("shortened") && !has("merged"), "{log}");
            }
            assert_eq!(on_track(&desk, number, by), before, "{log}");
            desk.settles(&log);
            desk.act(&format!("undo {}", ops.len()));
            assert!(desk.bytes() == bytes, "{log}");
        }
        let overlap = |two: &[(u8, u64, Option<u64>, u8, u8)]| {
            let end = two[0].1 + two[0].2.unwrap_or(0);
            two[0].0 == two[1].0 && (end > two[1].1 || two[0].1 == two[1].1)
        };
        kept += usize::from(whole && before.windows(2).any(overlap));
    }
    assert!(kept > 100, "only {kept} had overlaps of notes that all end");
}

#[test]
fn stuck_notes_and_stray_ends_keep_no_note_from_moving_along() {
    // Two notes that start together, one of them stuck; two that overlap, and a stray end where
    // the second will end.
    let stuck = [
        &[0, 0x90, 60, 64, 0, 0x90, 60, 70, 48, 0x80, 60, 1][..],
        END,
    ];
    let stray = [
        &[0, 0x90, 60, 64, 10, 0x90, 60, 70, 10, 0x80, 60, 1][..],
        &[10, 0x80, 60, 2, 10, 0x80, 60, 3],
        END,
    ];
    let mut random = Walk::new(47);
    let mut files = vec![(single(&stuck.concat()), 10), (single(&stray.concat()), 10)];
    // In any content, if the notes move beyond all stray ends.
    files.extend((0..200).map(|_| (track(&mut random), 4000)));
    for (file, by) in files {
        for op in [
            format!("move @all by:+ticks:{by}"),
            format!("UPDATE notes SET tick=tick+{by}"),
        ] {
            let mut desk = Desk::on(&file);
            let before = on_track(&desk, 1, 0);
            if before.is_empty() {
                continue;
            }
            let bytes = desk.bytes();
            let text = desk.run(&op);
            let log = format!("{op}\n{text}");
            for lost in ["shortened", "merged", "gone"] {
                assert!(!text.contains(lost), "{log}");
            }
            assert_eq!(on_track(&desk, 1, by), before, "{log}");
            desk.settles(&log);
            desk.act("undo");
            assert!(desk.bytes() == bytes, "{log}");
        }
    }
}

#[test]
fn a_note_without_length_moves_along_with_its_twin() {
    // A note without length, one that starts with it and lasts, and one at each of their ends.
    let track = [
        &[10, 0x90, 60, 50, 0, 0x80, 60, 1, 0, 0x90, 60, 70][..],
        &[20, 0x80, 60, 2, 0, 0x90, 60, 80, 9, 0x80, 60, 3],
        END,
    ];
    for op in [
        "move @all by:+ticks:40",
        "UPDATE notes SET tick=tick+40",
        "modify @all at:=tick+40",
    ] {
        let mut desk = Desk::on(&single(&track.concat()));
        let before = on_track(&desk, 1, 0);
        assert_eq!(before.len(), 3);
        let text = desk.run(op);
        assert!(
            !text.contains("gone") && !text.contains("merged"),
            "{op}\n{text}"
        );
        assert_eq!(on_track(&desk, 1, 40), before, "{op}");
        desk.settles(op);
    }
}

#[test]
fn new_overlaps_are_cut_and_old_ones_are_not() {
    // Two that overlap, from 1.1 to 1.3 and from 1.2 to 1.4, and one that comes between: first on
    // another channel.
    let track = b"\0\x90\x3c\x50\x60\x90\x3c\x51\x60\x80\x3c\x11\x60\x80\x3c\x22";
    let desk = || Desk::on(&file(1, 96, &[&[&track[..], END].concat()]));
    let ends = |desk: &Desk| -> Vec<(u64, Option<u64>)> {
        let notes = on_track(desk, 1, 0).into_iter();
        notes.map(|(_, at, dur, ..)| (at, dur)).collect()
    };
    for (at, counts, came) in [
        (
            240,
            "(1 shortened)",
            [(0, Some(192)), (96, Some(144)), (240, Some(48))],
        ),
        (
            144,
            "(2 shortened)",
            [(0, Some(144)), (96, Some(48)), (144, Some(48))],
        ),
        (
            48,
            "(2 shortened)",
            [(0, Some(48)), (48, Some(48)), (96, Some(192))],
        ),
        (288, "", [(0, Some(192)), (96, Some(192)), (288, Some(48))]),
    ] {
        let mut desk = desk();
        desk.run(&format!(
            "note 1 C4 at:tick:{at} dur:ticks:{} ch:7",
            if at == 48 { 96 } else { 48 }
        ));
        let text = desk.run("modify @channel:1 ch:7");
        assert!(
            text.starts_with(
                &format!("@ Modified 2 notes on ch-1: ch 7 {counts}")
                    .trim_end()
                    .to_owned()
            ),
            "{text}"
        );
        assert_eq!(ends(&desk), came, "{at}: {text}");
        desk.settles(&text);
        // A change is refused if it would cut notes.
        desk.act("undo");
        desk.act("set overlap:refuse");
        let answer = desk
            .session
            .run(&["modify @channel:1 ch:7".to_owned()], None);
        assert_eq!(answer.is_error, !counts.is_empty(), "{}", answer.text);
    }
}

/// An op on one note or on several.
fn op(random: &mut Walk, notes: &[String]) -> String {
    let mut some = || -> String {
        match random.below(4) {
            0 => "@all".to_owned(),
            1 => format!("@pitch:{}", 60 + random.below(2)),
            _ => {
                let ix = random.below(notes.len());
                notes.get(ix).cloned().unwrap_or("@all".to_owned())
            }
        }
    };
    let (one, other) = (some(), some());
    let (tick, step) = (random.below(24), random.below(9) + 1);
    let pitch = 60 + random.below(2);
    let velocity = random.below(126) + 1;
    match random.below(31) {
        0..=5 => format!("modify {one} dur:ticks:{step}"),
        6 => format!("modify {one} dur:+ticks:{step}"),
        7 => format!("modify {one} dur:-ticks:{step}"),
        8 | 9 => format!("modify {one} at:tick:{tick}"),
        10 => format!("modify {one} at:+ticks:{step} dur:ticks:{step}"),
        11 => format!("modify {one} at:-ticks:{step}"),
        12 => format!("modify {one} pitch:{pitch}"),
        13 => format!("modify {one} vel:{velocity}"),
        14 => format!("modify {one} off:{velocity}"),
        15 => format!("move {one} to:tick:{tick}"),
        16 => format!("remove {one}"),
        17 | 18 => format!("note 1 {pitch} at:tick:{tick} dur:ticks:{step} off:{velocity}"),
        19 => format!("transpose {one} +1"),
        20 => format!("transpose {other} -1"),
        21 => format!("copy {one} to:tick:{tick}"),
        22 => format!("length {one} ticks:{step}"),
        23 => format!("length {one} {}%", step * 20),
        24 => format!("stretch {one} {}%", step * 25),
        25 => format!("reverse {one}"),
        26 => format!("modify {one} ch:{}", random.below(2) + 1),
        27 => format!(
            "raw 1 {}3C{:02X} at:tick:{tick}",
            ["80", "90"][pitch - 60],
            velocity * (61 - pitch)
        ),
        28 => "modify @type:raw at:+ticks:2".to_owned(),
        29 => format!("length {one} legato"),
        _ => format!(
            "fix {}",
            ["overlaps", "stuck", "zero", "duplicates", "offs"][random.below(5)]
        ),
    }
}

fn rows(desk: &Desk) -> Vec<(Id<Note>, Note)> {
    let notes = desk.song().notes.iter();
    notes.map(|(id, note)| (id, note.clone())).collect()
}

/// The span of a note: its voice, its start and its end.
fn span(note: &Note) -> (Id<Chunk>, Channel, Pitch, u64, Option<u64>) {
    (note.chunk, note.channel, note.pitch, note.at, note.dur)
}

/// The starts and ends of unchanged notes, in order.
fn order(rows: &[(Id<Note>, Note)], others: &[(Id<Note>, Note)]) -> Vec<(Id<Note>, bool)> {
    let mut places = Vec::new();
    for (id, note) in rows {
        let stays = others.iter().find(|(other, _)| other == id);
        if stays.is_some_and(|(_, other)| span(other) == span(note)) {
            places.push((note.onset(), *id, false));
            places.extend(note.dur.map(|_| (note.ending(), *id, true)));
        }
    }
    places.sort_unstable();
    places
        .into_iter()
        .map(|(_, id, is_end)| (id, is_end))
        .collect()
}

/// Whether a file can express that a note ends at a tick while all others stay, and none overlap
/// that did not before.
fn can_end(notes: &[(Id<Note>, Note)], own: &(Id<Note>, Note), end: u64) -> bool {
    let note = &own.1;
    let mut others = notes.iter().filter(|(id, other)| {
        let voice = |note: &Note| (note.chunk, note.channel, note.pitch);
        *id != own.0 && voice(other) == voice(note)
    });
    others.all(|(_, other)| match other.onset() < note.onset() {
        true => other.ending().0 <= end,
        false if other.at >= end => true,
        false => other.ending().0 > end && (other.at == note.at || other.at < note.ending().0),
    })
}

#[test]
fn notes_of_one_pitch_reopen_as_ops_left_them() {
    let mut kept = 0;
    for seed in 0..walk_ops(500, 50_000) {
        let mut random = Walk::new(seed as u64);
        let bytes = track(&mut random);
        let mut desk = Desk::on(&bytes);
        let mut log = format!("seed {seed}\n{}", desk.events());
        for _ in 0..6 {
            let notes = rows(&desk);
            let names: Vec<String> = notes
                .iter()
                .map(|(id, _)| format!("#{}", id.number()))
                .collect();
            let op = op(&mut random, &names);
            let before = desk.bytes();
            let answer = desk.session.run(std::slice::from_ref(&op), None);
            log.push_str(&format!("{op}\n{}", answer.text));
            desk.settles(&log);
            if answer.is_error {
                assert!(desk.bytes() == before, "{log}");
            } else if !answer.text.starts_with('=') {
                let now = rows(&desk);
                let named = |id: &Id<Note>| {
                    op.split(' ')
                        .any(|word| word == format!("#{}", id.number()))
                };
                if !op.contains('@') && !op.starts_with("fix") {
                    let unnamed: Vec<_> =
                        notes.iter().filter(|(id, _)| !named(id)).cloned().collect();
                    assert!(
                        order(&unnamed, &now) == order(&now, &unnamed),
                        "{log}: events changed their order:\n{}",
                        desk.events()
                    );
                }
                let one = notes.iter().find(|(id, _)| named(id));
                let one = one.filter(|_| {
                    op.starts_with("modify #") && op.contains(" dur:ticks") && !op.contains(" at:")
                });
                if let Some(own) = one {
                    let dur = op
                        .rsplit_once(':')
                        .and_then(|(_, dur)| dur.parse::<u64>().ok())
                        .unwrap();
                    if own.1.dur.is_some() && can_end(&notes, own, own.1.at + dur) {
                        let asked: Vec<_> = notes
                            .iter()
                            .map(|(id, note)| {
                                (*id, if *id == own.0 { Some(dur) } else { note.dur })
                            })
                            .collect();
                        let came: Vec<_> = now.iter().map(|(id, note)| (*id, note.dur)).collect();
                        assert_eq!(came, asked, "{log}");
                        kept += usize::from(notes.len() > 1);
                    }
                }
                let after = desk.bytes();
                desk.act("undo");
                assert!(desk.bytes() == before, "{log}");
                desk.act("redo");
                assert!(desk.bytes() == after, "{log}");
            }
        }
    }
    assert!(kept > 20, "only {kept} ends were free to move");
}

#[test]
fn an_op_keeps_earlier_overlaps_of_its_note() {
    // From 1.1 to 1.2, from 1.1.240 to a tick after 1.2, and from 1.2 to 1.3; the first ends after
    // the start of the last.
    let track = b"\0\x90\x3c\x50\x78\x90\x3c\x51\x78\x90\x3c\x52\0\x80\x3c\x11\x01\x80\x3c\x22\x81\x6f\x80\x3c\x33";
    let bytes = file(0, 240, &[&[&track[..], END].concat()]);
    let mut desk = Desk::on(&bytes);
    let before = desk.events();
    let text = desk.run("modify #5 dur:ticks:120");
    assert!(
        text.starts_with("* Note C4 on ch-1 at 1.2 dur:120 vel:82 off:51\n"),
        "{text}"
    );
    let gone = ["0 480 803c33", "0 480 ff2f00"];
    let came = ["0 360 803c33", "0 480 ff2f00"];
    let kept = before.replace(&gone.join("\n"), &came.join("\n"));
    assert_eq!(desk.events(), kept);
    desk.settles("the last");
    // The first ends where the last starts, as before; if the second must end sooner, the first
    // ends where that starts.
    let text = desk.run("modify #3 dur:ticks:300");
    assert!(text.starts_with("= nothing changed\n"), "{text}");
    let text = desk.run("modify #4 dur:ticks:20");
    assert!(
        text.contains("dur:20 vel:81 off:34 (1 shortened)\n"),
        "{text}"
    );
    let lengths: Vec<_> = rows(&desk).into_iter().map(|(_, note)| note.dur).collect();
    assert_eq!(lengths, [Some(120), Some(20), Some(120)]);
    desk.settles("the first");
    desk.act("undo 2");
    assert!(desk.bytes() == bytes);
}
