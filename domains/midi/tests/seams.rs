//! If bars are added, removed or copied, every note sounds as before: at the same tempo, in the
//! same meter, with the same program, controllers, bend and parameters.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Desk;
use fcp_midi::smf::{self, Body, Chunk};

/// The settings that a note is played with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Played {
    tempo: u32,
    meter: (u8, u8),
    /// With the bank that was selected when it came.
    program: (u8, u8, u8),
    bend: [u8; 2],
    controllers: BTreeMap<u8, u8>,
    parameters: BTreeMap<(u8, u8), u8>,
}

impl Default for Played {
    fn default() -> Self {
        Self {
            tempo: 500_000,
            meter: (4, 2),
            program: (0, 0, 0),
            bend: [0, 64],
            // Default values of receivers.
            controllers: [
                (0, 0),
                (1, 0),
                (7, 100),
                (10, 64),
                (11, 127),
                (32, 0),
                (64, 0),
            ]
            .into(),
            parameters: BTreeMap::new(),
        }
    }
}

/// The settings of each pitch of a file, wherever it is played. They are read from the bytes, with
/// no code of the domain but the codec.
fn played(bytes: &[u8]) -> BTreeMap<u8, BTreeSet<Played>> {
    let file = smf::read(bytes).unwrap();
    let mut events = Vec::new();
    for (place, chunk) in file.chunks.iter().enumerate() {
        let Chunk::Track(track) = chunk else { continue };
        for (ix, event) in track.events.iter().enumerate() {
            let is_note =
                matches!(event.body, Body::Channel { status, .. } if status & 0xe0 == 0x80);
            events.push((event.tick, is_note, place, ix, &event.body));
        }
    }
    events.sort_by_key(|event| (event.0, event.1, event.2, event.3));
    let mut channels: BTreeMap<u8, Played> = BTreeMap::new();
    let mut selected: BTreeMap<u8, (u8, u8)> = BTreeMap::new();
    let (mut tempo, mut meter) = (500_000, (4, 2));
    let mut all: BTreeMap<u8, BTreeSet<Played>> = BTreeMap::new();
    for (.., body) in events {
        match body {
            Body::Meta { kind: 0x51, bytes } => {
                tempo = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
            }
            Body::Meta { kind: 0x58, bytes } => meter = (bytes[0], bytes[1]),
            Body::Channel { status, data } => {
                let own = channels.entry(status & 15).or_default();
                let select = selected.entry(status & 15).or_insert((127, 127));
                match (status & 0xf0, data[0]) {
                    (0x90, pitch) if data[1] > 0 => {
                        let now = Played {
                            tempo,
                            meter,
                            ..own.clone()
                        };
                        all.entry(pitch).or_default().insert(now);
                    }
                    (0xb0, 101) => select.0 = data[1],
                    (0xb0, 100) => select.1 = data[1],
                    (0xb0, 6) => {
                        own.parameters.insert(*select, data[1]);
                    }
                    (0xb0, number) => {
                        own.controllers.insert(number, data[1]);
                    }
                    (0xc0, program) => {
                        own.program = (own.controllers[&0], own.controllers[&32], program);
                    }
                    (0xe0, _) => own.bend = *data,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    all
}

/// Pseudorandom numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }
}

/// Eight bars on two tracks, each note with a distinct pitch, with all kinds of settings changing
/// anywhere.
fn song(dice: &mut Dice) -> Desk {
    let mut desk = Desk::blank();
    desk.run("track add High instrument:flute");
    desk.run("track add Low instrument:bass");
    for track in ["High", "Low"] {
        desk.run(&format!("cc {track} brightness 50"));
        desk.run(&format!("rpn {track} bend-range 2"));
    }
    for bar in 1..=8_u64 {
        let (high, low) = (60 + bar * 3, 20 + bar * 3);
        desk.run(&format!("note High {high} at:{bar}.1 dur:h"));
        desk.run(&format!("note High {} at:{bar}.3 dur:q", high + 1));
        desk.run(&format!("note Low {low} at:{bar}.2 dur:q"));
        desk.run(&format!("note Low {} at:{bar}.3 dur:e", low + 1));
    }
    for _ in 0..20 {
        let (bar, beat) = (dice.below(8) + 1, dice.below(3) + 1);
        let track = ["High", "Low"][usize::try_from(dice.below(2)).unwrap()];
        let value = dice.below(128);
        let op = match dice.below(12) {
            0 => format!("tempo {} at:{bar}.{beat}", 60 + value),
            1 => format!("time-sig {}/4 at:{bar}", 3 + value % 2),
            2 => format!("program {track} program:{value} at:{bar}.{beat}"),
            3 => format!("bend {track} {} at:{bar}.{beat}", value * 20),
            4 => format!("rpn {track} bend-range {} at:{bar}.{beat}", value % 24),
            5 => format!(
                "cc {track} sustain {} at:{bar}.{beat}",
                ["on", "off"][usize::try_from(value % 2).unwrap()]
            ),
            6 => format!("cc {track} bank {value} at:{bar}.{beat}"),
            7 => format!("cc {track} 32 {value} at:{bar}.{beat}"),
            8 => format!(
                "program {track} program:{value} bank:{}.{value} at:{bar}.{beat}",
                value / 2
            ),
            _ => format!(
                "cc {track} {} {value} at:{bar}.{beat}",
                ["volume", "pan", "brightness", "modulation"]
                    [usize::try_from(dice.below(4)).unwrap()]
            ),
        };
        desk.run(&op);
    }
    desk
}

#[test]
fn every_note_is_played_as_it_was() {
    let mut dice = Dice(7);
    let ops = [
        "bars insert 2 at:3",
        "bars insert 1 at:1",
        "bars delete 2-3",
        "bars delete 1-2",
        "bars delete 8",
        "bars copy 2-4 to:7",
        "bars copy 5-6 to:1",
        "bars copy 3 to:end times:3",
        "bars copy 2 to:6 mode:over",
        "bars move 2-3 to:6",
        "bars move 6-7 to:1",
        "bars move 1 to:end",
    ];
    let mut compared = 0;
    for _ in 0..12 {
        let mut desk = song(&mut dice);
        let before = played(&desk.bytes());
        for (ix, op) in ops.iter().enumerate() {
            // The second op finds the settings that the first has restated.
            for then in [None, Some(ops[(ix + 5) % ops.len()])] {
                let mut replies = desk.run(op);
                let mut all = vec![*op];
                if let Some(then) = then {
                    replies += &desk.run(then);
                    all.push(then);
                }
                let after = played(&desk.bytes());
                for (pitch, ways) in &after {
                    let before = before.get(pitch);
                    assert_eq!(Some(ways), before, "{all:?}: note {pitch}\n{replies}");
                    compared += ways.len();
                }
                let goes = |op: &&str| op.contains("delete") || op.contains("over");
                let goes = all.iter().any(goes);
                assert!(goes || after.len() == before.len(), "{all:?}");
                all.iter().for_each(|_| drop(desk.act("undo")));
                assert_eq!(played(&desk.bytes()), before, "{all:?}");
            }
        }
    }
    assert!(compared > 3000, "{compared}");
}

#[test]
fn a_setting_at_the_new_start_replaces_the_old_one() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys",
        "tempo 100",
        "time-sig 4/4",
        "note Keys C4 at:1",
        "note Keys D4 at:2",
        "tempo 140 at:2",
        "time-sig 3/4 at:2",
    ] {
        desk.run(op);
    }
    let reply = desk.run("bars delete 1");
    assert!(
        reply.contains("; replaced at 1.1: 1 tempo, 1 meter"),
        "{reply}"
    );
    let rows = desk.ask("SELECT kind, value, text FROM events WHERE kind IN ('tempo', 'meter')");
    let lines: Vec<&str> = rows.lines().skip(1).collect();
    assert_eq!(lines.len(), 3, "{rows}");
    assert!(rows.contains("140") && rows.contains("3/4"), "{rows}");
}
