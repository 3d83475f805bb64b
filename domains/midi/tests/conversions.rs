//! Conversions of files: to one chunk or many, with the tracks of a second file, and to lines of
//! events.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeMap;
use std::fs;

use crate::support::corpus::corpus;
use crate::support::data::files;
use crate::support::smf_build::{END, single};
use crate::support::{Desk, differences};
use fcp::testing::{Server, say};
use fcp_midi::smf;
use midly::{MetaMessage, MidiMessage, Smf, TrackEventKind};
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-midi");

/// The count of each event of a file, by tick and bytes, without ends, names and channel prefixes.
fn content(bytes: &[u8]) -> BTreeMap<String, usize> {
    let file = smf::read(bytes).unwrap();
    let mut all = BTreeMap::new();
    for line in smf::export_events(&file).lines() {
        let (_, event) = line.split_once(' ').unwrap();
        let (_, hex) = event.split_once(' ').unwrap();
        if !["ff03", "ff20", "ff2f"]
            .iter()
            .any(|aside| hex.replace(' ', "").starts_with(aside))
        {
            *all.entry(event.to_owned()).or_default() += 1;
        }
    }
    all
}

fn names(bytes: &[u8]) -> Vec<String> {
    let smf = Smf::parse(bytes).unwrap();
    let events = smf.tracks.iter().flatten();
    let names = events.filter_map(|event| match event.kind {
        TrackEventKind::Meta(MetaMessage::TrackName(name)) => Some(name),
        _ => None,
    });
    names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

#[test]
fn a_file_of_one_kind_becomes_the_other_and_back() {
    let mut all = corpus();
    if let Some(folder) = fcp::testing::data("midi") {
        all.extend(files(&folder));
    }
    all.retain(|(_, bytes)| bytes.len() < 20_000 && smf::read(bytes).is_ok());
    let mut converted = 0;
    for (name, bytes) in &all {
        let mut desk = Desk::on(bytes);
        let (format, sound) = (
            desk.song().file.header.format,
            desk.song().tracks.len() < 200,
        );
        let damaged = desk
            .song()
            .chunks
            .iter()
            .any(|(_, chunk)| chunk.fault.is_some());
        // Bytes that read as a chunk only because a track follows them are trailing bytes without
        // it.
        let odd = desk
            .song()
            .chunks
            .iter()
            .any(|(_, chunk)| !chunk.name.is_ascii() || chunk.name[0] < b' ');
        if format > 1 || damaged || odd || !sound {
            continue;
        }
        let before = desk.bytes();
        let to = 1 - format;
        let reply = desk.act(&format!("save as:other.mid smf:{to}"));
        assert!(
            reply.contains(&format!("; SMF {format} -> {to}")),
            "{name}: {reply}"
        );
        assert_eq!(desk.song().file.header.format, to);
        desk.settles(name);
        if !reply.contains("overlapping notes:") {
            assert_eq!(content(&desk.bytes()), content(&before), "{name}");
        }
        let there = desk.bytes();
        desk.act(&format!("save as:back.mid smf:{format}"));
        desk.settles(name);
        desk.act("undo");
        assert!(desk.bytes() == there, "{name}: undo of the way back");
        desk.act("undo");
        assert!(desk.bytes() == before, "{name}: undo");
        desk.act("redo 2");
        desk.settles(name);
        converted += 1;
    }
    assert!(converted > 20, "{converted} files");
    say(&format!("{converted} files converted"));
}

#[test]
fn names_stay_behind_prefixes_and_come_back() {
    let mut desk = Desk::blank();
    for op in [
        "title Harbor",
        "track add Keys instrument:piano",
        "track add Bass instrument:bass",
        "track add Pad instrument:piano ch:1",
        "note Keys C5 at:1",
        "note Pad C5 at:1.1+e dur:q",
        "note Bass C2 at:1",
    ] {
        desk.run(op);
    }
    let reply = desk.act("save as:zero.mid smf:0");
    assert!(
        reply.starts_with(
            "* Saved zero.mid (SMF 0, 1 chunk); SMF 1 -> 0, 4 chunks made one; Pad merged into Keys on channel 1; \
             overlapping notes: 1 shortened\n  "
        ),
        "{reply}"
    );
    let zero = fs::read(desk.root.path().join("zero.mid")).unwrap();
    assert_eq!(names(&zero), ["Harbor", "Keys", "Bass", "Pad"]);
    let mut other = Desk::on(&zero);
    let reply = other.act("save as:one.mid smf:1");
    assert!(
        reply.contains("SMF 0 -> 1, 2 tracks in a chunk each"),
        "{reply}"
    );
    let one = fs::read(other.root.path().join("one.mid")).unwrap();
    assert_eq!(names(&one), ["Harbor", "Keys", "Pad", "Bass"]);
    assert!(other.ask("tracks").contains("Keys"));
    // Nothing to convert.
    let reply = other.act("save smf:1");
    assert!(
        reply.starts_with("* Saved one.mid (SMF 1, 3 chunks)\n"),
        "{reply}"
    );
    for wrong in [
        "save as:x.mid smf:2",
        "save as:x.mid smf:x",
        "save as:x.mid audible:x",
        "save as:x.mid smff:0",
    ] {
        let answer = fcp::endpoint::Endpoint::act(&mut other.session, wrong);
        assert!(answer.is_error, "{wrong}: {}", answer.text);
        assert!(!other.root.path().join("x.mid").exists());
    }
}

#[test]
fn a_failed_save_converts_nothing() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    desk.act("save as:here.mid");
    let before = (desk.digest(), desk.bytes());
    let answer = fcp::endpoint::Endpoint::act(&mut desk.session, "save as:no/where.mid smf:0");
    assert!(answer.is_error, "{}", answer.text);
    assert_eq!((desk.digest(), desk.bytes()), before);
    assert!(desk.act("undo").contains("undone 1 op: track"));
}

