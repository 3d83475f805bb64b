//! Scores say what the song does: read again by an XML parser, they have its pitches at its beats.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Desk;
use fcp::endpoint::Endpoint;
use fcp_midi::Song;
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

/// The pitch of a note of a score; `drums` are the pitches of the score's instruments.
fn pitch(note: Node<'_, '_>, drums: &BTreeMap<String, u8>) -> u8 {
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
        return u8::try_from((octave + 1) * 12 + step + alter).unwrap();
    }
    let instrument = child(note, "instrument").unwrap();
    drums[instrument.attribute("id").unwrap()]
}

/// What a score says: its notes, ties joined. Every measure is as long in each voice.
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
        // What is tied on, by voice and pitch: where it began.
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
                            let pitch = pitch(node, &drums);
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

/// What a song says.
fn written(song: &Song) -> BTreeSet<Sounding> {
    let playing = song.tracks.iter().filter(|(id, _)| {
        let mut notes = song.notes.iter();
        notes.any(|(_, note)| note.track == *id)
    });
    let parts: Vec<_> = playing.map(|(id, _)| id).collect();
    let notes = song.notes.iter().map(|(_, note)| {
        let part = parts.iter().position(|id| *id == note.track).unwrap();
        let dur = note.dur.unwrap_or_else(|| u64::from(song.ppqn())).max(1);
        (part, note.pitch.get(), note.at, dur)
    });
    notes.collect()
}

fn score(desk: &mut Desk, more: &str) -> String {
    desk.act(&format!("export musicxml as:song.musicxml force {more}"));
    std::fs::read_to_string(desk.root.path().join("song.musicxml")).unwrap()
}

#[test]
fn a_score_has_the_pitches_and_beats_of_its_song() {
    let mut desk = Desk::new();
    desk.act("new \"A & B\" tempo:96 key:D-major time-sig:3/4");
    for op in [
        "track add Keys instrument:piano",
        "track add Bass instrument:bass",
        "track add Drums instrument:standard-kit",
        "phrase Keys \"F#4/q. C4+E4/e A4/q | _/h r/e B4 | C#5/e3 D5 E5 F5/h\" lyrics:\"Twin-kle lit-tle star how I won\" vel:f",
        "note Keys D3 at:1 dur:w",
        "note Keys Bb2,Eb3 at:1.2+s3 dur:h+e3 vel:pp",
        "phrase Bass \"D2/w D2/w D2/w\" at:1.2",
        "grid Drums kick x..x.. snare ..x..x step:e times:4",
        "time-sig 6/8 at:3",
        "key-sig Bb at:3",
        "tempo 120 at:2.2",
        "marker \"A <b>\" at:2",
    ] {
        desk.run(op);
    }
    let text = score(&mut desk, "");
    assert_eq!(heard(&text), written(desk.song()));
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
fn what_is_off_the_grid_is_moved_to_it() {
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
}

#[test]
fn files_of_all_kinds_are_written_or_refused() {
    let mut written_down = 0;
    for (name, bytes) in crate::support::corpus::corpus() {
        let mut desk = Desk::on(&bytes);
        let answer = desk
            .session
            .act("export musicxml as:song.musicxml grid:exact");
        if answer.is_error {
            let known = [
                "there are no notes",
                "SMPTE frames",
                "each pattern of this file",
                "a score has at most",
            ];
            let told = &answer.text;
            assert!(known.iter().any(|why| told.contains(why)), "{name}: {told}");
            continue;
        }
        let text = std::fs::read_to_string(desk.root.path().join("song.musicxml")).unwrap();
        // What nothing ends is written as long as there are bars for it.
        let stuck = |(_, pitch, at, _): &Sounding| {
            let mut notes = desk.song().notes.iter();
            notes.any(|(_, row)| row.dur.is_none() && (row.pitch.get(), row.at) == (*pitch, *at))
        };
        let (mut found, mut wanted) = (heard(&text), written(desk.song()));
        found.retain(|note| !stuck(note));
        wanted.retain(|note| !stuck(note));
        assert_eq!(found, wanted, "{name}");
        written_down += 1;
    }
    assert!(written_down >= 20, "{written_down} files");
}
