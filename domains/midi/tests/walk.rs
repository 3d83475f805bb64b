//! Random ops, right and wrong, on new songs and on files, with the invariants of `fcp::testing::walk` at each step.

use std::path::Path;

use fcp::testing::{Walk, long_walk, walk, walk_file, walk_ops};
use fcp_midi::Song;

const TRACKS: &[&str] = &[
    "Piano",
    "Bass",
    "Drums",
    "piano",
    "1",
    "2",
    "3",
    "Pi",
    "\"Grand Piano\"",
    "Piano-2",
    "track:Bass",
    "#5",
    "#7",
    "#12",
    "flute",
    "Nobody",
    "4",
    "ch-2",
];
const PITCHES: &[&str] = &[
    "C4", "C4", "E4", "G4", "c#5", "Bb3", "60", "kick", "snare", "C4,E4", "C4,C4,G4", "0", "127",
    "H4", "C12", "128", "midi:64", "B#3",
];
const PLACES: &[&str] = &[
    "1.1",
    "1.1",
    "1",
    "1.2",
    "1.3",
    "1.4",
    "2.1",
    "2.2.120",
    "3",
    "1.1+e",
    "2.1-s",
    "end",
    "next",
    "tick:0",
    "tick:481",
    "1.5s",
    "Chorus",
    "Chorus:2.1",
    "+",
    "+q",
    "0.1",
    "1.9",
    "99999999.1",
    "tick:-5",
    "tick:268435455",
    "-1",
    "Nowhere",
    "1.1.5",
];
const LENGTHS: &[&str] = &[
    "q",
    "q",
    "e",
    "h",
    "w",
    "e3",
    "s",
    "q.",
    "480",
    "ticks:7",
    "ticks:1",
    "1/8",
    "2b",
    "1bar",
    "0.5s",
    "quarter",
    "0",
    "z",
    "5",
    "w+w+w",
    "999999bar",
];
const LOUDNESS: &[&str] = &["80", "1", "127", "mf", "ff", "ppp", "0", "128", "x", "64"];
const NUMBERS: &[&str] = &["1", "2", "3", "7", "12", "0", "500", "-1", "x"];

fn of<'a>(random: &mut Walk, words: &[&'a str]) -> &'a str {
    random.pick(words).unwrap_or("")
}

fn selector(random: &mut Walk) -> String {
    let not = if random.below(6) == 0 { "not:" } else { "" };
    let spans = [
        "1",
        "2",
        "1-2",
        "1.1-2.4",
        "1.2",
        "2-1",
        "1.1..1.2+e",
        "Chorus",
        "tick:0-tick:960",
        "0",
        "5-9",
    ];
    let body = match random.below(14) {
        0 => "all".to_owned(),
        1 => "recent".to_owned(),
        2 => format!("recent:{}", of(random, &["2", "5", "2ops", "0", "x"])),
        3 | 4 => format!(
            "track:{}",
            of(
                random,
                &[
                    "Piano",
                    "Bass",
                    "Drums",
                    "1",
                    "Piano|Bass",
                    "pi",
                    "Nobody",
                    "\"Grand Piano\""
                ]
            )
        ),
        5 | 6 => format!(
            "pitch:{}",
            of(random, &["C4", "C4-G4", "C,E", "60", "kick", "H", "E4|G4"])
        ),
        7 => format!("range:{}", of(random, &spans)),
        8 => format!(
            "velocity:{}",
            of(random, &["80-127", ">100", "<=80", "mf", "x", "127-1"])
        ),
        9 => format!(
            "id:{}",
            of(random, &["5", "5-20", "7,9", "12-5", "x", "8-400"])
        ),
        10 => format!(
            "type:{}",
            of(
                random,
                &[
                    "note", "cc", "program", "tempo", "meter", "marker", "event", "key", "track",
                    "nott", "note|cc", "bend", "touch", "lyric", "text"
                ]
            )
        ),
        11 => format!("channel:{}", of(random, &["1", "2", "10", "17"])),
        12 => "vel:80".to_owned(),
        _ => of(random, &["trck:Piano", "", "pitch", "all:3", "not:not:all"]).to_owned(),
    };
    format!("@{not}{body}")
}

fn rows(random: &mut Walk) -> String {
    match random.below(8) {
        0 => format!("#{}", random.below(60)),
        1 => of(
            random,
            &["track:Piano", "marker:Chorus", "Piano", "Drums", "Nobody"],
        )
        .to_owned(),
        2 | 3 => format!("{} {}", selector(random), selector(random)),
        _ => selector(random),
    }
}

