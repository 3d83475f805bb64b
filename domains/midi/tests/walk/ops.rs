//! Random ops of all kinds.

use fcp::testing::Walk;

use crate::kinds::*;
use crate::words::*;

pub fn op(random: &mut Walk) -> String {
    let mut op = match random.below(68) {
        64..=67 => tracks(random),
        60..=63 => places(random),
        56..=59 => harmony(random),
        52..=55 => bars(random),
        46..=51 => shape(random),
        36..=41 => sound(random),
        42..=45 => dense(random),
        0..=8 => {
            let mut op = format!("note {} {}", of(random, TRACKS), of(random, PITCHES));
            maybe(random, &mut op, 70, "at", PLACES);
            maybe(random, &mut op, 60, "dur", LENGTHS);
            maybe(random, &mut op, 40, "vel", LOUDNESS);
            maybe(random, &mut op, 10, "ch", NUMBERS);
            maybe(random, &mut op, 10, "off", NUMBERS);
            op
        }
        9 | 10 => {
            let names = [
                "Piano",
                "Bass",
                "Drums",
                "\"Grand Piano\"",
                "Strings",
                "drums",
                "Ä",
            ];
            let mut op = format!("track add {}", of(random, &names));
            let sounds = ["piano", "bass", "standard-kit", "violin", "piono"];
            maybe(random, &mut op, 50, "instrument", &sounds);
            maybe(random, &mut op, 20, "ch", NUMBERS);
            maybe(random, &mut op, 10, "program", NUMBERS);
            op
        }
        11 => format!("track remove {}", of(random, TRACKS)),
        12 => format!(
            "track rename {} {}",
            of(random, TRACKS),
            of(random, &["Keys", "Piano", "Bass", "\"Grand Piano\"", "2"])
        ),
        13 | 14 => {
            let mut op = format!(
                "modify track:{}",
                of(random, &["Piano", "Bass", "Drums", "1", "3"])
            );
            maybe(
                random,
                &mut op,
                40,
                "volume",
                &["80", "0", "127", "128", "on"],
            );
            maybe(random, &mut op, 30, "pan", &["left", "center", "99", "x"]);
            maybe(random, &mut op, 20, "name", &["Piano", "Keys", "Bass"]);
            maybe(random, &mut op, 30, "ch", &["1", "2", "10", "5", "17"]);
            maybe(
                random,
                &mut op,
                20,
                "instrument",
                &["violin", "standard-kit", "piano"],
            );
            op
        }
        15 | 16 => {
            let mut op = format!(
                "tempo {}",
                of(random, &["90", "120", "140.5", "0", "NaN", "1000", "4"])
            );
            maybe(random, &mut op, 60, "at", PLACES);
            op
        }
        17 | 18 => {
            let mut op = format!(
                "time-sig {}",
                of(random, &["3/4", "4/4", "6/8", "7/16", "0/4", "4/3", "5"])
            );
            maybe(random, &mut op, 60, "at", PLACES);
            op
        }
        19 | 20 => {
            let mut op = format!(
                "marker {}",
                of(random, &["Chorus", "Verse", "\"Über leitung\"", "A B"])
            );
            maybe(random, &mut op, 70, "at", PLACES);
            op
        }
        21..=25 => {
            let mut op = format!("modify {}", rows(random));
            maybe(
                random,
                &mut op,
                40,
                "vel",
                &["80", "+10", "-200", "mf", "0", "+x"],
            );
            maybe(
                random,
                &mut op,
                30,
                "pitch",
                &["C4", "+12", "-12", "+127", "60", "E4", "kick", "H"],
            );
            maybe(
                random,
                &mut op,
                40,
                "at",
                &["+e", "-e", "1.1", "2.1", "+ticks:7", "-w", "end", "Chorus"],
            );
            maybe(
                random,
                &mut op,
                30,
                "dur",
                &["q", "e", "+e", "-e", "h", "ticks:3", "-w"],
            );
            maybe(random, &mut op, 10, "ch", NUMBERS);
            maybe(
                random,
                &mut op,
                10,
                "on",
                &["Piano", "Bass", "Drums", "Nobody"],
            );
            maybe(
                random,
                &mut op,
                8,
                "value",
                &["9", "128", "on", "-5", "+1st"],
            );
            maybe(random, &mut op, 6, "bpm", &["99", "0"]);
            maybe(random, &mut op, 6, "text", &["Chorus", "\"B side\""]);
            op
        }
        26..=28 => {
            let mut op = format!("copy {}", rows(random));
            maybe(random, &mut op, 95, "to", PLACES);
            maybe(
                random,
                &mut op,
                30,
                "on",
                &["Piano", "Bass", "Drums", "Nobody"],
            );
            maybe(random, &mut op, 20, "transpose", &["12", "-12", "127", "x"]);
            maybe(random, &mut op, 20, "times", &["2", "3", "0", "10001"]);
            op
        }
        29 | 30 => format!("remove {}", rows(random)),
        31 | 32 => format!(
            "transpose {} {}",
            rows(random),
            of(random, &["+1", "-1", "12", "-8ve", "+P5", "127", "0", "x"])
        ),
        33 => of(
            random,
            &[
                "fix damage",
                "rename Piano Keys",
                "rename 1 \"Grand Piano\"",
                "rename marker:Chorus Verse",
            ],
        )
        .to_owned(),
        34 => of(
            random,
            &[
                "noot Piano C4",
                "",
                "note",
                "note Piano",
                "remove",
                "modify",
                "@all",
                "\"note\" Piano C4",
                "note Piano \"C4",
                "add note C4 on:Piano",
                "add tempo 90",
                "add track Keys",
            ],
        )
        .to_owned(),
        _ => format!(
            "add note {} on:track:{} at:{}",
            of(random, PITCHES),
            of(random, &["Piano", "Bass", "Drums"]),
            of(random, PLACES)
        ),
    };
    if random.below(50) == 0 {
        op.push_str(" surplus");
    }
    op
}