#[test]
fn sixteen_channels_of_one_chunk_are_sixteen_tracks() {
    let root = tempdir().unwrap();
    let mut track = Vec::new();
    for channel in 0..16 {
        track.extend([0, 0x90 | channel, 60, 100, 96, 0x80 | channel, 60, 64]);
    }
    track.extend(b"\0\xff\x2f\0");
    fs::write(root.path().join("all.mid"), single(&track)).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    let reply = server.act("open all.mid");
    assert!(
        reply.contains("SMF 0") && reply.contains("16 tracks"),
        "{reply}"
    );
    for number in 1..=16 {
        server.run(&[&format!("note {number} C6 at:end")]);
    }
    server.act("save as:more.mid");
    let bytes = fs::read(root.path().join("more.mid")).unwrap();
    let smf = Smf::parse(&bytes).unwrap();
    assert_eq!(
        (smf.header.format, smf.tracks.len()),
        (midly::Format::SingleTrack, 1)
    );
    let mut on: Vec<u8> = Vec::new();
    for event in &smf.tracks[0] {
        if let TrackEventKind::Midi {
            channel,
            message: MidiMessage::NoteOn { key, .. },
        } = event.kind
            && key == 84
        {
            on.push(channel.as_int());
        }
    }
    on.sort_unstable();
    assert_eq!(on, (0..16).collect::<Vec<u8>>());
}

#[test]
fn one_velocity_is_one_line_of_the_events() {
    let root = tempdir().unwrap();
    let mut files = 0;
    for (name, bytes) in corpus() {
        let Ok(file) = smf::read(&bytes) else {
            continue;
        };
        if file.first_fault().is_some() {
            continue;
        }
        fs::write(root.path().join("song.mid"), &bytes).unwrap();
        let mut server = Server::new(PROGRAM, root.path());
        server.act("open song.mid");
        let listed = server.query("list @type:note limit:1");
        let first = listed.lines().next().and_then(|line| line.rsplit_once('#'));
        let Some(Ok(id)) = first.map(|(_, id)| id.parse::<u32>()) else {
            continue;
        };
        let export = |server: &mut Server, to: &str| {
            server.act(&format!("export events as:{to} force"));
            fs::read_to_string(root.path().join(to)).unwrap()
        };
        let before = export(&mut server, "before.txt");
        assert_eq!(before, smf::export_events(&file), "{name}");
        server.run(&[
            &format!("modify #{id} vel:1"),
            &format!("modify #{id} vel:2"),
        ]);
        server.act("save as:after.mid force");
        let after = export(&mut server, "after.txt");
        let (gone, new) = differences(&before, &after);
        // A note with velocity 2 already is not changed.
        if (gone.len(), new.len()) == (0, 0) {
            continue;
        }
        assert_eq!((gone.len(), new.len()), (1, 1), "{name}: {gone:?} {new:?}");
        let number = |line: &str| line.split(' ').next().unwrap().parse::<usize>().unwrap();
        assert_eq!(number(&gone[0]), number(&new[0]));
        let saved = smf::read(&fs::read(root.path().join("after.mid")).unwrap()).unwrap();
        for (ix, (was, is)) in file.tracks().zip(saved.tracks()).enumerate() {
            assert!(ix == number(&gone[0]) || was == is, "{name}: chunk {ix}");
        }
        files += 1;
    }
    assert!(files > 20, "{files} files");
}