fn maybe(random: &mut Walk, op: &mut String, chance: usize, key: &str, words: &[&str]) {
    if random.below(100) < chance {
        let key = match random.below(40) {
            0 => key.to_uppercase(),
            1 => format!("{key}x"),
            _ => key.to_owned(),
        };
        let sign = if random.below(60) == 0 { '=' } else { ':' };
        op.push_str(&format!(" {key}{sign}{}", of(random, words)));
    }
}

const LEVELS: &[&str] = &[
    "0", "64", "127", "on", "off", "center", "128", "-1", "-8192", "8191", "+2st", "-1st", "+9st",
    "x",
];

/// Notes by the line and by the grid.
fn dense(random: &mut Walk) -> String {
    const ITEMS: &[&str] = &[
        "C4/q", "E4", "G4/e", "C4+E4/h", "r", "r/e", "_", "_/q", "|", "v90", "vff", "kick", "(C4",
        "G)*2", "E4/e3", "A3>", "B3!", "H4", "C4/z", "x",
    ];
    const STEPS: &[&str] = &[
        "x...x...", "..x...x.", "x", "X-g-", "oooo", "9.5.", "xx|xx", "x..", "", "y",
    ];
    let track = of(random, TRACKS);
    let mut op;
    if random.below(2) == 0 {
        op = format!("phrase {track}");
        let quote = if random.below(2) == 0 { "\"" } else { "" };
        op.push_str(&format!(" {quote}"));
        for _ in 0..random.below(8) {
            op.push_str(of(random, ITEMS));
            op.push(' ');
        }
        op.push_str(quote);
        maybe(
            random,
            &mut op,
            20,
            "lyrics",
            &["la", "\"la _ la\"", "a-b-c-d-e"],
        );
        maybe(random, &mut op, 20, "dur", LENGTHS);
    } else {
        op = format!("grid {track}");
        for _ in 0..random.below(3) + 1 {
            op.push_str(&format!(" {} {}", of(random, PITCHES), of(random, STEPS)));
        }
        maybe(random, &mut op, 40, "step", LENGTHS);
    }
    maybe(random, &mut op, 60, "at", PLACES);
    maybe(random, &mut op, 20, "times", &["2", "3", "0", "10001"]);
    maybe(random, &mut op, 20, "swing", &["60", "66", "99"]);
    maybe(random, &mut op, 20, "replace", &["on", "off", "x"]);
    op
}

/// Many notes changed at once.
fn shape(random: &mut Walk) -> String {
    let rows = rows(random);
    match random.below(9) {
        0 => {
            let mut op = format!("quantize {rows}");
            maybe(random, &mut op, 70, "grid", LENGTHS);
            maybe(random, &mut op, 30, "strength", &["50", "0", "100"]);
            maybe(random, &mut op, 30, "swing", &["58", "66", "90"]);
            maybe(random, &mut op, 30, "ends", &["on", "off"]);
            op
        }
        1 => {
            let mut op = format!("humanize {rows}");
            maybe(random, &mut op, 30, "time", NUMBERS);
            maybe(random, &mut op, 30, "vel", NUMBERS);
            maybe(random, &mut op, 30, "dur", NUMBERS);
            maybe(random, &mut op, 30, "seed", NUMBERS);
            op
        }
        2 => format!(
            "velocity {rows} {}",
            of(random, &["90", "mf", "+10", "-20", "70%", "40-100", "0%"])
        ),
        3 => {
            let to = of(
                random,
                &["legato", "staccato", "e", "50%", "300%", "w", "z"],
            );
            let mut op = format!("length {rows} {to}");
            maybe(random, &mut op, 20, "gap", LENGTHS);
            op
        }
        4 => format!(
            "stretch {rows} {}",
            of(random, &["200%", "50%", "33%", "1000%", "e"])
        ),
        5 => format!("reverse {rows}"),
        6 => {
            let mut op = format!("invert {rows}");
            maybe(random, &mut op, 40, "about", &["C4", "60", "G9", "x"]);
            op
        }
        7 => {
            let mut op = format!("snap {rows}");
            maybe(
                random,
                &mut op,
                80,
                "to",
                &["C", "A-minor", "D-dorian", "x"],
            );
            op
        }
        _ => {
            let loud = [of(random, LOUDNESS), of(random, LOUDNESS)];
            let mut op = format!("crescendo {rows} from:{} to:{}", loud[0], loud[1]);
            maybe(random, &mut op, 30, "curve", &["exp", "sine", "x"]);
            op
        }
    }
}

