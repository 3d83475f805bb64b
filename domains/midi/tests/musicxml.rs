//! MusicXML scores match the song: read again by an XML parser, they have its pitches at its beats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::support::scores::{self, random_song, written};
use crate::support::{Desk, smf_build};
use fcp::endpoint::Endpoint;
use roxmltree::{Document, Node};

/// A note: its part, pitch, start and length in ticks.
type Sounding = (usize, u8, u64, u64);

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn text<'a>(node: Node<'a, 'a>, name: &str) -> Option<&'a str> {
    child(node, name)?.text()
}

fn number(node: Node<'_, '_>, name: &str) -> Option<u64> {
    text(node, name)?.parse().ok()
}

/// The pitch of a note of a score, in a part that sounds a number of octaves higher than written;
/// `drums` are the pitches of the score's instruments.
fn pitch(note: Node<'_, '_>, drums: &BTreeMap<String, u8>, higher: i32) -> u8 {
    if let Some(pitch) = child(note, "pitch") {
        let step = text(pitch, "step").unwrap();
        let step = [
            ("C", 0),
            ("D", 2),
            ("E", 4),
            ("F", 5),
            ("G", 7),
            ("A", 9),
            ("B", 11),
        ]
        .into_iter()
        .find(|(name, _)| *name == step)
        .unwrap()
        .1;
        let alter: i32 = text(pitch, "alter").map_or(0, |alter| alter.parse().unwrap());
        let octave: i32 = text(pitch, "octave").unwrap().parse().unwrap();
        assert!(octave <= 9, "octave {octave}");
        return u8::try_from((octave + higher + 1) * 12 + step + alter).unwrap();
    }
    let instrument = child(note, "instrument").unwrap();
    drums[instrument.attribute("id").unwrap()]
}

/// The notes of a score, with ties joined. Checks that every measure has the same length in each
/// voice.
fn heard(score: &str) -> BTreeSet<Sounding> {
    let document = Document::parse(score).unwrap();
    let root = document.root_element();
    let mut drums = BTreeMap::new();
    for node in root
        .descendants()
        .filter(|n| n.has_tag_name("midi-instrument"))
    {
        if let Some(struck) = number(node, "midi-unpitched") {
            let id = node.attribute("id").unwrap().to_owned();
            drums.insert(id, u8::try_from(struck - 1).unwrap());
        }
    }
    let mut heard = BTreeSet::new();
    let parts = root.children().filter(|node| node.has_tag_name("part"));
    for (part, node) in parts.enumerate() {
        let mut start = 0;
        let higher = node
            .descendants()
            .find(|node| node.has_tag_name("octave-change"));
        let higher = higher.map_or(0, |node| node.text().unwrap().parse().unwrap());
        // Open ties, by voice and pitch: their starts.
        let mut tied: BTreeMap<(String, u8), u64> = BTreeMap::new();
        for measure in node.children().filter(|node| node.has_tag_name("measure")) {
            let (mut at, mut furthest, mut onset) = (start, start, start);
            for node in measure.children() {
                let length = number(node, "duration").unwrap_or(0);
                match node.tag_name().name() {
                    "backup" => {
                        assert_eq!(at, furthest, "a voice is as long as its measure");
                        at -= length;
                        assert_eq!(at, start);
                    }
                    "forward" => at += length,
                    "note" => {
                        if child(node, "chord").is_none() {
                            onset = at;
                            at += length;
                        }
                        if child(node, "rest").is_none() {
                            let pitch = pitch(node, &drums, higher);
                            let voice = text(node, "voice").unwrap().to_owned();
                            let ties = |way| {
                                let mut ties = node.children().filter(|n| n.has_tag_name("tie"));
                                ties.any(|tie| tie.attribute("type") == Some(way))
                            };
                            let key = (voice, pitch);
                            let from = match ties("stop") {
                                true => tied.remove(&key).unwrap(),
                                false => onset,
                            };
                            if ties("start") {
                                tied.insert(key, from);
                            } else {
                                heard.insert((part, pitch, from, onset + length - from));
                            }
                        }
                    }
                    _ => {}
                }
                furthest = furthest.max(at);
            }
            assert_eq!(at, furthest, "a voice is as long as its measure");
            start = at;
        }
        assert!(tied.is_empty(), "a tie leads nowhere: {tied:?}");
    }
    heard
}

