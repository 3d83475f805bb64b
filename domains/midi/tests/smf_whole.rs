//! Wrong lengths, damage, RIFF files, files that are not MIDI, and the export of events.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

use crate::support::smf_build::{END, chunk, file, header, lying_chunk, riff, riff_chunk, single};
use fcp_midi::smf::{self, Body, Chunk, End, Event, File, TrackChunk};

fn open(bytes: &[u8]) -> File {
    let file = smf::read(bytes).unwrap();
    assert_eq!(smf::write(&file), bytes);
    file
}

fn only(file: &mut File) -> &mut TrackChunk {
    let [Chunk::Track(track)] = &mut file.chunks[..] else {
        panic!("not one track")
    };
    track
}

#[test]
fn an_edit_corrects_a_wrong_length() {
    for claimed in [3, 14, 15, 99, u32::MAX] {
        let bytes = [
            header(0, 1, 96),
            lying_chunk(
                b"MTrk",
                claimed,
                &[0, 0x90, 60, 64, 96, 60, 0, 0, 0xff, 0x2f, 0],
            ),
        ];
        let mut file = open(&bytes.concat());
        let track = only(&mut file);
        assert_eq!(track.events.len(), 2, "claimed {claimed}");
        assert_eq!(track.fault.as_ref().unwrap().offset, 18);
        track.events.remove(1);
        let content = [0, 0x90, 60, 64, 0x60, 0xff, 0x2f, 0];
        track.end = Some(End::at(96));
        assert_eq!(
            smf::write(&file),
            [header(0, 1, 96), chunk(b"MTrk", &content)].concat()
        );
    }
}

#[test]
fn a_wrong_length_hides_no_other_track() {
    let content = [&[0, 0x90, 60, 64][..], END].concat();
    for claimed in [0, 1, 7, 9, 30, 999] {
        let bytes = [
            header(1, 2, 96),
            lying_chunk(b"MTrk", claimed, &content),
            chunk(b"MTrk", &content),
        ]
        .concat();
        let file = open(&bytes);
        assert_eq!(
            file.tracks()
                .map(|track| track.events.len())
                .collect::<Vec<_>>(),
            [1, 1],
            "claimed {claimed}"
        );
        assert_eq!(file.first_fault().unwrap().0, 0);
    }
}

#[test]
fn dropped_damage_leaves_a_sound_track() {
    let mut file = open(&single(&[0, 0x90, 60, 64, 5, 0x90, 0xbc, 1, 2]));
    assert_eq!(only(&mut file).fault.as_ref().unwrap().offset, 14 + 8 + 6);
    let track = only(&mut file);
    assert_eq!(track.drop_damage(), 5);
    assert_eq!(
        smf::write(&file),
        single(&[&[0, 0x90, 60, 64][..], END].concat())
    );
}

#[test]
fn a_riff_file_stays_one_when_its_content_changes() {
    let sound = [&[0, 0x90, 60, 64][..], END].concat();
    let longer = [&[0, 0x90, 60, 64, 9, 0xc0, 3][..], END].concat();
    let info = riff_chunk(b"LIST", b"INFOINAM\x02\0\0\0hi");
    for (before, after) in [
        (&b""[..], &b""[..]),
        (&info, b""),
        (b"", &info),
        (&info, &info),
    ] {
        let mut file = open(&riff(&[
            before,
            &riff_chunk(b"data", &single(&sound)),
            after,
        ]));
        let track = only(&mut file);
        track.events.push(Event::new(
            9,
            Body::Channel {
                status: 0xc0,
                data: [3, 0],
            },
        ));
        // The content has an odd length now: padding follows.
        let expected = riff(&[before, &riff_chunk(b"data", &single(&longer)), &[0], after]);
        assert_eq!(smf::write(&file), expected);
        let mut file = open(&expected);
        let track = only(&mut file);
        track.events.pop();
        track.end = Some(End::at(0));
        assert_eq!(
            smf::write(&file),
            riff(&[before, &riff_chunk(b"data", &single(&sound)), after])
        );
    }
}

#[test]
fn files_that_are_not_midi_are_named() {
    let cut = &file(0, 96, &[END])[..13];
    for (bytes, message, offset) in [
        (&b""[..], "it is empty", 0),
        (b"<?xml version", "byte 0 holds \"<?xm\", not MThd", 0),
        (
            b"X:1\nT:Tune\nK:C\nCDEF|",
            "it holds ABC notation, which is written but not read; write its notes with phrase: phrase TRACK \"C4/e D E F | G4/q A4/h\"",
            0,
        ),
        (
            b"\xef\xbb\xbf%abc-2.1\n\nX: 12\nK:C\n",
            "it holds ABC notation, which is written but not read; write its notes with phrase: phrase TRACK \"C4/e D E F | G4/q A4/h\"",
            0,
        ),
        (b"X:\n", "byte 0 holds 58 3A 0A, not MThd", 0),
        (b"\x89PNG\r\n", "byte 0 holds 89 50 4E 47, not MThd", 0),
        (
            cut,
            "the header MThd at byte 0 is cut off, 13 of 14 bytes",
            13,
        ),
        (
            b"SMF2CLIP\0\0",
            "byte 0 begins a MIDI 2.0 clip file (SMF2CLIP), which is another format",
            0,
        ),
        (
            b"RIFF\x04\0",
            "a RIFF header of 12 bytes, cut off at byte 6",
            6,
        ),
        (
            b"RIFF\x10\0\0\0WAVEfmt \0\0\0\0",
            "a RIFF file of the form \"WAVE\", without a chunk data that begins with MThd",
            8,
        ),
    ] {
        let error = smf::read(bytes).unwrap_err();
        assert_eq!(
            (error.to_string(), error.offset),
            (format!("not a MIDI file: {message}"), offset)
        );
    }
}

#[test]
fn events_are_exported_one_a_line() {
    let conductor = [&[0, 0xff, 0x51, 3, 7, 0xa1, 0x20][..], END].concat();
    let track = [
        &[0, 0x90, 60, 64, 96, 60, 0, 0, 0xff, 5, 0x80, 2][..],
        b"la",
        END,
    ]
    .concat();
    let file = open(
        &[
            header(1, 2, 96),
            chunk(b"MTrk", &conductor),
            chunk(b"XFIH", b"?"),
            chunk(b"MTrk", &track),
        ]
        .concat(),
    );
    let expected =
        "0 0 ff510307a120\n0 0 ff2f00\n1 0 903c40\n1 96 903c00\n1 96 ff05026c61\n1 96 ff2f00\n";
    assert_eq!(smf::export_events(&file), expected);
}