/// Bars that come and go.
fn bars(random: &mut Walk) -> String {
    let spans = [
        "1", "2", "2-3", "1-2", "3-9", "2.2-2.4", "Chorus", "9-3", "0",
    ];
    let mut op = match random.below(5) {
        0 | 1 => return format!("bars delete {}", of(random, &spans)),
        2 => {
            let mut op = format!("bars copy {}", of(random, &spans));
            maybe(random, &mut op, 30, "mode", &["over", "mix", "insert", "x"]);
            maybe(random, &mut op, 20, "times", &["2", "3", "0"]);
            maybe(random, &mut op, 95, "to", PLACES);
            return op;
        }
        3 => {
            let mut op = format!("bars move {}", of(random, &spans));
            maybe(random, &mut op, 95, "to", PLACES);
            return op;
        }
        _ => format!(
            "bars insert {}",
            of(random, &["1", "2", "3", "0", "10001", "x"])
        ),
    };
    maybe(random, &mut op, 95, "at", PLACES);
    op
}

/// Chords in a row, and their tones one by one.
fn harmony(random: &mut Walk) -> String {
    let track = of(random, TRACKS);
    let mut op = if random.below(2) == 0 {
        let lines = [
            "Am7 | F G | C",
            "ii7 V7 I",
            "C G/B",
            "| C | Dm7b5 |",
            "bVII",
            "H",
            "|",
        ];
        let mut op = format!("progression {track} \"{}\"", of(random, &lines));
        let rhythms = ["\"q. e h\"", "e", "\"q r/q\"", "z"];
        maybe(random, &mut op, 40, "rhythm", &rhythms);
        maybe(random, &mut op, 40, "lead", &["on", "off"]);
        maybe(random, &mut op, 40, "key", &["C-major", "Am", "x"]);
        maybe(random, &mut op, 20, "voicing", &["open", "drop2", "shell"]);
        op
    } else {
        let mut op = format!("arp {track} {}", of(random, &["Am7", "C", "G/B", "Cx"]));
        let patterns = ["up", "updown", "random", "1-3-2", "1-9", "x"];
        maybe(random, &mut op, 40, "pattern", &patterns);
        maybe(random, &mut op, 40, "step", LENGTHS);
        maybe(random, &mut op, 20, "span", &["2", "6", "7"]);
        maybe(random, &mut op, 20, "gate", &["50", "1", "0"]);
        op
    };
    maybe(random, &mut op, 20, "oct", &["3", "9", "-1"]);
    maybe(random, &mut op, 20, "dur", LENGTHS);
    maybe(random, &mut op, 60, "at", PLACES);
    op
}

/// Rows that go elsewhere, and what is wrong with rows put right.
fn places(random: &mut Walk) -> String {
    let faults = ["stuck", "overlaps", "duplicates", "zero", "offs", "damage"];
    let mut op = match random.below(8) {
        0 => return format!("fix {}", of(random, &faults)),
        1 => {
            let kinds = ["tempo", "cc", "lyric", "marker", "program", "text", "note"];
            let mut op = format!("remove {}", of(random, &kinds));
            maybe(random, &mut op, 50, "at", PLACES);
            maybe(random, &mut op, 30, "on", TRACKS);
            return op;
        }
        2 => {
            let mut op = "retime".to_owned();
            maybe(
                random,
                &mut op,
                60,
                "ppqn",
                &["96", "960", "24", "480", "0"],
            );
            maybe(random, &mut op, 30, "tempo", &["60", "120", "97.5", "0"]);
            return op;
        }
        3 => {
            let names = ["bend-range", "fine-tune", "0.5", "nrpn:1.8", "x"];
            let value = of(random, &["2", "12", "64.10", "128"]);
            let mut op = format!("rpn {} {} {value}", of(random, TRACKS), of(random, &names));
            maybe(random, &mut op, 60, "at", PLACES);
            return op;
        }
        4 => {
            let events = [
                "\"F0 7E F7\"",
                "FF0100",
                "B00764",
                "FF510307A120",
                "903C40",
                "F0",
            ];
            let home = of(random, &["song", "Piano", "Bass"]);
            let mut op = format!("raw {home} {}", of(random, &events));
            maybe(random, &mut op, 60, "at", PLACES);
            return op;
        }
        5 => {
            let mut op = format!(
                "transpose {} {}",
                rows(random),
                of(random, &["+2", "-P5", "+60"])
            );
            maybe(random, &mut op, 40, "in", &["key", "D-dorian", "x"]);
            maybe(random, &mut op, 40, "fit", &["octave"]);
            return op;
        }
        6 => {
            return format!(
                "transpose {} to:{}",
                rows(random),
                of(random, &["Am", "Eb", "x"])
            );
        }
        _ => format!("move {}", rows(random)),
    };
    maybe(random, &mut op, 50, "to", PLACES);
    maybe(
        random,
        &mut op,
        50,
        "by",
        &["+q", "-e", "+1bar", "-2bar", "q"],
    );
    maybe(random, &mut op, 30, "on", TRACKS);
    op
}