/// The key signatures of the first part: their times, and their fifths.
fn signatures(score: &str) -> Vec<(u64, i32)> {
    let document = Document::parse(score).unwrap();
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    let part = child(document.root_element(), "part").unwrap();
    for measure in part.children().filter(|node| node.has_tag_name("measure")) {
        let mut furthest = start;
        for node in measure.children() {
            let length = number(node, "duration").unwrap_or(0);
            match node.tag_name().name() {
                "backup" => at -= length,
                "forward" => at += length,
                "note" if child(node, "chord").is_none() => at += length,
                "attributes" => {
                    let key = child(node, "key").and_then(|key| text(key, "fifths"));
                    found.extend(key.map(|fifths| (at, fifths.parse().unwrap())));
                }
                _ => {}
            }
            furthest = furthest.max(at);
        }
        (start, at) = (furthest, furthest);
    }
    found
}

fn score(desk: &mut Desk, more: &str) -> String {
    desk.act(&format!("export musicxml as:song.musicxml force {more}"));
    std::fs::read_to_string(desk.root.path().join("song.musicxml")).unwrap()
}

#[test]
fn a_score_has_the_pitches_and_beats_of_its_song() {
    let mut desk = Desk::new();
    desk.act("new \"A & B\" tempo:96 key:D-major time-sig:3/4");
    let marker = "marker \"A <b>\" at:2";
    for op in scores::SONG.into_iter().chain([marker]) {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    assert_eq!(heard(&text), written(desk.song(), None));
    for part in [
        "<work-title>A &amp; B</work-title>",
        "<part-name>Bass</part-name>",
        "<fifths>2</fifths><mode>major</mode>",
        "<fifths>-2</fifths><mode>major</mode>",
        "<beats>6</beats><beat-type>8</beat-type>",
        "<sign>F</sign><line>4</line>",
        "<sign>percussion</sign>",
        "<offset>480</offset><sound tempo=\"120\"/>",
        "<rehearsal>A &lt;b&gt;</rehearsal>",
        "<dynamics><f/></dynamics>",
        "<dynamics><pp/></dynamics>",
        "<syllabic>begin</syllabic><text>Twin</text>",
        "<syllabic>end</syllabic><text>kle</text>",
        "<actual-notes>3</actual-notes><normal-notes>2</normal-notes>",
        "<tied type=\"start\"/>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let some = score(&mut desk, "range:2-3");
    assert!(some.contains("<measure number=\"2\">") && !some.contains("<measure number=\"1\">"));
}

#[test]
fn notes_off_the_grid_are_moved_to_it() {
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    desk.run("note Keys C4 at:1.1.7 dur:ticks:470");
    desk.run("note Keys D4 at:1.2+ticks:111 dur:q");
    let heard = |desk: &mut Desk, more| -> Vec<(u64, u64)> {
        let notes = heard(&score(desk, more)).into_iter();
        notes.map(|(_, _, at, dur)| (at, dur)).collect()
    };
    assert_eq!(heard(&mut desk, ""), [(0, 480), (600, 480)]);
    assert_eq!(heard(&mut desk, "grid:q"), [(0, 480), (480, 480)]);
    assert_eq!(heard(&mut desk, "grid:exact"), [(7, 470), (591, 480)]);
    // A note that vanishes on the grid is as short as possible, and one slightly before the end
    // stays before it.
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    desk.run("note Keys C4 at:1.2.3 dur:ticks:2");
    desk.run("note Keys C4 at:1.4.470 dur:ticks:9");
    assert_eq!(heard(&mut desk, ""), [(480, 60), (1860, 60)]);
    assert_eq!(heard(&mut desk, "grid:e"), [(480, 240), (1680, 240)]);
}

#[test]
fn a_key_is_written_where_it_changes_and_spells_later_notes() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys",
        "note Keys C4 at:1.1 dur:w",
        "note Keys D#5 at:1.2 dur:q",
        "note Keys D#5 at:1.4 dur:q",
        "note Keys F4 at:3.1 dur:q",
        "key-sig Ab at:1.3",
        "key-sig F# at:2.2",
        "key-sig C at:3.4.240",
    ] {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    assert_eq!(heard(&text), written(desk.song(), None));
    let wanted = [(0, 0), (960, -4), (2400, 6), (5520, 0)];
    assert_eq!(signatures(&text), wanted);
    let spelled = |step: &str, alter: &str| {
        text.contains(&format!("<step>{step}</step><alter>{alter}</alter>"))
    };
    assert!(spelled("D", "1") && spelled("E", "-1") && spelled("E", "1"));
    // A range begins with the key and the tempo in effect there.
    let some = score(&mut desk, "range:2-3");
    assert_eq!(signatures(&some), [(0, -4), (480, 6), (3600, 0)]);
    assert!(some.contains("<sound tempo=\"120\"/>"));
    // No note is split by a key that equals, or is moved onto, the one before.
    desk.run("key-sig Eb at:1.3");
    desk.run("key-sig Eb at:1.4");
    let wanted = [(0, 0), (960, -3), (2400, 6), (5520, 0)];
    assert_eq!(signatures(&score(&mut desk, "")), wanted);
}

#[test]
fn triplets_are_written_as_such_whatever_a_quarter_is_cut_into() {
    let mut desk = Desk::new();
    desk.act("new ppqn:256");
    desk.run("track add Keys");
    desk.run("phrase Keys \"C4/e3 D4 E4 F4/q\"");
    let text = score(&mut desk, "");
    assert!(text.contains("<divisions>768</divisions>"), "{text}");
    let heard: Vec<_> = heard(&text)
        .into_iter()
        .map(|note| (note.2, note.3))
        .collect();
    assert_eq!(heard, [(0, 256), (256, 256), (512, 256), (768, 768)]);
    assert_eq!(
        text.matches("<type>eighth</type><time-modification>")
            .count(),
        3
    );
}

#[test]
fn random_songs_have_the_pitches_and_beats_they_had() {
    for seed in 1..=12 {
        for (ppqn, apart, more) in [
            (480, &[60, 80, 240][..], ""),
            (96, &[1, 5, 24], "grid:exact"),
            (25, &[1, 7], "grid:exact"),
        ] {
            let mut desk = random_song(seed, ppqn, apart);
            let text = score(&mut desk, more);
            let wanted = written(desk.song(), None);
            assert!(wanted.len() > 20);
            assert_eq!(heard(&text), wanted, "{seed} {ppqn}");
        }
    }
}

#[test]
fn notes_below_the_octaves_of_scores_are_written_higher() {
    for (key, low, change) in [
        ("C", "C-1,C4", "-1"),
        ("C#", "midi:0,C4", "-2"),
        ("C#", "midi:12,G4", "-1"),
    ] {
        let mut desk = Desk::blank();
        let pitches = low.replace("midi:", "");
        for op in [
            "track add Keys instrument:piano",
            "track add Drums instrument:standard-kit",
            &format!("key-sig {key}"),
            &format!("note Keys {pitches} at:1.1"),
            "note Drums kick at:1.1",
        ] {
            desk.run(op);
        }
        let text = score(&mut desk, "");
        assert_eq!(heard(&text), written(desk.song(), None), "{text}");
        let element = format!("<octave-change>{change}</octave-change>");
        assert_eq!(text.matches(&element).count(), 1, "{text}");
        assert!(!text.contains("<octave>-"));
    }
}

#[test]
fn a_track_is_written_alone() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys instrument:piano",
        "track add Bass instrument:bass",
        "note Keys C4 at:1.1",
        "note Bass C2 at:4.1",
        "lyric song la at:1",
    ] {
        desk.run(op);
    }
    let text = score(&mut desk, "on:Bass");
    assert_eq!(heard(&text), written(desk.song(), Some(1)));
    assert!(text.contains("<part-name>Bass</part-name>") && !text.contains("Keys"));
    // It is the same as in the whole score.
    assert_eq!(text.matches("<measure ").count(), 4);
    let xml = score(&mut desk, "on:Keys");
    assert!(xml.contains("<text>la</text>") && !text.contains("<text>la</text>"));
}

