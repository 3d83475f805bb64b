//! The spelling of events is preserved, and after an edit as far as it is valid.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

use crate::support::smf_build::{END, single};
use fcp_midi::smf::{self, Body, Chunk, End, Event, Spelling, Status, TrackChunk};

fn track(content: &[u8]) -> TrackChunk {
    let bytes = single(content);
    let mut file = smf::read(&bytes).unwrap();
    assert_eq!(smf::write(&file), bytes);
    let Some(Chunk::Track(track)) = file.chunks.pop() else {
        panic!("{file:?}")
    };
    track
}

fn content(track: &TrackChunk) -> Vec<u8> {
    let events = track
        .events
        .iter()
        .map(|event| (event.tick, event.spelling, &event.body));
    smf::write_track(events, track.end.as_ref(), &track.tail)
}

fn on(key: u8) -> Body {
    Body::Channel {
        status: 0x90,
        data: [key, 64],
    }
}

#[test]
fn running_status_is_kept_where_it_holds() {
    let mut track = track(&[&[0, 0x90, 60, 64, 96, 62, 64, 96, 64, 64][..], END].concat());
    let spellings: Vec<Status> = track
        .events
        .iter()
        .map(|event| event.spelling.status)
        .collect();
    assert_eq!(
        spellings,
        [Status::Written, Status::Running, Status::Running]
    );

    // With a meta before the second note, its status is written; that of the third is still left
    // out.
    track.events.insert(
        1,
        Event::new(
            96,
            Body::Meta {
                kind: 5,
                bytes: "la".into(),
            },
        ),
    );
    let expected = [
        &[0, 0x90, 60, 64, 96, 0xff, 5, 2][..],
        b"la",
        &[0, 0x90, 62, 64, 96, 64, 64],
        END,
    ]
    .concat();
    assert_eq!(content(&track), expected);

    // Without the first note, the status of the second is written.
    track.events.drain(..2);
    assert_eq!(
        content(&track),
        [&[96, 0x90, 62, 64, 96, 64, 64][..], END].concat()
    );

    // Another channel before the last note.
    track.events[0].body = Body::Channel {
        status: 0x91,
        data: [62, 64],
    };
    assert_eq!(
        content(&track),
        [&[96, 0x91, 62, 64, 96, 0x90, 64, 64][..], END].concat()
    );
}

#[test]
fn running_status_carried_across_other_events_is_kept() {
    for between in [
        &[0xff, 1, 0][..],
        &[0xf0, 1, 0xf7],
        &[0xf7, 1, 0xf8],
        &[0xf8],
        &[0xf2, 1, 2],
    ] {
        let bytes = [
            &[0, 0x90, 60, 64, 0][..],
            between,
            &[96, 60, 0, 0, 61, 0],
            END,
        ]
        .concat();
        let mut track = track(&bytes);
        let spellings: Vec<Status> = track
            .events
            .iter()
            .map(|event| event.spelling.status)
            .collect();
        assert_eq!(
            spellings,
            [
                Status::Written,
                Status::Written,
                Status::Carried,
                Status::Running
            ]
        );

        // Without the events that it is carried across, it is plain running status.
        track.events.remove(1);
        assert_eq!(
            content(&track),
            [&[0, 0x90, 60, 64, 96, 60, 0, 0, 61, 0][..], END].concat()
        );

        // Without the first one there is no status to carry.
        track.events.remove(0);
        assert_eq!(
            content(&track),
            [&[96, 0x90, 60, 0, 0, 61, 0][..], END].concat()
        );
    }
}

#[test]
fn a_new_event_may_ask_for_running_status() {
    let running = Spelling {
        status: Status::Running,
        ..Spelling::default()
    };
    let bodies = [
        on(60),
        on(62),
        Body::Channel {
            status: 0xc0,
            data: [5, 0],
        },
        on(64),
    ];
    let events = bodies.iter().map(|body| (10, running, body));
    assert_eq!(
        smf::write_track(events, None, &[]),
        [10, 0x90, 60, 64, 0, 62, 64, 0, 0xc0, 5, 0, 0x90, 64, 64]
    );
}

