//! If bars are added, removed or copied, everything after a seam keeps its place in its bar, even
//! with meters inside bars, which end them early, and with repeated meters.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::support::{Desk, smf_build};
use fcp::endpoint::Endpoint;
use fcp_midi::smf::{Body, Chunk, File};

/// Ticks of a quarter note.
const PPQN: u64 = 12;

/// The number of quarters in each file, each with a note of a pitch of its own.
const QUARTERS: u64 = 60;

/// The pitch of a note in another pattern.
const OTHER: u8 = 5;

/// A meter: its tick, and the number of quarters in its bars.
type Meter = (u64, u8);

/// The length of the note on a quarter: less than a quarter, one, or more.
const fn lasts(quarter: u64) -> u64 {
    [6, PPQN, 3 * PPQN, 2 * PPQN][quarter as usize % 4]
}

/// A file of the meters and a note on each quarter: in one chunk, in three chunks that share both,
/// or in a pattern after one with other bars.
fn file(meters: &BTreeMap<u64, u8>, format: u16) -> Vec<u8> {
    let meter = |(at, beats): (&u64, &u8)| (*at, vec![0xff, 0x58, 4, *beats, 2, 24, 8]);
    let notes = (0..QUARTERS).zip(30_u8..).flat_map(|(quarter, pitch)| {
        let at = quarter * PPQN;
        let end = at + lasts(quarter);
        [(at, vec![0x90, pitch, 80]), (end, vec![0x80, pitch, 64])]
    });
    let mut events: Vec<(u64, Vec<u8>)> = meters.iter().map(meter).chain(notes).collect();
    events.sort_by_key(|(at, bytes)| (*at, bytes[0] == 0x90));
    let chunks = if format == 1 { 3 } else { 1 };
    let of = |(at, bytes): &(u64, Vec<u8>)| match bytes[0] {
        0xff => usize::try_from(*at).unwrap() % chunks,
        _ => usize::from(bytes[1]) % chunks,
    };
    let tracks = (0..chunks).map(|chunk| {
        let own = events.iter().filter(|event| of(event) == chunk);
        let own = own.map(|(at, bytes)| (u32::try_from(*at).unwrap(), &bytes[..]));
        smf_build::track(&own.collect::<Vec<_>>())
    });
    let mut tracks: Vec<Vec<u8>> = tracks.collect();
    if format == 2 {
        let other: [(u32, &[u8]); 9] = [
            (0, &[0xff, 0x58, 4, 5, 2, 24, 8]),
            (0, &[0x90, OTHER, 80]),
            (0, &[0xb0, 101, 0]),
            (0, &[0xb0, 100, 0]),
            (0, &[0xb0, 6, 12]),
            (40, &[0xb0, 6, 7]),
            (60, &[0xb0, 7, 80]),
            (90, &[0xb0, 6, 5]),
            (500, &[0x80, OTHER, 64]),
        ];
        tracks.insert(0, smf_build::track(&other));
    }
    let tracks: Vec<&[u8]> = tracks.iter().map(Vec::as_slice).collect();
    smf_build::file(format, u16::try_from(PPQN).unwrap(), &tracks)
}

/// The lengths of the notes of each pitch, wherever they are.
fn lengths(desk: &Desk) -> BTreeMap<u8, Vec<u64>> {
    let mut lengths: BTreeMap<u8, Vec<u64>> = BTreeMap::new();
    let notes = desk.song().notes.iter().map(|(_, note)| note);
    for note in notes.filter(|note| note.pitch.get() != OTHER) {
        let own = lengths.entry(note.pitch.get()).or_default();
        own.push(note.dur.unwrap());
    }
    lengths
}

/// The barlines up to a tick, found by walking over the bars, with their meters.
fn bars(meters: &[Meter], until: u64) -> Vec<Meter> {
    let (mut at, mut beats) = (0, 4);
    let mut bars = Vec::new();
    while at <= until {
        if let Some((_, own)) = meters.iter().rfind(|(tick, _)| *tick == at) {
            beats = *own;
        }
        bars.push((at, beats));
        let next = at + u64::from(beats) * PPQN;
        let mut inside = meters.iter().map(|(tick, _)| *tick);
        at = inside
            .find(|tick| (at + 1..next).contains(tick))
            .unwrap_or(next);
    }
    bars
}