#[test]
fn tracks_of_another_file_come_at_its_beats() {
    let root = tempdir().unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("new \"Other\" ppqn:96 tempo:90 time-sig:3/4");
    server.run(
        &[
            "track add Flute instrument:flute",
            "track add Drums instrument:standard-kit",
            "phrase Flute \"C5/q D5/e E5/e F5/q\" lyrics:\"la li lu le\"",
            "note Drums kick at:2",
            "bend Flute 512 at:1.2",
            "marker Turn at:2",
        ]
        .map(|op| {
            if op.starts_with("phrase") {
                "phrase Flute \"C5/q D5/e E5/e F5/q\""
            } else {
                op
            }
        }),
    );
    server.act("save as:other.mid");
    server.act("new \"Song\" ppqn:480");
    server.run(&["track add Piano instrument:piano", "note Piano C4"]);
    let reply = server.act("import other.mid at:3 prefix:\"B \"");
    let wanted = "+ Imported other.mid at 3.1: 2 tracks, 5 notes\n  left behind: 1 tempo, 1 meter, 1 marker\n  channel 1 -> 2\n";
    assert!(reply.starts_with(wanted), "{reply}");
    assert!(reply.contains("\n[3t 7e "), "{reply}");
    let events = server.query("events \"B Flute\"");
    for line in [
        "3.1 C5 q",
        "3.2 bend 512",
        "3.2 D5 e",
        "3.2.240 E5 e",
        "3.3 F5 q",
    ] {
        assert!(events.contains(line), "{line}\n{events}");
    }
    assert!(server.query("events \"B Drums\"").contains("3.4 kick"));
    let before = server.act("status");
    server.act("undo");
    assert!(server.query("tracks").lines().count() == 1);
    server.act("redo");
    assert_eq!(server.act("status").lines().last(), before.lines().last());
    for wrong in ["import nowhere.mid", "import other.mid at:0", "import"] {
        server.no_act(wrong);
    }
    server.act("save as:all.mid");
    assert_eq!(
        names(&fs::read(root.path().join("all.mid")).unwrap()),
        ["Song", "Piano", "B Flute", "B Drums"]
    );
}

