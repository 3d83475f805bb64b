//! ABC scores match the song: read again by the standard, with every habit of its readers, they
//! have its pitches at its beats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

#[path = "abc/reader.rs"]
mod reader;
#[path = "abc/spelling.rs"]
mod spelling;

use std::collections::BTreeSet;

use crate::support::scores::{self, random_song, written};
use crate::support::{Desk, smf_build};
use fcp::endpoint::Endpoint;
use fcp_midi::Song;
use reader::{Habits, Tune, read};

/// A note: its part, pitch, start and length in ticks.
type Sounding = (usize, u8, u64, u64);

fn score(desk: &mut Desk, more: &str) -> String {
    desk.act(&format!("export abc as:song.abc force {more}"));
    std::fs::read_to_string(desk.root.path().join("song.abc")).unwrap()
}

/// A tune that reads the same with all habits.
fn tune(text: &str) -> Tune {
    let mut tunes = Habits::all().map(|habits| (habits, read(text, habits)));
    let (_, tune) = tunes.next().unwrap();
    for (habits, other) in tunes {
        let notes = |tune: &Tune| -> Vec<_> {
            let notes = tune.notes.iter();
            notes
                .map(|note| (note.pitch, note.at, note.length))
                .collect()
        };
        assert_eq!(notes(&other), notes(&tune), "{habits:?}\n{text}");
    }
    // Every voice has the same measures.
    let mut bars = tune.barlines.values();
    let first = bars.next().unwrap();
    assert!(bars.all(|other| other == first), "{text}");
    tune
}

fn heard(text: &str, song: &Song) -> BTreeSet<Sounding> {
    tune(text).heard(4 * song.ppqn())
}