/// For each pitch, wherever it is played: its distance from its barline, the length of that bar,
/// and its meter.
fn places(file: &File) -> BTreeMap<u8, Vec<(u64, u64, u8)>> {
    let (mut meters, mut notes) = (Vec::new(), Vec::new());
    let others = usize::from(file.header.format == 2);
    for chunk in file.chunks.iter().skip(others) {
        let Chunk::Track(track) = chunk else { continue };
        for event in &track.events {
            match &event.body {
                Body::Meta { kind: 0x58, bytes } => meters.push((event.tick, bytes[0])),
                Body::Channel { status: 0x90, data } if data[1] > 0 => {
                    notes.push((event.tick, data[0]));
                }
                _ => {}
            }
        }
    }
    let last = notes.iter().map(|(at, _)| *at).max().unwrap();
    let bars = bars(&meters, last + 100 * PPQN);
    let mut places: BTreeMap<u8, Vec<(u64, u64, u8)>> = BTreeMap::new();
    for (at, pitch) in notes {
        let bar = bars.partition_point(|(line, _)| *line <= at) - 1;
        let (line, beats) = bars[bar];
        let length = bars[bar + 1].0 - line;
        places
            .entry(pitch)
            .or_default()
            .push((at - line, length, beats));
    }
    places
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn all_keeps_its_place_in_its_bar(
        meters in proptest::collection::btree_map(0..QUARTERS * 4, 2_u8..=4, 0..8),
        (first, long, to) in (1_u64..10, 0_u64..3, 1_u64..12),
        which in 0_usize..6,
        format in 0_u16..3,
    ) {
        // Quarters of quarters; two in three are on whole ones.
        let place = |at: u64| if at.is_multiple_of(3) { at * PPQN / 4 } else { at / 4 * PPQN };
        let meters = meters.into_iter().map(|(at, beats)| (place(at), beats)).collect();
        let bytes = file(&meters, format);
        let mut desk = Desk::on(&bytes);
        let whole = desk.file();
        let before = places(&whole);
        let last = first + long;
        let op = match which {
            0 => format!("bars insert {} at:{to}", long + 1),
            1 => format!("bars delete {first}-{last}"),
            2 => format!("bars copy {first}-{last} to:{to}"),
            3 => format!("bars copy {first}-{last} to:{to} times:3"),
            4 => format!("bars copy {first}-{last} to:{to} mode:over"),
            _ => format!("bars move {first}-{last} to:{to}"),
        };
        let op = if format == 2 { format!("{op} on:2") } else { op };
        let answer = desk.session.run(std::slice::from_ref(&op), None);
        // Bars do not move into themselves.
        prop_assume!(answer.text.starts_with('@'));
        let meters: Vec<Meter> = meters.into_iter().collect();
        let lines = bars(&meters, 200 * PPQN);
        let line = |bar: u64| lines[usize::try_from(bar).unwrap() - 1].0;
        // A copy over other bars may end inside one, and leave a part of it.
        let end = line(to) + line(last + 1) - line(first);
        let rest = lines.partition_point(|(line, _)| *line < end);
        let cut = if which == 4 { end..lines[rest].0 } else { 0..0 };
        for (pitch, after) in places(&desk.file()) {
            let at = u64::from(pitch - 30) * PPQN;
            let own = &before[&pitch][0];
            // The last bar of a copy over other bars continues in the rest of one.
            let same = after.iter().all(|place| match which {
                4 => (place.0, place.2) == (own.0, own.2),
                _ => place == own,
            });
            prop_assert!(same || cut.contains(&at), "{}: note {} {:?} {:?}\n{}", op, pitch, own, after, answer.text);
        }
        // A note that ends at a seam or earlier keeps its length.
        let seams = [line(first), line(last + 1), line(to), end];
        for (pitch, after) in lengths(&desk) {
            let at = u64::from(pitch - 30) * PPQN;
            let dur = lasts(at / PPQN);
            let is_across = |seam: &u64| at < *seam && *seam < at + dur;
            let same = after.iter().all(|own| *own == dur);
            prop_assert!(same || seams.iter().any(is_across), "{}: note {} {} {:?}", op, pitch, dur, after);
        }
        if format == 2 {
            let first = |file: &File| format!("{:?}", file.chunks[0]);
            prop_assert_eq!(first(&desk.file()), first(&whole), "{}", op);
        }
        desk.act("undo");
        prop_assert_eq!(desk.bytes(), bytes);
    }
}

#[test]
fn the_end_of_a_track_inside_deleted_bars_goes_to_the_cut() {
    let notes = (0..16_u32).flat_map(|quarter| {
        let at = quarter * 96;
        let events: [(u32, &[u8]); 2] = [(at, &[0x90, 60, 80]), (at + 80, &[0x80, 60, 64])];
        events
    });
    let notes = smf_build::track(&notes.collect::<Vec<_>>());
    let notes = notes.strip_suffix(smf_build::END).unwrap();
    for (delta, bars, left) in [
        (&[10][..], "3-4", 768),
        (&[16], "3-4", 768),
        (&[16], "4", 1152),
        (&[0x83, 0x60], "3-4", 1232),
        (&[10], "1-2", 762),
    ] {
        let track = [notes, delta, &[0xff, 0x2f, 0]].concat();
        let mut desk = Desk::on(&smf_build::single(&track));
        desk.run(&format!("bars delete {bars}"));
        let Chunk::Track(track) = &desk.file().chunks[0] else {
            continue;
        };
        let end = track.end.as_ref().unwrap();
        assert_eq!(end.tick, left, "{delta:?} {bars}");
    }
}