#[test]
fn a_new_song_is_as_requested() {
    let root = tempdir().unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("new \"T\" time-sig:6/8 key:Eb ppqn:96 smf:0 tempo:132");
    server.act("save as:t.mid");
    let bytes = fs::read(root.path().join("t.mid")).unwrap();
    let smf = Smf::parse(&bytes).unwrap();
    assert_eq!(smf.header.format, midly::Format::SingleTrack);
    assert_eq!(smf.header.timing, midly::Timing::Metrical(96.into()));
    let metas: Vec<String> = smf.tracks[0]
        .iter()
        .map(|event| format!("{:?}", event.kind))
        .collect();
    let all = metas.join(" ");
    for part in [
        "TimeSignature(6, 3,",
        "KeySignature(-3, false)",
        "Tempo(u24(454545))",
        "TrackName(",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    for wrong in [
        "new tempo:0",
        "new time-sig:4/3",
        "new key:H",
        "new ppqn:1",
        "new smf:3",
        "new tempoo:90",
    ] {
        let text = server.no_act(wrong);
        assert!(text.starts_with("! "), "{wrong}: {text}");
    }
}

#[test]
fn a_prefix_holds_for_names_until_an_event_of_a_channel_or_another_prefix() {
    // Other metas may follow a prefix, and so may the name of a channel without events. Of two
    // names the first holds.
    let track = b"\0\xff\x03\x01T\0\xff\x20\x01\x01\0\xff\x01\x01x\x10\xff\x03\x01B\0\xff\x03\x01b\
        \0\xff\x20\x01\x00\0\x91\x3c\x40\0\xff\x03\x01n\0\xff\x20\x01\x04\0\xff\x03\x01E\
        \0\xff\x20\x01\x00\0\xff\x20\x01\x10\0\xff\x03\x01z\x10\x81\x3c\x40\0\x90\x40\x40\x10\x40\0";
    let bytes = single(&[&track[..], END].concat());
    let mut desk = Desk::on(&bytes);
    let named = |desk: &Desk| -> Vec<String> {
        let tracks = desk.song().tracks.iter();
        tracks.map(|(_, row)| row.name.clone()).collect()
    };
    assert_eq!(named(&desk), ["ch-1", "B", "E"]);
    assert!(desk.ask("map").starts_with("Song: T\n"));
    assert!(desk.bytes() == bytes);
    // One byte of one name.
    desk.run("rename B C");
    let (gone, came) = differences(
        &smf::export_events(&smf::read(&bytes).unwrap()),
        &desk.events(),
    );
    assert_eq!(
        (gone, came),
        (
            vec!["0 16 ff030142".to_owned()],
            vec!["0 16 ff030143".to_owned()]
        )
    );
    desk.act("undo");
    assert!(desk.bytes() == bytes && named(&desk)[1] == "B");
    // A note between prefix and name removes the name, as it will when the file is opened.
    for (op, names) in [
        ("note ch-1 C2 at:tick:8", ["ch-1", "ch-2", "E"]),
        ("remove @type:note @track:E|B", ["n", "B", "E"]),
        ("rename ch-1 Lead", ["Lead", "B", "E"]),
    ] {
        desk.run(op);
        assert_eq!(named(&desk), names, "{op}");
        desk.settles(op);
        desk.act("undo");
        assert!(desk.bytes() == bytes, "{op}");
    }
}

#[test]
fn a_save_keeps_the_kind_of_the_file_unless_forced() {
    let root = tempdir().unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    let path = root.path().join("k.mid");
    let kind = || fs::read(&path).unwrap()[9];
    server.act("new");
    server.run(&["track add A", "note A C4", "track add B", "note B C4"]);
    server.act("save as:k.mid");
    server.act("open k.mid");
    for action in ["save smf:0", "save as:k.mid smf:0", "save ./k.mid smf:0"] {
        let text = server.no_act(action);
        assert!(
            text.starts_with("! ") && text.contains("k.mid is SMF 1; force makes it SMF 0"),
            "{text}"
        );
        assert!(text.contains("k-2.mid"), "{text}");
        assert_eq!(kind(), 1);
    }
    assert!(
        server
            .no_act("save smf:0")
            .ends_with("try: save smf:0 as:k-2.mid")
    );
    server.act("save smf:1");
    server.act("save smf:0 as:k-2.mid");
    // An undo that takes the conversion back does not change the new file either.
    server.act("undo");
    let text = server.no_act("save");
    assert!(
        text.contains("k-2.mid is SMF 0; force makes it SMF 1"),
        "{text}"
    );
    server.act("open k.mid");
    server.act("save smf:0 force");
    assert_eq!(kind(), 0);
    server.act("open k.mid");
    let text = server.refused(&["track merge A,B"]);
    assert!(text.contains("try: ! save as:k-2.mid smf:1"), "{text}");
}

#[test]
fn an_export_is_named_by_its_key_or_by_the_extension() {
    let root = tempdir().unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("new");
    server.run(&["track add A", "track add B", "note A C4", "note B E4"]);
    server.act("export abc as:a.abc");
    for action in [
        "export as:b.abc",
        "export format:abc as:c.txt",
        "export as:d.ABC format:ABC",
    ] {
        let text = server.act(action);
        assert!(text.starts_with("* Exported "), "{action}: {text}");
        let path = action.split("as:").nth(1).unwrap();
        let path = path.split(' ').next().unwrap();
        let read = |name: &str| fs::read(root.path().join(name)).unwrap();
        assert_eq!(read(path), read("a.abc"), "{action}");
    }
    server.act("export as:e.musicxml on:A");
    server.act("export format:smf as:f.mid");
    let text = server.no_act("export format:abd as:g.txt");
    assert!(text.ends_with("try: export abc as:g.txt"), "{text}");
}