/// Tracks first, so that most later ops have something to act on.
pub fn started(random: &mut Walk, begun: &mut usize) -> String {
    let start = [
        "track add Piano",
        "track add Bass instrument:bass",
        "track add Drums instrument:standard-kit",
        "marker Chorus at:2",
    ];
    *begun += 1;
    match start.get(*begun / 2) {
        Some(first) if begun.is_multiple_of(2) => (*first).to_owned(),
        _ => op(random),
    }
}

/// An op that is probably valid: on tracks of a few names, which come and go, and in the first
/// bars.
pub fn probable(random: &mut Walk) -> String {
    let track = random.below(5);
    let (bar, beat) = (random.below(24) + 1, random.below(3) + 1);
    let (pitch, length) = (random.below(60) + 30, of(random, LENGTHS));
    match random.below(24) {
        0 => format!("track add T{track}"),
        1..=8 => format!(
            "note T{track} {pitch} at:{bar}.{beat} dur:q vel:{}",
            random.below(126) + 1
        ),
        9 => format!("note T{track} {pitch} at:{bar} dur:{length}"),
        10 => format!("note T{track} {pitch},{} dur:e", pitch + 4),
        11 => format!(
            "modify @track:T{track} @range:{bar} vel:+{}",
            random.below(20)
        ),
        12 => format!("modify @recent:2 at:+e dur:{length}"),
        13 => format!(
            "transpose @range:{bar} @track:T{track} +{}",
            random.below(12)
        ),
        14 => format!("copy @range:{bar} to:{}", random.below(24) + 1),
        15 => format!("remove @range:{bar}-{}", bar + 3),
        16 => format!("remove @range:{bar} @track:T{track}"),
        17 => format!("tempo {} at:{bar}", random.below(200) + 40),
        18 => format!("time-sig {}/4 at:{bar}", random.below(4) + 2),
        19 => format!("marker M{} at:{bar}", random.below(9)),
        20 => format!("rename marker:M{} M{}", random.below(9), random.below(9)),
        21 if random.below(20) == 0 => format!("track remove T{track}"),
        _ => op(random),
    }
}
