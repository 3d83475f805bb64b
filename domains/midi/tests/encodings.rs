//! Texts are written in the encoding of a file's texts, and no other byte changes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;

use crate::support::Desk;
use crate::support::piped::server;
use crate::support::smf_build::{END, file};
use fcp::endpoint::Endpoint;
use midly::{MetaMessage, Smf, TrackEventKind};

/// A file whose title and texts are Latin-1: `ü` is the byte FC.
fn latin() -> Vec<u8> {
    let conductor = b"\0\xff\x03\x06M\xfcller\0\xff\x02\x07\xa9 1999x";
    let track = b"\0\xff\x03\x05Fl\xf6te\0\xff\x05\x03gr\xfc\0\x90\x3c\x40\x60\x3c\0";
    file(
        1,
        96,
        &[&[&conductor[..], END].concat(), &[&track[..], END].concat()],
    )
}

/// The bytes of all texts, as midly reads them.
fn texts(bytes: &[u8]) -> Vec<Vec<u8>> {
    let smf = Smf::parse(bytes).unwrap();
    let events = smf.tracks.iter().flatten();
    let texts = events.filter_map(|event| match event.kind {
        TrackEventKind::Meta(
            MetaMessage::TrackName(text)
            | MetaMessage::Lyric(text)
            | MetaMessage::Text(text)
            | MetaMessage::Marker(text)
            | MetaMessage::CuePoint(text)
            | MetaMessage::Copyright(text),
        ) => Some(text.to_vec()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn a_title_in_a_latin_1_file_is_written_in_latin_1() {
    let (root, mut server) = server();
    fs::write(root.path().join("latin.mid"), latin()).unwrap();
    server.act("open latin.mid");
    let text = server.run(&["title \"Müller für Flöte\""]);
    assert!(text.starts_with("* Title \"Müller für Flöte\"\n"), "{text}");
    server.act("save as:out.mid");
    let before = texts(&latin());
    let mut after = texts(&fs::read(root.path().join("out.mid")).unwrap());
    assert_eq!(after.remove(0), b"M\xfcller f\xfcr Fl\xf6te");
    assert_eq!(after, before[1..]);
}

#[test]
fn texts_are_written_in_the_encoding_of_most_others() {
    // A damaged copyright, and two lyrics in UTF-8.
    let mut track = b"\0\xff\x02\x03\xa9 x".to_vec();
    for lyric in ["ש", "é"] {
        track.extend([0, 0xff, 5, lyric.len() as u8]);
        track.extend(lyric.as_bytes());
    }
    track.extend(b"\0\x90\x3c\x40\x60\x3c\0");
    let mut desk = Desk::on(&file(1, 96, &[&[&track[..], END].concat()]));
    let before = desk.bytes();
    let text = desk.run("modify @type:lyric text:=text");
    assert!(text.starts_with('='), "{text}");
    assert!(desk.bytes() == before, "{text}");
    let text = desk.run("UPDATE events SET text=text||'x' WHERE kind='lyric'");
    assert!(text.starts_with('*'), "{text}");
    desk.run("lyric 1 \"né\"");
    let after = texts(&desk.bytes());
    let expected = [b"\xa9 x".to_vec(), "שx".into(), "éx".into(), "né".into()];
    for text in expected {
        assert!(after.contains(&text), "{text:?} in {after:?}");
    }
}

#[test]
fn every_op_that_writes_a_text_writes_it_in_the_encoding_of_the_file() {
    let table: &[(&str, &[u8])] = &[
        ("title Grün", b"Gr\xfcn"),
        ("lyric 1 für at:2", b"f\xfcr"),
        ("marker Überleitung at:2", b"\xdcberleitung"),
        ("text 1 Größe at:2", b"Gr\xf6\xdfe"),
        ("text song Größe kind:cue", b"Gr\xf6\xdfe"),
        ("track rename 1 Hörner", b"H\xf6rner"),
        ("modify track:1 name:Hörner", b"H\xf6rner"),
        ("track add Hörner", b"H\xf6rner"),
        ("track copy 1 as:Hörner", b"H\xf6rner"),
        ("modify @type:lyric text:schön", b"sch\xf6n"),
        ("modify @type:copyright text:\"© ich\"", b"\xa9 ich"),
        ("phrase 1 \"C4/q D4\" at:2 lyrics:\"schö-ner\"", b"sch\xf6-"),
        ("title Grün encoding:utf-8", "Grün".as_bytes()),
        ("lyric 1 日本 encoding:utf-8", "日本".as_bytes()),
        (
            "modify @type:lyric text:日本 encoding:utf-8",
            "日本".as_bytes(),
        ),
    ];
    let before = texts(&latin());
    for (op, bytes) in table {
        let mut desk = Desk::on(&latin());
        let reply = desk.run(op);
        let after = texts(&desk.bytes());
        assert!(after.iter().any(|own| own == bytes), "{op}: {after:02x?}");
        let changed = before.iter().filter(|own| !after.contains(own)).count();
        assert!(changed <= 1, "{op}: {after:02x?}");
        let names_encoding = reply.contains("(in utf-8; other texts here are windows-1252)");
        assert_eq!(names_encoding, op.contains("encoding:utf-8"), "{reply}");
        desk.settles(op);
    }
}

#[test]
fn a_character_that_the_encoding_lacks_is_refused_with_two_ways_out() {
    let mut desk = Desk::on(&latin());
    let text = desk.refused("title \"東京\"");
    assert!(
        text.starts_with(
            "! windows-1252 lacks 東 (U+6771), and the texts of this file are in it; take encoding:utf-8 for this one or another spelling\n  try: title \"東京\" encoding:utf-8\n"
        ) || text.contains("try: title 東京 encoding:utf-8"),
        "{text}"
    );
    assert!(desk.bytes() == latin());
    let text = desk.refused("lyric 1 B♭");
    assert!(text.contains("or \"Bb\""), "{text}");
    // Bytes that would be valid UTF-8 would read as another text.
    let text = desk.refused("lyric 1 Ã¼");
    assert!(text.contains("would be read as other text"), "{text}");
}

#[test]
fn the_encoding_of_a_file_follows_from_its_texts() {
    // If all texts are ASCII or UTF-8, new texts are UTF-8.
    for name in [&b"Plain"[..], "Größe".as_bytes()] {
        let name = [&[0, 0xff, 3, u8::try_from(name.len()).unwrap()], name, END].concat();
        let mut desk = Desk::on(&file(1, 96, &[&name]));
        desk.run("marker für");
        assert!(texts(&desk.bytes()).contains(&"für".as_bytes().to_vec()));
    }
    // Shift-JIS, as the setting says.
    let name = [&b"\0\xff\x03\x06\x83\x73\x83\x41\x83\x6d"[..], END].concat();
    let bytes = file(1, 96, &[&name]);
    let mut desk = Desk::on(&bytes);
    desk.act("set encoding:shift-jis");
    assert!(desk.ask("map").starts_with("Song: ピアノ"));
    desk.run("marker 東京 at:2");
    assert!(texts(&desk.bytes()).contains(&b"\x93\x8c\x8b\x9e".to_vec()));
    desk.run("title ピアノ");
    assert_eq!(texts(&desk.bytes())[0], texts(&bytes)[0]);
    let text = desk.refused("title Größe");
    assert!(text.contains("shift-jis lacks ö"), "{text}");
}

#[test]
fn encodings_have_the_names_that_people_use() {
    let mut desk = Desk::on(&latin());
    for name in [
        "latin-1",
        "latin1",
        "iso-8859-1",
        "ISO_8859-1",
        "cp1252",
        "windows-1252",
        "utf-8",
        "utf8",
        "shift-jis",
        "shift_jis",
        "sjis",
    ] {
        desk.act(&format!("set encoding:{name}"));
    }
    desk.act("set encoding:latin-1");
    assert!(desk.ask("map").starts_with("Song: Müller"));
    let text = desk.ask("describe @type:lyric");
    assert!(text.contains("bytes: 67 72 fc (windows-1252)"), "{text}");
    assert!(desk.bytes() == latin());
}

/// Running status that goes on after a meta event: RP-001 cancels it there, some programs write it all the same.
#[test]
fn a_status_byte_that_an_edit_makes_necessary_is_accounted_for() {
    let events = b"\0\x90\x3c\x40\0\xff\x01\x01n\0\x40\x40\x60\x80\x3c\x40\0\x80\x40\x40\0\xff\x01\x01m\0\x43\x40";
    let given = file(0, 96, &[&[&events[..], END].concat()]);
    for op in [
        "remove @pitch:C4",
        "move @pitch:C4 to:1.3",
        "note 1 G5 at:1.3",
        "cc 1 volume 90 at:1.1",
        "program 1 5",
        "move @all by:+e",
        "humanize @all time:20 seed:3",
        "track copy 1 as:B",
        "bars insert 1 at:1",
        "UPDATE notes SET vel=vel+1",
    ] {
        let (root, mut server) = server();
        fs::write(root.path().join("carried.mid"), &given).unwrap();
        server.act("open carried.mid");
        server.run(&[op]);
        let told = server.query("diff open");
        assert!(!told.contains("by no op"), "{op}\n{told}");
        let saved = server.act("save as:out.mid force");
        assert!(!saved.contains("by no op"), "{op}\n{saved}");
        server.act("undo");
        server.act("save as:out.mid force");
        assert_eq!(
            fs::read(root.path().join("out.mid")).unwrap(),
            given,
            "{op}"
        );
    }
}

#[test]
fn a_text_in_utf_8_among_others_stays_in_utf_8() {
    let conductor = b"\0\xff\x03\x07T\xc3\xbctel1\0\xff\x01\x04caf\xe9";
    let track = b"\0\xff\x03\x01A\0\xff\x05\x05\xc3\xb6\xe6\x97\xa5\0\x90\x3c\x40\x60\x3c\0";
    let given = file(
        1,
        96,
        &[&[&conductor[..], END].concat(), &[&track[..], END].concat()],
    );
    for (op, found) in [
        (
            "UPDATE events SET text=text||'!' WHERE kind='track-name' AND track IS NULL",
            &b"T\xc3\xbctel1!"[..],
        ),
        (
            "UPDATE lyrics SET text=replace(text,'\u{65e5}','')",
            b"\xc3\xb6",
        ),
        ("modify @type:lyric text:gr\u{fc}n", b"gr\xc3\xbcn"),
        ("UPDATE texts SET text=text||'s'", b"caf\xe9s"),
        // Windows-1252 lacks this character.
        (
            "UPDATE lyrics SET text=replace(text,'\u{65e5}','\u{672c}')",
            b"\xc3\xb6\xe6\x9c\xac",
        ),
        ("modify @type:lyric text:\u{672c}", b"\xe6\x9c\xac"),
        ("title \u{672c}", b"\xe6\x9c\xac"),
        (
            "UPDATE tracks SET track='\u{672c}' WHERE nr=1",
            b"\xe6\x9c\xac",
        ),
    ] {
        let (root, mut server) = server();
        fs::write(root.path().join("mixed.mid"), &given).unwrap();
        server.act("open mixed.mid");
        server.run(&[op]);
        server.act("save as:out.mid");
        let after = texts(&fs::read(root.path().join("out.mid")).unwrap());
        assert!(after.iter().any(|text| text == found), "{op}: {after:?}");
    }
}

#[test]
fn a_text_that_stays_as_it_is_needs_no_encoding() {
    // A copyright, two empty lyrics and one that is UTF-8 in a file of windows-1252.
    let lyrics = b"\0\xff\x05\0\0\xff\x05\x03\xe6\x97\xa5\0\xff\x05\0";
    let others = b"\0\xff\x01\x04caf\xe9\0\xff\x02\x03\xa9 x\0\x90\x3c\x40\x60\x3c\0";
    let mut desk = Desk::on(&file(1, 96, &[&[&lyrics[..], others, END].concat()]));
    let before = desk.bytes();
    for op in [
        "modify @type:lyric text:=text",
        "each \"SELECT ref, text FROM lyrics\" \"modify {ref} text:{text}\"",
        "UPDATE lyrics SET text=text",
        "modify @text:\u{65e5} text:\u{65e5}",
    ] {
        let reply = desk.run(op);
        assert!(reply.starts_with('='), "{op}: {reply}");
    }
    let reply = desk.refused("modify @text:\u{65e5} text:\"\"");
    assert!(reply.contains("there is no text in \"\""), "{reply}");
    assert!(desk.bytes() == before);
}

#[test]
fn a_text_that_is_not_utf_8_is_not_written_anew_in_utf_8() {
    let conductor = b"\0\xff\x01\x04caf\xe9";
    let track = b"\0\xff\x05\x02\xc3\xb6\0\xff\x05\x03\xe6\x97\xa5\0\x90\x3c\x40\x60\x3c\0";
    let parts = [
        &[&conductor[..], END].concat()[..],
        &[&track[..], END].concat(),
    ];
    let given = file(1, 96, &parts);
    let (root, mut server) = server();
    fs::write(root.path().join("mixed.mid"), &given).unwrap();
    server.act("open mixed.mid");
    for op in [
        "UPDATE texts SET text=text||'\u{65e5}'",
        "modify @type:text text:\u{65e5}",
    ] {
        let reply = server.refused(&[op]);
        let reason = "the encoding of the old text lacks a character";
        assert!(reply.contains(reason), "{op}: {reply}");
    }
    server.run(&["modify @type:text text:\u{65e5} encoding:utf-8"]);
    server.act("save as:out.mid");
    let after = texts(&fs::read(root.path().join("out.mid")).unwrap());
    assert!(
        after.iter().any(|text| text == "\u{65e5}".as_bytes()),
        "{after:?}"
    );
}

#[test]
fn bytes_that_the_encoding_does_not_read_are_not_lost_by_an_edit() {
    // The name, "café" and the marker are in windows-1252; the lyric "はな" is in Shift-JIS.
    let conductor = b"\0\xff\x03\x02S\xe9\0\xff\x06\x02M\xe9";
    let track = b"\0\xff\x03\x02A\xe9\0\xff\x05\x04caf\xe9\0\x90\x3c\x40\x60\x3c\0\0\xff\x05\x04\x82\xcd\x82\xc8\0\x90\x48\x40\x60\x48\0";
    let parts = [
        &[&conductor[..], END].concat()[..],
        &[&track[..], END].concat(),
    ];
    let given = file(1, 96, &parts);
    let (root, mut server) = server();
    fs::write(root.path().join("mixed.mid"), &given).unwrap();
    server.act("open mixed.mid");
    for (encoding, op, row) in [
        (
            "utf-8",
            "UPDATE lyrics SET text=text||'-'",
            "Lyric \"caf\u{fffd}\"",
        ),
        (
            "utf-8",
            "modify @type:lyric text:=text||'-'",
            "Lyric \"caf\u{fffd}\"",
        ),
        (
            "utf-8",
            "modify @type:lyric text:=text||'-' encoding:utf-8",
            "Lyric \"caf\u{fffd}\"",
        ),
        (
            "utf-8",
            "each \"SELECT ref, text FROM markers\" \"modify {ref} text:{text}!\"",
            "Marker \"M\u{fffd}\"",
        ),
        ("utf-8", "UPDATE tracks SET track=track||' x'", "A\u{fffd}"),
        (
            "utf-8",
            "INSERT INTO lyrics(track,at,text) SELECT track,192,text||'+' FROM lyrics",
            "Lyric \"caf\u{fffd}\"",
        ),
        ("utf-8", "track split A\u{fffd} by:pitch:C5", "A\u{fffd}"),
        (
            "shift-jis",
            "UPDATE lyrics SET text=text||'-'",
            "Lyric \"caf\u{fffd}\"",
        ),
    ] {
        server.act(&format!("set encoding:{encoding}"));
        let reply = server.refused(&[op]);
        let reason = format!("has bytes that are not {encoding}");
        assert!(reply.contains(&reason), "{op}: {reply}");
        assert!(reply.contains(row), "{op}: {reply}");
        let way_out = "set encoding:windows-1252";
        assert!(reply.contains(way_out), "{op}: {reply}");
    }
    server.act("set encoding:windows-1252");
    server.run(&["UPDATE lyrics SET text=text||'-'"]);
    server.act("save as:out.mid");
    let after = texts(&fs::read(root.path().join("out.mid")).unwrap());
    for text in [&b"caf\xe9-"[..], b"\x82\xcd\x82\xc8-", b"A\xe9"] {
        assert!(after.iter().any(|own| own == text), "{after:?}");
    }
}

/// A file whose title "日本", track "ピアノ" and markers "ア" and "Aワ" are in Shift-JIS. Only the last one is invalid in
/// Windows-1252.
fn japanese() -> Vec<u8> {
    let conductor = b"\0\xff\x03\x04\x93\xfa\x96\x7b\0\xff\x06\x02\x83\x41\0\xff\x06\x03A\x83\x8f";
    let track = b"\0\xff\x03\x06\x83\x73\x83\x41\x83\x6d\0\x90\x3c\x40\x60\x3c\0";
    let parts = [
        &[&conductor[..], END].concat()[..],
        &[&track[..], END].concat(),
    ];
    file(1, 96, &parts)
}

#[test]
fn a_text_is_not_written_in_an_assumed_encoding_that_others_refute() {
    let refuted = "the encoding of this file's texts is unknown";
    for op in [
        "title \"é\"",
        "title \"東京\"",
        "marker \"é\" at:2",
        "lyric 1 \"é\"",
        "track add \"Flûte\"",
        "track rename 1 \"é\"",
        "modify @type:marker text:\"é\"",
        "UPDATE markers SET text='é'",
        "UPDATE tracks SET track='é'",
    ] {
        let mut desk = Desk::on(&japanese());
        let text = desk.refused(op);
        assert!(text.contains(refuted), "{op}: {text}");
        assert!(text.contains("set encoding:"), "{op}: {text}");
        assert!(text.contains("encoding:utf-8"), "{op}: {text}");
        assert!(desk.bytes() == japanese(), "{op}");
    }
    let mut desk = Desk::on(&japanese());
    let text = desk.refused("title \"é\"");
    assert!(text.contains("try: title \"é\" encoding:utf-8"), "{text}");
    // ASCII is the same in all of them, and its own characters keep their bytes.
    desk.run("marker Plain at:2");
    desk.run("UPDATE tracks SET track=track||'!' WHERE nr=1");
    desk.run("title \"é\" encoding:utf-8");
    let after = texts(&desk.bytes());
    assert_eq!(after[0], "é".as_bytes());
    assert!(after.contains(&b"\x83\x73\x83\x41\x83\x6d!".to_vec()));
    // An encoding that is set is not in doubt, even if it does not read all texts.
    for encoding in ["windows-1252", "shift-jis"] {
        let mut desk = Desk::on(&japanese());
        desk.act(&format!("set encoding:{encoding}"));
        let title = if encoding == "shift-jis" {
            "東京"
        } else {
            "é"
        };
        desk.run(&format!("title {title}"));
    }
}

#[test]
fn a_search_says_that_it_assumed_the_encoding_of_texts() {
    let mut desk = Desk::on(&japanese());
    let note = "nothing matches, but 4 texts of unknown encoding were searched as windows-1252 (set encoding: reads them in another)";
    assert_eq!(desk.ask("find 日本"), note);
    assert_eq!(desk.ask("find zebra"), "nothing matches");
    desk.act("set encoding:shift-jis");
    assert!(desk.ask("find 日本").contains("track-name \"日本\""));
    assert_eq!(desk.ask("find 東京"), "nothing matches");
    assert!(
        Desk::on(&latin())
            .ask("find für")
            .contains("nothing matches, but")
    );
    assert!(Desk::on(&latin()).ask("find grü").contains("lyric \"grü\""));
    let utf8 = [b"\0\xff\x03\x03\xe6\x97\xa5", END].concat();
    assert_eq!(
        Desk::on(&file(1, 96, &[&utf8])).ask("find 本"),
        "nothing matches"
    );
}

#[test]
fn the_note_of_a_named_encoding_does_not_name_one_that_is_only_assumed() {
    let mut desk = Desk::on(&japanese());
    let text = desk.run("title \"é\" encoding:utf-8");
    assert!(
        text.contains("(in utf-8; the encoding of other texts here is unknown)"),
        "{text}"
    );
    let mut desk = Desk::on(&latin());
    let text = desk.run("title \"é\" encoding:utf-8");
    assert!(
        text.contains("(in utf-8; other texts here are windows-1252)"),
        "{text}"
    );
}

/// A file of UTF-16 texts, two of them with a mark of it.
fn wide() -> Vec<u8> {
    let conductor = b"\0\xff\x03\x04\xfe\xffo\x22";
    let track = b"\0\xff\x03\x0aF\0l\0\xf6\0t\0e\0\0\xff\x05\x06\xff\xfe\x22oW[\0\xff\x05\x04l\0a\0\0\x90\x3c\x40\x60\x3c\0";
    let parts = [&conductor[..], &track[..]].map(|part| [part, END].concat());
    file(1, 96, &[&parts[0], &parts[1]])
}

#[test]
fn texts_are_not_written_among_utf_16_without_saying_so() {
    for op in [
        "title \"Grün\"",
        "track rename 1 \"Grün\"",
        "lyric 1 \"é\"",
        "track add \"Flûte\"",
        "modify @type:lyric text:\"ö\"",
        "UPDATE tracks SET track='Flöte'",
    ] {
        let mut desk = Desk::on(&wide());
        let text = desk.refused(op);
        assert!(
            text.contains("is UTF-16, in which texts are not written here"),
            "{op}: {text}"
        );
        assert!(text.contains("set encoding:utf-8"), "{op}: {text}");
        assert!(desk.bytes() == wide(), "{op}");
    }
    let mut desk = Desk::on(&wide());
    let text = desk.refused("track rename 1 \"Grün\"");
    assert!(
        text.contains("try: track rename 1 \"Grün\" encoding:utf-8"),
        "{text}"
    );
    let text = desk.run("track rename 1 \"Grün\" encoding:utf-8");
    assert!(
        text.contains("the encoding of other texts here is unknown"),
        "{text}"
    );
    let text = desk.session.act("set encoding:utf-16le").text;
    assert!(
        text.contains("utf-16le cannot be read or written here"),
        "{text}"
    );
    desk.act("set encoding:utf-8");
    desk.run("title \"Grün\"");
    assert!(texts(&desk.bytes()).contains(&"Grün".as_bytes().to_vec()));
}
