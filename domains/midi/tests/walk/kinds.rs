//! Random ops of one kind each: phrases, shaping, bars, harmony, places, tracks, sound.

use fcp::testing::Walk;

use crate::words::*;

/// Notes by phrases and grids.
pub fn dense(random: &mut Walk) -> String {
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
pub fn shape(random: &mut Walk) -> String {
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

/// Adds, removes and copies bars.
pub fn bars(random: &mut Walk) -> String {
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

/// Chords, and their tones one by one.
pub fn harmony(random: &mut Walk) -> String {
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

/// Moves rows, and repairs faulty ones.
pub fn places(random: &mut Walk) -> String {
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

/// Moves, splits and merges tracks.
pub fn tracks(random: &mut Walk) -> String {
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

/// Settings of a track, and texts.
pub fn sound(random: &mut Walk) -> String {
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