#[test]
fn a_score_has_the_pitches_and_beats_of_its_song() {
    let mut desk = Desk::new();
    desk.act("new \"A & B\" tempo:96 key:D-major time-sig:3/4");
    let marker = "marker \"A \\\"b\\\"\" at:2";
    for op in scores::SONG.into_iter().chain([marker]) {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    let read = tune(&text);
    assert_eq!(read.heard(1920), written(desk.song(), None), "{text}");
    assert_eq!(read.title, "A & B");
    assert_eq!(read.staves, [&["P1", "P1v2", "P1v3"][..], &["P2"], &["P3"]]);
    assert_eq!(read.fields("P1", "K:", 1920), [(2880, "Bb")]);
    assert_eq!(read.fields("P1", "M:", 1920), [(2880, "6/8")]);
    assert_eq!(read.fields("P1", "Q:", 1920), [(1920, "1/4=120")]);
    assert_eq!(read.fields("P1", "\":", 1920), [(1440, "A \"b\"")]);
    let midi = |voice: &str, text: &str| read.midi.contains(&(voice.to_owned(), text.to_owned()));
    assert!(midi("P2", "program 33") && midi("P3", "channel 10"));
    let sung: Vec<_> = read
        .notes
        .iter()
        .filter_map(|note| note.lyric.clone())
        .collect();
    let sung: String = sung
        .iter()
        .map(|(text, goes_on)| format!("{text}{}", if *goes_on { "-" } else { " " }))
        .collect();
    assert_eq!(sung, "Twin-kle lit-tle star how I won ");
    let loud = |mark: &str| {
        read.notes
            .iter()
            .any(|note| note.marks.iter().any(|own| own == mark))
    };
    assert!(loud("f") && loud("pp"));
    for part in [
        "\nT:A \\& B\n",
        "\nM:3/4\nL:1/8\nQ:1/4=96\n",
        "\nV:P1 clef=treble name=\"Keys\"\n",
        "\nV:P2 clef=bass name=\"Bass\"\n",
        "\nV:P3 clef=perc name=\"Drums\"\nK:D\n",
        // A tie over a barline, a triplet, a chord.
        " A2- | \"^",
        "(3_d=d=e",
        "[=CE]",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let some = score(&mut desk, "range:2-3");
    let onsets = |notes: BTreeSet<Sounding>, from: u64| -> BTreeSet<_> {
        let notes = notes.into_iter();
        notes
            .map(|(part, pitch, at, _)| (part, pitch, at + from))
            .collect()
    };
    let mut wanted = written(desk.song(), None);
    wanted.retain(|(_, _, at, length)| *at < 4320 && at + length > 1440);
    let wanted = onsets(wanted, 0).into_iter();
    // Notes that started earlier begin with the score.
    let wanted: BTreeSet<_> = wanted
        .map(|(part, pitch, at)| (part, pitch, at.max(1440)))
        .collect();
    assert_eq!(onsets(heard(&some, desk.song()), 1440), wanted, "{some}");
}

/// The ticks at which a value changes, up to an end.
fn changes<T: PartialEq>(mut rows: Vec<(u64, T)>, first: T, end: u64) -> Vec<u64> {
    rows.sort_by_key(|(at, _)| *at);
    let mut changes = vec![(0, first)];
    for (at, value) in rows.into_iter().filter(|(at, _)| *at < end) {
        // The last of several at a tick takes effect.
        changes.retain(|(own, _)| *own != at || at == 0);
        match changes.last_mut() {
            Some(last) if last.0 == at => last.1 = value,
            _ => changes.push((at, value)),
        }
    }
    changes.dedup_by(|next, last| next.1 == last.1);
    changes.into_iter().skip(1).map(|(at, _)| at).collect()
}

#[test]
fn random_songs_have_the_pitches_and_beats_they_had() {
    for seed in 1..=12 {
        for (ppqn, apart, more) in [
            (480, &[60, 80, 240][..], ""),
            (480, &[60, 80, 480], "grid:exact"),
            (96, &[1, 5, 24], "grid:exact"),
            (100, &[1, 25, 100], "grid:exact"),
            (25, &[1, 7], "grid:exact"),
        ] {
            let mut desk = random_song(seed, ppqn, apart);
            let text = score(&mut desk, more);
            let wanted = written(desk.song(), None);
            assert!(wanted.len() > 20);
            let song = desk.song();
            let whole = 4 * song.ppqn();
            let read = tune(&text);
            assert_eq!(read.heard(whole), wanted, "{seed} {ppqn}\n{text}");
            let end = read.barlines["P1"].last().unwrap().ticks(whole);
            let ticks = |name| -> Vec<u64> {
                let fields = read.fields("P1", name, whole).into_iter();
                fields.map(|(at, _)| at).collect()
            };
            let keys = song.keys.iter();
            let keys = keys.map(|(_, row)| (row.at, (row.sharps, row.mode)));
            assert_eq!(ticks("K:"), changes(keys.collect(), (0, 0), end), "{text}");
            let tempos = song.tempos.iter().map(|(_, row)| (row.at, row.micros));
            assert_eq!(ticks("Q:"), changes(tempos.collect(), 0, end), "{text}");
            let markers = song.markers.iter().map(|(_, row)| row.at);
            let mut markers: Vec<u64> = markers.filter(|at| *at < end).collect();
            markers.sort_unstable();
            assert_eq!(ticks("\":"), markers, "{text}");
        }
    }
}

#[test]
fn a_key_is_written_where_it_changes_and_spells_later_notes() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys",
        "note Keys F#4 at:1.1 dur:w",
        "note Keys D#5 at:1.2 dur:q",
        "note Keys D#5 at:1.4 dur:q",
        "note Keys F4 at:3.1 dur:q",
        "key-sig Ab at:1.3",
        "key-sig F# at:2.2",
    ] {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    let read = tune(&text);
    assert_eq!(read.heard(1920), written(desk.song(), None), "{text}");
    for voice in ["P1", "P1v2"] {
        let wanted = [(960, "Ab"), (2400, "F#")];
        assert_eq!(
            read.fields(voice, "K:", 1920)[usize::from(voice != "P1")..],
            wanted,
            "{text}"
        );
    }
    // A tied note keeps its spelling across the change; its accidental is repeated after it.
    assert!(text.contains("^F4- [K:Ab]^F4 |"), "{text}");
    assert!(text.contains("^d2 [K:Ab]x2 e2 |"), "{text}");
    assert!(text.contains("E2 z6 |"), "{text}");
}

#[test]
fn no_key_alters_the_keys_of_a_kit() {
    let mut desk = Desk::new();
    desk.act("new key:D-major");
    for op in [
        "track add Keys",
        "track add Drums instrument:standard-kit",
        "track add Bass instrument:bass",
        "note Keys F#4,C5 at:1.1",
        "note Drums 36,41,42 at:1.1",
        "note Drums 36,41,42 at:2.1",
        "note Bass F#2,C2 at:1.1",
        "key-sig C at:2",
    ] {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    let wanted = written(desk.song(), None);
    assert_eq!(heard(&text, desk.song()), wanted, "{text}");
    assert!(text.contains("\n[K:C]!mf![C,,F,,^F,,]2 z6 |"), "{text}");
}

#[test]
fn texts_are_preserved() {
    let mut desk = Desk::new();
    let title = "50% \\ &amp; \"x\" $1 [K:C] ü|";
    desk.act(&format!("new {}", fcp::op::quote_value(title)));
    desk.run("track add \"A \\\"b\\\" \\\\n%\"");
    desk.run("phrase 1 \"C4 D4 E4 F4 | G4 A4 B4 C5\"");
    let words = ["a-b", "_", "*x~", "a|b", "100%", "\\x", "no way", "&"];
    for (word, at) in words.iter().zip(0..) {
        let place = format!("{}.{}", at / 4 + 1, at % 4 + 1);
        desk.run(&format!(
            "lyric 1 {} at:{place}",
            fcp::op::quote_value(word)
        ));
    }
    desk.run("marker \"C:\\\"x\\\" | %\" at:2");
    let text = score(&mut desk, "");
    let read = tune(&text);
    assert_eq!(read.heard(1920), written(desk.song(), None), "{text}");
    assert_eq!(read.title, title);
    let sung: Vec<_> = read
        .notes
        .iter()
        .map(|note| note.lyric.clone().map(|(text, _)| text))
        .collect();
    let wanted: Vec<_> = words.iter().map(|word| Some((*word).to_owned())).collect();
    assert_eq!(sung, wanted, "{text}");
    assert_eq!(read.fields("P1", "\":", 1920), [(1920, "C:\"x\" | %")]);
    let name = text
        .lines()
        .find_map(|line| line.strip_prefix("V:P1 clef=treble name=\""))
        .unwrap();
    assert_eq!(
        spelling::plain(name.strip_suffix('"').unwrap()),
        "A \"b\" \\n%"
    );
}

#[test]
fn triplets_are_written_as_such_whatever_a_quarter_is_cut_into() {
    for ppqn in [24, 25, 100, 256, 480, 1024] {
        let mut desk = Desk::new();
        desk.act(&format!("new ppqn:{ppqn}"));
        desk.run("track add Keys");
        desk.run("phrase Keys \"C4/e3 D4 E4 F4/q G4/s3 A4 B4 C5/t D5 E5/s\"");
        let text = score(&mut desk, "");
        let written_down = "(3!mf!CDE F2 (3G/2A/2B/2c/4d/4e/2";
        assert!(text.contains(written_down), "{ppqn}\n{text}");
        let whole = 4 * desk.song().ppqn();
        let notes = tune(&text).notes;
        let onsets = notes
            .iter()
            .map(|note| (note.pitch, note.at.nearest(whole)));
        let wanted = written(desk.song(), None).into_iter();
        let wanted: BTreeSet<_> = wanted.map(|(_, pitch, at, _)| (pitch, at)).collect();
        assert_eq!(onsets.collect::<BTreeSet<_>>(), wanted, "{ppqn}\n{text}");
    }
}

#[test]
fn silence_is_written_briefly() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys",
        "time-sig 3/4 at:20",
        "note Keys C4 at:1.1 dur:w",
        "note Keys C4 at:40.1 dur:w",
        "note Keys E4 at:40.2 dur:q",
    ] {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    assert_eq!(
        heard(&text, desk.song()),
        written(desk.song(), None),
        "{text}"
    );
    let body = text.split_once("K:C\n").unwrap().1;
    assert!(
        body.contains("\n!mf!C8 | Z18 | [M:3/4]Z20 | C6- |\nC2 z4 |]\n"),
        "{body}"
    );
    assert!(
        body.contains("[M:4/4]X19 | [M:3/4]X20 | x2 !mf!E2 x2 | X |]\n"),
        "{body}"
    );
}

#[test]
fn a_pattern_is_a_score() {
    let pattern = |meta: &[u8], pitch: u8| {
        let note = [0, 0x90, pitch, 64, 96, pitch, 0, 0, 0xff, 0x2f, 0];
        [&[0, 0xff, 3, 1, b'A' + pitch - 60][..], meta, &note].concat()
    };
    let first = pattern(&[0, 0xff, 0x58, 4, 3, 2, 24, 8], 60);
    let second = pattern(&[0, 0xff, 0x58, 4, 2, 2, 24, 8], 61);
    let mut desk = Desk::on(&smf_build::file(2, 96, &[&first, &second]));
    let answer = desk.session.act("export abc as:song.abc grid:exact");
    let expected = "! each pattern of this file is a score of its own\n  try: export abc as:song.abc grid:exact on:A";
    assert!(
        answer.is_error && answer.text.starts_with(expected),
        "{}",
        answer.text
    );
    for (ix, name, meter) in [(0, "A", "\nM:3/4\n"), (1, "B", "\nM:2/4\n")] {
        let text = score(&mut desk, &format!("grid:exact on:{name}"));
        assert_eq!(heard(&text, desk.song()), written(desk.song(), Some(ix)));
        assert!(
            text.contains(meter) && text.contains(&format!("\nT:{name}\n")),
            "{text}"
        );
    }
}

#[test]
fn files_of_all_kinds_are_written_or_refused() {
    let mut written_down = 0;
    let mut all = crate::support::corpus::corpus();
    if let Some(folder) = fcp::testing::data("midi") {
        all.extend(crate::support::data::files(&folder));
    }
    all.retain(|(_, bytes)| bytes.len() < 20_000 && fcp_midi::smf::read(bytes).is_ok());
    for (name, bytes) in all {
        let mut desk = Desk::on(&bytes);
        let action = "export abc as:song.abc grid:exact";
        let mut answer = desk.session.act(action);
        let mut part = None;
        if answer.text.contains("each pattern of this file") {
            let (_, fix) = answer.text.split_once("\n  try: ").unwrap();
            answer = desk.session.act(fix.lines().next().unwrap());
            assert!(!answer.is_error, "{name}: {}", answer.text);
            let plays = |id| desk.song().notes.iter().any(|(_, note)| note.track == id);
            part = desk.song().tracks.iter().position(|(id, _)| plays(id));
        }
        if answer.is_error {
            let known = ["there are no notes", "SMPTE frames", "a score has at most"];
            let text = &answer.text;
            assert!(known.iter().any(|why| text.contains(why)), "{name}: {text}");
            continue;
        }
        let text = std::fs::read_to_string(desk.root.path().join("song.abc")).unwrap();
        // A note without an end is written as long as there are bars for it.
        let stuck = |(_, pitch, at, _): &Sounding| {
            let mut notes = desk.song().notes.iter();
            notes.any(|(_, row)| row.dur.is_none() && (row.pitch.get(), row.at) == (*pitch, *at))
        };
        let (mut found, mut wanted) = (heard(&text, desk.song()), written(desk.song(), part));
        found.retain(|note| !stuck(note));
        wanted.retain(|note| !stuck(note));
        assert_eq!(found, wanted, "{name}\n{text}");
        written_down += 1;
    }
    assert!(written_down >= 20, "{written_down} files");
}

#[test]
fn scores_hold_the_tracks_that_are_heard() {
    let mut desk = Desk::new();
    desk.act("new");
    for op in [
        "track add Keys",
        "track add Bass",
        "note Keys C5",
        "note Bass C2",
        "mute Keys",
    ] {
        desk.run(op);
    }
    let pitches = |desk: &mut Desk, more: &str| -> Vec<u8> {
        let notes = tune(&score(desk, more)).notes;
        notes.iter().map(|note| note.pitch).collect()
    };
    assert_eq!(pitches(&mut desk, ""), [36]);
    // A named track is exported even if it is muted.
    assert_eq!(pitches(&mut desk, "on:Keys"), [72]);
    for (action, left_out) in [
        ("export abc as:a", "; left out: Keys"),
        ("export musicxml as:b", "; left out: Keys"),
        ("export events as:c audible:on", "; left out: Keys"),
        ("export events as:d", ""),
        ("export abc as:e on:Keys", ""),
    ] {
        let reply = desk.act(action);
        assert!(reply.ends_with(&format!(" bytes){left_out}")), "{reply}");
    }
    let lines = |file: &str| {
        let text = std::fs::read_to_string(desk.root.path().join(file)).unwrap();
        text.lines().count()
    };
    assert!(lines("c") < lines("d"));
}