/// Tracks that change places, part and come together.
fn tracks(random: &mut Walk) -> String {
    let track = of(random, TRACKS);
    match random.below(6) {
        0 => {
            let mut op = format!("track copy {track}");
            maybe(random, &mut op, 95, "as", &["Synth", "Keys", "Bass"]);
            maybe(random, &mut op, 30, "instrument", &["violin", "drums", "x"]);
            op
        }
        1 => {
            let mut op = format!("track move {track}");
            maybe(random, &mut op, 60, "to", &["1", "2", "3", "9"]);
            maybe(random, &mut op, 30, "before", TRACKS);
            maybe(random, &mut op, 30, "after", TRACKS);
            op
        }
        2 => {
            let by = ["channel", "drum", "voice", "pitch:C4", "x"];
            let mut op = format!("track split {track} by:{}", of(random, &by));
            maybe(random, &mut op, 30, "as", &["High,Low", "One"]);
            op
        }
        3 => {
            let mut op = format!("track merge {track},{}", of(random, TRACKS));
            maybe(random, &mut op, 40, "as", &["All", "Piano"]);
            op
        }
        4 => format!("mute {track} {}", of(random, &["", "on", "off", "x"])),
        _ => format!("solo {track} {}", of(random, &["", "on", "off", "x"])),
    }
}

/// What a track does besides its notes, and what is said in words.
fn sound(random: &mut Walk) -> String {
    let track = of(random, TRACKS);
    let controllers = [
        "volume",
        "sustain",
        "bank",
        "74",
        "rpn-msb",
        "128",
        "volum",
        "data-entry",
    ];
    let level = of(random, LEVELS);
    let mut op = match random.below(11) {
        0 | 1 => format!("cc {track} {} {level}", of(random, &controllers)),
        2 => format!("bend {track} {level}"),
        3 => {
            let mut op = format!("touch {track} {level}");
            maybe(random, &mut op, 40, "pitch", PITCHES);
            op
        }
        4 => {
            let sounds = ["piano", "violin", "standard-kit", "program:9", "piono"];
            let mut op = format!("program {track} {}", of(random, &sounds));
            maybe(random, &mut op, 30, "bank", &["0", "1.2", "128", "1.x"]);
            op
        }
        5 => format!(
            "key-sig {}",
            of(random, &["Am", "Bb", "C", "D-dorian", "H", "F#-minor"])
        ),
        6 => format!(
            "lyric {} {}",
            of(random, &[track, "song"]),
            of(random, &["la", "\"Ü-\"", "_"])
        ),
        7 => {
            let mut op = format!("text {} \"so\"", of(random, &[track, "song"]));
            maybe(
                random,
                &mut op,
                50,
                "kind",
                &["cue", "copyright", "instrument", "x"],
            );
            op
        }
        8 => return format!("title {}", of(random, &["One", "\"Two words\"", "Piano"])),
        9 => {
            let spans = ["1", "1-2", "2.1-2.2", "Chorus", "9-3"];
            let mut op = format!("pedal {track} {}", of(random, &spans));
            maybe(random, &mut op, 30, "every", LENGTHS);
            return op;
        }
        _ => {
            let what = of(random, &["expression", "bend", "touch", "7", "temp"]);
            let mut op = format!("ramp {track} {what}");
            if random.below(3) == 0 {
                op = "ramp tempo".to_owned();
            }
            maybe(
                random,
                &mut op,
                98,
                "from",
                &["40", "0", "96", "-100", "+1st"],
            );
            maybe(
                random,
                &mut op,
                98,
                "to",
                &["100", "127", "60", "-8000", "x"],
            );
            maybe(
                random,
                &mut op,
                30,
                "curve",
                &["exp", "log", "sine", "lin", "line"],
            );
            maybe(random, &mut op, 30, "step", LENGTHS);
            maybe(random, &mut op, 98, "at", PLACES);
            maybe(
                random,
                &mut op,
                98,
                "until",
                &["2.1", "2.3", "3", "1.2", "end"],
            );
            return op;
        }
    };
    maybe(random, &mut op, 60, "at", PLACES);
    maybe(random, &mut op, 6, "ch", NUMBERS);
    op
}

fn op(random: &mut Walk) -> String {
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

/// Tracks first, so that most of what follows has something to stand on.
fn started(random: &mut Walk, begun: &mut usize) -> String {
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

/// Notes that move together take each other's places, and leave them in another order when that is undone.
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

/// An op that is probably right: on tracks of a few names, which come and go, and in the first bars.
fn probable(random: &mut Walk) -> String {
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

#[test]
fn many_ops_are_undone_and_redone_to_the_byte() {
    long_walk::<Song>(9, walk_ops(500, 100_000), probable);
}
