//! The words of random ops, valid and invalid.

use fcp::testing::Walk;

pub const TRACKS: &[&str] = &[
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
pub const PITCHES: &[&str] = &[
    "C4", "C4", "E4", "G4", "c#5", "Bb3", "60", "kick", "snare", "C4,E4", "C4,C4,G4", "0", "127",
    "H4", "C12", "128", "midi:64", "B#3",
];
pub const PLACES: &[&str] = &[
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
pub const LENGTHS: &[&str] = &[
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
pub const LOUDNESS: &[&str] = &["80", "1", "127", "mf", "ff", "ppp", "0", "128", "x", "64"];
pub const NUMBERS: &[&str] = &["1", "2", "3", "7", "12", "0", "500", "-1", "x"];

pub fn of<'a>(random: &mut Walk, words: &[&'a str]) -> &'a str {
    random.pick(words).unwrap_or("")
}

pub fn selector(random: &mut Walk) -> String {
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

pub fn rows(random: &mut Walk) -> String {
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

pub fn maybe(random: &mut Walk, op: &mut String, chance: usize, key: &str, words: &[&str]) {
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

pub const LEVELS: &[&str] = &[
    "0", "64", "127", "on", "off", "center", "128", "-1", "-8192", "8191", "+2st", "-1st", "+9st",
    "x",
];
