//! Random ops, valid and invalid, on new songs and on files, with the invariants of
//! `fcp::testing::walk` at each step.

#[path = "walk/kinds.rs"]
mod kinds;
#[path = "walk/ops.rs"]
mod ops;
#[path = "walk/words.rs"]
mod words;

use std::path::Path;

use fcp::endpoint::{Config, Endpoint};
use fcp::session::Session;
use fcp::testing::{Walk, long_walk, walk, walk_file, walk_ops};
use fcp_midi::Song;
use ops::{op, probable, started};
use words::of;

#[test]
fn new_songs_hold_together_on_any_walk() {
    for seed in 1..=6 {
        let mut begun = 0;
        walk::<Song>(seed, 120, |random| started(random, &mut begun));
    }
}

#[test]
fn files_hold_together_on_any_walk() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for (seed, name) in [
        (11, "foreign.mid"),
        (12, "patterns.mid"),
        (13, "frames.mid"),
        (14, "broken.mid"),
        (15, "foreign.mid"),
        (16, "wrapped.rmi"),
    ] {
        walk_file::<Song>(&files.join(name), seed, 50, op);
    }
}

/// Notes that move together swap places, and leave them in another order on undo.
const CHAIN: &[&str] = &[
    "track add Piano",
    "note Piano C4,E4 at:1.1",
    "note Piano E4 at:1.2",
    "note Piano C4 at:1.3",
    "modify @all at:+q",
    "modify @all at:-q",
    "modify @all at:+q ch:500",
    "modify @pitch:C4 at:+e dur:e",
    "transpose @all +4",
    "transpose @all -4",
];

#[test]
fn notes_that_take_each_others_places_go_back_to_their_own() {
    for seed in 1..=3 {
        walk::<Song>(seed, 80, |random| of(random, CHAIN).to_owned());
    }
}

#[test]
fn many_ops_are_undone_and_redone_to_the_byte() {
    long_walk::<Song>(9, walk_ops(500, 100_000), probable);
}

/// Names, prefixes and channel events, which distinguish the tracks of a one-chunk file.
const TOLD_APART: &[&str] = &[
    "raw song FF200100 at:tick:0",
    "raw song FF200101 at:2",
    "raw song FF20020101",
    "raw song FF030441626364 at:2",
    "raw song FF030158 at:tick:0",
    "title Pier",
    "track rename 1 Keys",
    "track rename 2 \"Low end\"",
    "modify track:1 ch:5",
    "modify track:2 ch:1",
    "modify track:3 name:Pad",
    "track add Lead instrument:flute",
    "track add Synth",
    "track copy 1 as:Copy",
    "track remove 3",
    "remove @type:name",
    "remove @type:raw",
    "remove @track:2 @type:any",
    "remove @channel:1",
    "modify @type:raw at:+q",
    "modify @type:name at:+e",
    "copy @type:any to:2",
    "modify @track:1 ch:3",
    "note 1 C4 at:1",
    "note 2 E4 ch:7",
    "bars delete 1",
    "bars insert 1 at:1",
    "bars copy 1 to:2",
];

/// The output of `map`. In a file of format 0 tracks are in the order of their channels, and a
/// track without events and without a name is not in the file; in others a track keeps its channel
/// for new notes, whatever happens to its old ones.
fn outline(session: &mut Session<Song>) -> Vec<String> {
    let text = session.query("map limit:1000").text;
    let by_channel = text.contains("SMF 0");
    let mut lines = Vec::new();
    for line in text.lines() {
        let track = line
            .split_once(". ")
            .filter(|(number, _)| number.trim().parse::<u32>().is_ok());
        match track {
            _ if line.contains("Tracks (") => {}
            // Several of one name are distinguished by a number.
            Some((_, track)) if by_channel && !track.contains("(0 notes") => {
                let (name, rest) = track.split_once(" ch:").unwrap_or((track, ""));
                let name = name.split('~').next().unwrap_or(name);
                lines.push(format!("{name} ch:{rest}"));
            }
            Some(_) => {}
            None => lines.push(line.to_owned()),
        }
    }
    lines.sort();
    lines
}

#[test]
fn files_of_every_format_open_as_they_were_saved() {
    let folder = tempfile::tempdir().unwrap();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for name in ["foreign.mid", "patterns.mid", "waltz.mid"] {
        std::fs::copy(files.join(name), folder.path().join(name)).unwrap();
    }
    let open = || Session::<Song>::new(&Config::at(folder.path())).unwrap();
    let starts = [
        "new Harbor smf:0",
        "open foreign.mid",
        "open patterns.mid",
        "new Harbor smf:1",
        "open waltz.mid",
    ];
    let mut applied = 0;
    for seed in 0..walk_ops(60, 6_000) {
        let start = starts[seed % starts.len()];
        let mut random = Walk::new(seed as u64);
        let mut session = open();
        assert!(!session.act(start).is_error);
        let mut log = format!("seed {seed}\n! {start}\n");
        for _ in 0..25 {
            let op = match random.below(3) {
                0 => op(&mut random),
                _ => of(&mut random, TOLD_APART).to_owned(),
            };
            let answer = session.run(std::slice::from_ref(&op), None);
            if answer.is_error {
                continue;
            }
            applied += 1;
            log.push_str(&format!("{op}\n{}\n", answer.text));
            assert!(!session.act("save as:saved.mid force").is_error, "{log}");
            let mut again = open();
            assert!(!again.act("open saved.mid").is_error, "{log}");
            assert_eq!(again.digest(), session.digest(), "{log}");
            assert_eq!(outline(&mut again), outline(&mut session), "{log}");
        }
    }
    assert!(applied > 200, "{applied} ops were taken");
}