#[test]
fn wide_delta_times_keep_their_width() {
    let mut track = track(&[
        0x80, 0x80, 0x00, 0x90, 60, 64, 0x80, 0x80, 0x60, 60, 0, 0x80, 0x80, 0x80, 0, 0xff, 0x2f, 0,
    ]);
    assert_eq!(track.events[1].spelling.delta_width, 3);
    assert_eq!(track.end.as_ref().unwrap().spelling.delta_width, 4);
    track.events[1].tick = 200;
    let expected = [
        0x80, 0x80, 0x00, 0x90, 60, 64, 0x80, 0x81, 0x48, 60, 0, 0x80, 0x80, 0x80, 0, 0xff, 0x2f, 0,
    ];
    assert_eq!(content(&track), expected);
}

#[test]
fn short_delta_times_stay_short() {
    let mut track = track(&[&[0x83, 0x60, 0x90, 60, 64][..], END].concat());
    assert_eq!(track.events[0].spelling, Spelling::default());
    track.events[0].tick = 16;
    let expected = [16, 0x90, 60, 64, 0x83, 0x50, 0xff, 0x2f, 0];
    assert_eq!(content(&track), expected);
}

#[test]
fn wide_lengths_keep_their_width() {
    let texts = [
        &b"\0\xff\x01\x80\x02la"[..],
        b"\0\xf0\x80\x80\x01\xf7",
        b"\0\xf7\x80\x01\xf8",
        b"\0\xff\x2f\x80\0",
    ];
    let mut track = track(&texts.concat());
    let widths: Vec<u8> = track
        .events
        .iter()
        .map(|event| event.spelling.length_width)
        .collect();
    assert_eq!(widths, [2, 3, 2]);
    track.events.truncate(1);
    track.events[0].body = Body::Meta {
        kind: 1,
        bytes: "lalala".into(),
    };
    assert_eq!(
        content(&track),
        *b"\0\xff\x01\x80\x06lalala\0\xff\x2f\x80\0"
    );
}

#[test]
fn ends_of_track_keep_their_place() {
    let mut track = track(&[&[0, 0x90, 60, 64, 0x83, 0x60][..], &END[1..]].concat());
    assert_eq!(track.end, Some(End::at(480)));
    assert_eq!(track.last_tick(), 480);
    track.events.push(Event::new(96, on(62)));
    assert_eq!(
        content(&track),
        [&[0, 0x90, 60, 64, 96, 0x90, 62, 64, 0x83, 0][..], &END[1..]].concat()
    );
    track.events.push(Event::new(600, on(62)));
    assert_eq!(track.last_tick(), 600);
    assert!(content(&track).ends_with(END));
}

#[test]
fn bytes_after_the_end_of_track_stay_there() {
    let rest = [0, 0x90, 60, 64, 0, 0xff, 0x2f, 0, 9];
    let mut track = track(&[END, &rest].concat());
    assert_eq!(
        (track.events.len(), &track.tail[..], &track.fault),
        (0, &rest[..], &None)
    );
    track.events.push(Event::new(5, on(60)));
    assert_eq!(
        content(&track),
        [&[5, 0x90, 60, 64][..], END, &rest].concat()
    );
}

#[test]
fn an_end_of_track_may_hold_bytes() {
    let track = track(&[7, 0xff, 0x2f, 2, 1, 2]);
    assert_eq!(track.end.unwrap().bytes[..], [1, 2]);
}

#[test]
fn a_track_may_have_no_end() {
    let track = track(&[0, 0x90, 60, 64]);
    assert_eq!(
        (track.events.len(), track.end, track.fault),
        (1, None, None)
    );
}

#[test]
fn ticks_go_beyond_doubles_but_never_overflow() {
    let wide = [0x8f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]; // 2^53 - 1
    let event = [&wide[..], &[0x90, 60, 64]].concat();
    let found = track(&event.repeat(8));
    assert_eq!(found.events.last().unwrap().tick, 8 * ((1 << 53) - 1));

    let huge = [
        &[0x8f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f][..],
        &[0x90, 60, 64],
    ]
    .concat(); // 2^60 - 1
    let found = track(&huge.repeat(2));
    assert_eq!(found.events.len(), 1);
    assert_eq!(
        found.fault.unwrap().message,
        "the delta time goes beyond tick 2^60"
    );
}
