//! Query `find` searches everything in a song.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use crate::support::Desk;
use crate::support::smf_build::{END, chunk, file, riff, riff_chunk};

fn song() -> Desk {
    let conductor = [
        &b"\0\xff\x03\x04Song\0\xff\x01\x05maybe\0\xff\x06\x05Verse\0\xff\x07\x05sheet\0\xff\x02\x04mine"[..],
        b"\0\xff\x51\x03\x09\x27\xc0\0\xff\x58\x04\x03\x02\x18\x08\0\xff\x59\x02\xfd\x01",
        b"\0\xf0\x05\x43\x10\x4c\x00\xf7\0\xff\x7f\x05Qbase\0\xf7\x02\xf3\x01",
        END,
    ]
    .concat();
    let track = [
        &b"\0\xff\x03\x04Flit\0\xc0\x49\0\xb0\x07\x5a\0\xb0\x65\x00\0\xb0\x64\x00\0\xb0\x06\x0c"[..],
        b"\0\xff\x05\x02la\0\x90\x3c\x40\0\xa0\x3c\x30\0\xe0\x00\x50\x60\x80\x3c\x40\0\x90\x43\x00",
        END,
    ]
    .concat();
    let bytes = [
        file(1, 96, &[&conductor, &track]),
        chunk(b"XFIH", b"inner words"),
    ]
    .concat();
    Desk::on(&bytes)
}

#[test]
fn everything_is_found() {
    let table = [
        ("song", "track-name \"Song\""),
        ("flit", "Flit ch:1 flute"),
        ("may", "text \"maybe\""),
        ("verse", "marker \"Verse\""),
        ("sheet", "cue \"sheet\""),
        ("mine", "copyright \"mine\""),
        ("la", "lyric \"la\""),
        ("3/4", "meter 3/4"),
        ("c-minor", "key C-minor"),
        ("100", "tempo 100"),
        ("volume", "cc volume 90"),
        ("90", "cc volume 90"),
        // By the number of the controller, by microseconds, and by a number that is a pitch elsewhere.
        ("7", "cc volume 90"),
        ("600000", "tempo 100"),
        ("48", "touch 48 on C4"),
        ("bend-range", "rpn bend-range 12"),
        ("flute", "program 73 flute"),
        ("bend", "bend "),
        ("qbase", "meta 7f 5 bytes"),
        ("43 10 4c", "sysex 5 bytes"),
        ("43104C", "sysex 5 bytes"),
        ("F3 01", "escape 2 bytes"),
        ("XFIH", "chunk 3 XFIH 11 bytes"),
        ("inner", "chunk 3 XFIH 11 bytes"),
        ("C4", "C4 q v64"),
        ("C4", "touch 48 on C4"),
        ("note-off", "note-off G4 by note-on"),
        ("90 3c", "1.1 C4 q v64 Flit #"),
        ("90 3c", "; bytes [90 3c] 40"),
        ("80 3c", "; bytes [80 3c] 40"),
        (
            "41 f7",
            "nothing matches; not searched: the bytes of delta times",
        ),
        ("b0 64", "1.1 cc rpn-lsb 0 Flit #"),
        ("00 F7", "; bytes f0 05 43 10 4c [00 f7]"),
        ("6d 61 79", "; bytes ff 01 05 [6d 61 79] 62 65"),
        ("51 03 09", "tempo 100 #"),
        ("51 62", "; bytes ff 7f 05 [51 62] 61 73 65"),
        ("2f 00", "chunk 2: end of track; bytes ff [2f 00]"),
        (
            "72 20 77",
            "chunk 3 XFIH 11 bytes; bytes 69 6e 6e 65 [72 20 77] 6f 72 64 73",
        ),
        ("f7", "; bytes f0 05 43 10 4c 00 [f7]"),
        ("43104C", "; bytes f0 05 [43 10 4c] 00 f7"),
        (
            "4d54726b",
            "nothing matches; not searched: the bytes of delta times",
        ),
        (
            "MTrk",
            "nothing matches; not searched: the bytes of delta times",
        ),
    ];
    let mut desk = song();
    for (text, line) in table {
        let found = desk.ask(&format!("find {text}"));
        assert!(found.contains(line), "{text}: {found}");
    }
    assert_eq!(desk.ask("find zebra"), "nothing matches");
    let found = desk.ask("find 64");
    assert!(
        found.contains("not searched: velocities, lengths and ticks of notes"),
        "{found}"
    );
}

#[test]
fn types_that_replies_name_are_selectable() {
    let mut desk = song();
    for (kind, line) in [
        ("cue", "cue \"sheet\""),
        ("copyright", "copyright \"mine\""),
        ("note-off", "note-off G4 by note-on"),
        ("song", "meter 3/4"),
        ("touch", "touch 48 on C4"),
    ] {
        let text = desk.ask(&format!("list @type:{kind}"));
        assert!(text.contains(line), "{kind}: {text}");
    }
    let text = desk.ask("list @type:cue");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert_eq!(desk.ask("list @type:touch @pitch:C4").lines().count(), 1);
    assert!(
        desk.run("remove @type:note-off")
            .contains("note-off G4 by note-on")
    );
}

#[test]
fn bytes_around_the_chunks_are_found() {
    let track = [&b"\0\xff\x03\x01A"[..], END].concat();
    let plain = file(1, 96, &[&track]);
    let trailing = [&plain[..], b"trailing"].concat();
    let mut surplus = plain.clone();
    surplus[7] = 8;
    surplus.splice(14..14, *b"XY");
    let parts = [
        riff_chunk(b"DISP", b"hidden"),
        riff_chunk(b"data", &plain),
        riff_chunk(b"LIST", b"INFOafterwards"),
    ];
    let [before, data, after] = &parts;
    let riff = [riff(&[before, data, after]), b"beyond".to_vec()].concat();
    for (bytes, texts, line) in [
        (
            &trailing,
            ["trailing", "74 72 61"],
            "8 bytes after the last chunk",
        ),
        (&surplus, ["XY", "58 59"], "2 surplus bytes in the header"),
        (
            &riff,
            ["hidden", "DISP"],
            "RIFF chunk DISP \"hidden\" before the song",
        ),
        (
            &riff,
            ["afterwards", "49 4e 46"],
            "RIFF chunk LIST \"INFOafterwards\" after the song",
        ),
        (
            &riff,
            ["beyond", "62 65"],
            "6 bytes after the end of the RIFF",
        ),
    ] {
        let mut desk = Desk::on(bytes);
        for text in texts {
            let found = desk.ask(&format!("find \"{text}\""));
            let (found, mark) = found.split_once("; bytes ").unwrap_or((&found, ""));
            assert_eq!(found, line, "{text}");
            assert_eq!(
                mark.contains(&format!("[{text}]")),
                text.contains(' '),
                "{text}: {mark}"
            );
        }
        assert_eq!(desk.ask("find zebra"), "nothing matches");
    }
}