#[test]
fn each_pattern_of_a_file_is_a_score() {
    let pattern = |name: &str, metas: &[u8], at: u8, pitch: u8| {
        let named = [&[0, 0xff, 3, name.len() as u8], name.as_bytes()].concat();
        let note = [at, 0x90, pitch, 64, 96, pitch, 0, 0, 0xff, 0x2f, 0];
        [&named, metas, &note].concat()
    };
    let three = [0, 0xff, 0x58, 4, 3, 2, 24, 8, 0, 0xff, 0x59, 2, 2, 0];
    let two = [0, 0xff, 0x58, 4, 2, 2, 24, 8];
    let waltz = pattern("Waltz", &three, 0, 54);
    let march = pattern("A march", &two, 48, 64);
    let mut desk = Desk::on(&smf_build::file(2, 96, &[&waltz, &march]));
    let answer = desk.session.act("export musicxml as:\"my song.musicxml\"");
    let expected = "! each pattern of this file is a score of its own\n  try: export musicxml as:\"my song.musicxml\" on:Waltz";
    assert!(
        answer.is_error && answer.text.starts_with(expected),
        "{}",
        answer.text
    );
    desk.act("export musicxml as:\"my song.musicxml\" on:Waltz");
    let waltz = score(&mut desk, "on:Waltz");
    assert_eq!(heard(&waltz), written(desk.song(), Some(0)));
    assert!(waltz.contains("<beats>3</beats>") && waltz.contains("<fifths>2</fifths>"));
    assert!(waltz.contains("<work-title>Waltz</work-title>"));
    let march = score(&mut desk, "on:\"A march\"");
    assert_eq!(heard(&march), written(desk.song(), Some(1)));
    assert!(march.contains("<beats>2</beats>") && march.contains("<fifths>0</fifths>"));
    assert_eq!(march.matches("<measure ").count(), 1);
}

