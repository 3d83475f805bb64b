//! Ops with a typo: none is read as something else, each gets a repair, and the repair works.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::testing::{Least, Slip};
use fcp_midi::Song;

const SONG: &str = r"
track add Piano instrument:piano
track add Bass instrument:bass
track add Drums instrument:standard-kit
note Piano C4,E4,G4 at:1.1 dur:h vel:90
note Piano A4 at:2.1 dur:q vel:60
note Bass C2 at:1.1 dur:w
note Drums kick at:1.1
note Piano B4 at:4.1 vel:127 ch:16
modify track:Piano volume:90
marker Chorus at:2
";

/// Valid ops, each with the typos made in it.
fn slips() -> Vec<Slip> {
    let mut all = Vec::new();
    let mut add = |kind: &'static str, wrong: &str, meant: &str| {
        all.push(Slip {
            kind,
            wrong: wrong.to_owned(),
            meant: meant.to_owned(),
        });
    };
    let rights = [
        "note Piano C5 at:3.1 dur:q vel:mf",
        "note Bass F2 at:2.1 dur:h",
        "note Drums snare at:1.2 vel:100",
        "add note D4 on:track:Piano at:3.1 duration:eighth velocity:90",
        "tempo 140 at:3",
        "time-sig 3/4 at:5",
        "marker Verse at:3",
        "track add Strings instrument:violin",
        "track rename Bass Low",
        "track remove Drums",
        "modify track:Drums volume:80",
        "modify @track:Piano vel:+10",
        "modify @pitch:C4 dur:q",
        "modify @range:1 at:+e",
        "copy @range:1 to:5",
        "copy @track:Bass to:3 on:Piano",
        "transpose @track:Piano +2",
        "remove @pitch:A4",
        "remove @track:Piano @not:pitch:C4",
    ];
    // A typo in the verb.
    for right in rights {
        let (verb, rest) = right.split_once(' ').unwrap();
        let chars: Vec<char> = verb.chars().collect();
        let swapped: String = {
            let mut chars = chars.clone();
            chars.swap(1, 2);
            chars.into_iter().collect()
        };
        let dropped: String = chars[..chars.len() - 1].iter().collect();
        let doubled: String = chars.iter().take(2).chain(&chars[1..]).collect();
        for wrong in [swapped, dropped, doubled] {
            if wrong != verb {
                add("verb", &format!("{wrong} {rest}"), right);
            }
        }
    }
    // A typo in a key, a capital letter, `=` for `:`.
    for (right, key) in [
        (rights[0], "at"),
        (rights[0], "dur"),
        (rights[0], "vel"),
        (rights[3], "duration"),
        (rights[3], "velocity"),
        (rights[4], "at"),
        (rights[7], "instrument"),
        (rights[10], "volume"),
        (rights[11], "vel"),
        (rights[12], "dur"),
        (rights[14], "to"),
        (rights[15], "on"),
    ] {
        let with = |new: &str| right.replace(&format!(" {key}:"), &format!(" {new}"));
        add(
            "key case",
            &with(&format!("{}:", key.to_uppercase())),
            right,
        );
        add("= for :", &with(&format!("{key}=")), right);
        if key.len() > 2 {
            let mut typo = key.to_owned();
            typo.remove(1);
            add("key", &with(&format!("{typo}:")), right);
            add("key", &with(&format!("{key}x:")), right);
        }
    }
    // A wrong value.
    for (wrong, meant) in [
        ("note Piano H4 at:3.1", "note Piano B4 at:3.1"),
        ("note Piano C at:3.1", "note Piano C4 at:3.1"),
        ("note Piano C12 at:3.1", "note Piano C9 at:3.1"),
        ("note Piano 128 at:3.1", "note Piano 127 at:3.1"),
        ("note Drums snair at:3.1", "note Drums snare at:3.1"),
        ("note Piano Cis4 at:3.1", "note Piano C#4 at:3.1"),
        ("note Piano C4 at:1.9", "note Piano C4 at:3.1"),
        (
            "note Piano C5 at:3.1 dur:quater",
            "note Piano C5 at:3.1 dur:quarter",
        ),
        ("note Piano C5 at:3.1 dur:4n", "note Piano C5 at:3.1 dur:q"),
        (
            "note Piano C5 at:3.1 vel:128",
            "note Piano C5 at:3.1 vel:127",
        ),
        ("note Piano C5 at:3.1 vel:0", "note Piano C5 at:3.1 vel:1"),
        ("note Piano C5 at:3.1 vel:mff", ""),
        ("note Piano C5 at:3.1 ch:17", "note Piano C5 at:3.1 ch:16"),
        ("note Piano C5 at:3,1", "note Piano C5 at:3.1"),
        ("note Piano C5 at:0.1", "note Piano C5 at:1.1"),
        ("note Piano C5 at:Korus", "note Piano C5 at:Chorus"),
        ("note Piano C5 at:99999999.1", ""),
        ("tempo 0 at:3", "tempo 4 at:3"),
        ("tempo 2000 at:3", "tempo 999.999 at:3"),
        ("tempo 120bpm at:3", "tempo 120 at:3"),
        ("tempo NaN", ""),
        ("time-sig 4/3 at:5", "time-sig 4/4 at:5"),
        ("time-sig 0/4 at:5", "time-sig 1/4 at:5"),
        ("time-sig 3/4 at:5.2", "time-sig 3/4 at:5.1"),
        ("time-sig 3-4 at:5", "time-sig 3/4 at:5"),
        (
            "track add Keys instrument:piono",
            "track add Keys instrument:piano",
        ),
        (
            "track add Keys instrument:violine",
            "track add Keys instrument:violin",
        ),
        ("track add Keys ch:17", "track add Keys ch:16"),
        ("track add Piano", "track add Piano-2"),
        (
            "modify track:Piano volume:128",
            "modify track:Piano volume:127",
        ),
        (
            "modify track:Piano pan:lefft",
            "modify track:Piano pan:left",
        ),
        ("modify @pitch:C4 vel:128", "modify @pitch:C4 vel:127"),
        ("modify @pitch:C4 dur:qq", ""),
        ("copy @range:1 to:0", "copy @range:1 to:1"),
        ("copy @range:1 to:5 times:0", "copy @range:1 to:5 times:1"),
        ("transpose @track:Piano +2st", ""),
        ("transpose @track:Piano +P55", "transpose @track:Piano +P5"),
        ("transpose @track:Piano up", ""),
    ] {
        add("value", wrong, meant);
    }
    // A wrong name.
    for (wrong, meant) in [
        ("note Paino C5 at:3.1", "note Piano C5 at:3.1"),
        ("note Pianoo C5 at:3.1", "note Piano C5 at:3.1"),
        ("note Bas1 C2 at:3.1", "note Bass C2 at:3.1"),
        ("note Drms kick at:3.1", "note Drums kick at:3.1"),
        ("note track:Paino C5 at:3.1", "note track:Piano C5 at:3.1"),
        ("note #9999 C5 at:3.1", ""),
        ("note Strings C5 at:3.1", ""),
        ("track remove Drum", "track remove Drums"),
        ("track remove Dr", "track remove Drums"),
        ("track rename Bss Low", "track rename Bass Low"),
        (
            "modify track:Drms volume:80",
            "modify track:Drums volume:80",
        ),
        (
            "copy @track:Bass to:3 on:Paino",
            "copy @track:Bass to:3 on:Piano",
        ),
        (
            "modify marker:Korus text:Refrain",
            "modify marker:Chorus text:Refrain",
        ),
        ("remove marker:Chorrus", "remove marker:Chorus"),
        ("note Piano kick at:3.1", ""),
    ] {
        add("name", wrong, meant);
    }
    // A wrong selector.
    for (wrong, meant) in [
        ("remove @trck:Piano", "remove @track:Piano"),
        ("remove @tracks:Piano", "remove @track:Piano"),
        ("remove @Track:Piano", "remove @track:Piano"),
        ("remove @track:Paino", "remove @track:Piano"),
        ("remove @track:", ""),
        ("remove @not", ""),
        ("remove @pich:C4", "remove @pitch:C4"),
        ("remove @pitch:H4", "remove @pitch:B4"),
        ("remove @pitch:G4-C4", "remove @pitch:C4-G4"),
        ("remove @pitch:", ""),
        ("remove @measure:2", ""),
        ("remove @range:2-1", "remove @range:1-2"),
        ("remove @rnge:1", "remove @range:1"),
        ("remove @range:0", ""),
        ("remove @velocity:x", ""),
        ("remove @velocity:127-80", "remove @velocity:80-127"),
        ("remove @vel:200", ""),
        ("remove @type:nott", "remove @type:note"),
        ("remove @type:tempos2", "remove @type:tempo"),
        ("remove @id:x", ""),
        ("remove @id:9-4", "remove @id:4-9"),
        ("remove @all:Piano", ""),
        ("remove @recent:x", ""),
        ("remove @chanel:1", "remove @channel:1"),
        ("remove @channel:17", ""),
        ("transpose @trak:Piano +2", "transpose @track:Piano +2"),
        ("copy @bar:2-1 to:5", "copy @bar:1-2 to:5"),
        ("modify @pitch:Z4 vel:9", ""),
        ("note @track:Piano C4 at:3.1", "note Piano C4 at:3.1"),
        ("track remove @track:Drums", "track remove Drums"),
    ] {
        add("selector", wrong, meant);
    }
    // Whitespace without quotes, extra words, missing words.
    for (wrong, meant) in [
        ("marker Last verse at:3", "marker \"Last verse\" at:3"),
        ("marker at:3 Last verse", "marker at:3 \"Last verse\""),
        (
            "track add Grand Piano instrument:piano",
            "track add \"Grand Piano\" instrument:piano",
        ),
        ("track rename Bass Low End", "track rename Bass \"Low End\""),
        (
            "modify marker:Chorus text:Last verse",
            "modify marker:Chorus text:\"Last verse\"",
        ),
        ("track add 'Grand Piano", ""),
        ("marker \"Last verse", "marker \"Last verse\""),
    ] {
        add("blanks", wrong, meant);
    }
    for (wrong, meant) in [
        ("note Piano C5 at:3.1 please", ""),
        ("note Piano C5 3.1", "note Piano C5 at:3.1"),
        ("note Piano C5 at:3.1 at:3.2", "note Piano C5 at:3.1"),
        ("note Piano C5 E5 at:3.1", ""),
        ("tempo 120 3", "tempo 120 at:3"),
        ("tempo 120 at 3", "tempo 120 at:3"),
        ("note Piano C5 at 3.1", "note Piano C5 at:3.1"),
        ("note Piano C5 at: 3.1", "note Piano C5 at:3.1"),
        ("transpose @track:Piano by +2", ""),
        ("transpose @track:Piano by:+2", "transpose @track:Piano +2"),
        ("remove @pitch:C4 now", ""),
        ("remove Piano @pitch:C4", ""),
        ("copy @range:1 5", "copy @range:1 to:5"),
        ("time-sig 3/4 5", "time-sig 3/4 at:5"),
        ("fix damage now", ""),
    ] {
        add("surplus", wrong, meant);
    }
    for wrong in [
        "note Piano",
        "note",
        "note C4 at:3.1",
        "tempo",
        "marker",
        "copy @range:1",
        "transpose @track:Piano",
        "transpose +2",
        "remove",
        "modify",
        "modify @pitch:C4",
        "track add",
        "track remove",
        "track rename Bass",
        "time-sig",
        "note Piano at:3.1",
    ] {
        add("missing", wrong, "");
    }
    // A call to another tool, or the words of another program.
    for (wrong, meant) in [
        ("undo", ""),
        ("save", ""),
        ("map", ""),
        ("events Piano", ""),
        ("delete @pitch:C4", "remove @pitch:C4"),
        ("add track Keys", "track add Keys"),
        ("remove track Drums", "track remove Drums"),
        ("rename Bass Low", "track rename Bass Low"),
    ] {
        add("other words", wrong, meant);
    }
    all
}

#[test]
fn a_typo_in_an_example_is_reported_and_repaired() {
    fcp::testing::repairs::<Song>(1, 12);
}

#[test]
fn a_typo_is_reported_and_repaired() {
    let slips = slips();
    assert!(slips.len() >= 200, "{} slips", slips.len());
    let least = Least {
        tried: 80.0,
        worked: 95.0,
        meant: 90.0,
    };
    fcp::testing::slips::<Song>(SONG, &slips, least);
}