#[test]
fn too_many_keys_for_the_voices_are_rejected() {
    // Six hundred notes that end one after the other, and a key on each tick of the second bar.
    let mut track = Vec::new();
    for n in 0..600_u16 {
        track.extend([0, 0x90, (n % 100) as u8, 64]);
    }
    for n in 0..600_u16 {
        track.extend([1, 0x80, (n % 100) as u8, 64]);
    }
    track.extend([0x8a, 0x28, 0xff, 0x59, 2, 7, 0]);
    for n in 1..1800_u16 {
        track.extend([1, 0xff, 0x59, 2, (n % 7) as u8, 0]);
    }
    track.extend([0, 0x90, 60, 64, 1, 60, 0, 0, 0xff, 0x2f, 0]);
    let mut desk = Desk::on(&smf_build::file(1, 480, &[&track]));
    for action in ["export musicxml as:x.xml", "export abc as:x.abc"] {
        let answer = desk.session.act(&format!("{action} grid:exact"));
        let expected = "! it has 1801 keys in 600 voices; a score has at most 1747\n";
        assert!(answer.text.starts_with(expected), "{}", answer.text);
        let fix = format!("  try: {action} grid:exact range:1-1");
        assert!(answer.text.contains(&fix), "{}", answer.text);
        desk.act(&format!("{action} grid:exact range:1-1"));
        // On the grid there are fewer.
        desk.act(&format!("{action} force"));
    }
}

#[test]
fn a_score_that_is_too_long_suggests_a_range_that_fits() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys",
        "note Keys C4 at:1.1 dur:w",
        "note Keys E4 at:1.2 dur:w",
        "note Keys G4 at:70000.1",
    ] {
        desk.run(op);
    }
    let refused = |desk: &mut Desk, more: &str| {
        let answer = desk
            .session
            .act(&format!("export musicxml as:x.musicxml {more}"));
        assert!(answer.is_error);
        let (problem, fix) = answer.text.split_once("\n  try: ").unwrap();
        let fix = fix.lines().next().unwrap().to_owned();
        desk.act(&fix);
        (problem.to_owned(), fix)
    };
    let expected = "! it has 70000 bars in 2 voices; a score has at most 65536";
    let fix = "export musicxml as:x.musicxml range:1-65536";
    assert_eq!(
        refused(&mut desk, ""),
        (expected.to_owned(), fix.to_owned())
    );
    assert_eq!(refused(&mut desk, "range:1-70000 force").0, expected);
}

#[test]
fn files_of_all_kinds_are_written_or_refused() {
    let mut written_down = 0;
    for (name, bytes) in crate::support::corpus::corpus() {
        let mut desk = Desk::on(&bytes);
        let action = "export musicxml as:song.musicxml grid:exact";
        let mut answer = desk.session.act(action);
        let mut part = None;
        if answer.text.contains("each pattern of this file") {
            // The repair works.
            let (_, fix) = answer.text.split_once("\n  try: ").unwrap();
            let (_, on) = fix.lines().next().unwrap().split_once(" on:").unwrap();
            let plays = |id| desk.song().notes.iter().any(|(_, note)| note.track == id);
            part = desk.song().tracks.iter().position(|(id, _)| plays(id));
            answer = desk.session.act(&format!("{action} on:{on}"));
            assert!(!answer.is_error, "{name}: {}", answer.text);
        }
        if answer.is_error {
            let known = ["there are no notes", "SMPTE frames", "a score has at most"];
            let text = &answer.text;
            assert!(known.iter().any(|why| text.contains(why)), "{name}: {text}");
            continue;
        }
        let text = std::fs::read_to_string(desk.root.path().join("song.musicxml")).unwrap();
        // A note without an end is written as long as there are bars for it.
        let stuck = |(_, pitch, at, _): &Sounding| {
            let mut notes = desk.song().notes.iter();
            notes.any(|(_, row)| row.dur.is_none() && (row.pitch.get(), row.at) == (*pitch, *at))
        };
        let mut wanted = written(desk.song(), part);
        let mut found = heard(&text);
        found.retain(|note| !stuck(note));
        wanted.retain(|note| !stuck(note));
        assert_eq!(found, wanted, "{name}");
        written_down += 1;
    }
    assert!(written_down >= 20, "{written_down} files");
}
