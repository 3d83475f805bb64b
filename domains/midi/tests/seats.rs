//! Many rows that are reordered at once.

#![allow(clippy::unwrap_used, reason = "a test ends by panicking")]

use std::time::{Duration, Instant};

use fcp::endpoint::Endpoint;

use crate::support::Desk;

/// A number of controllers on two tracks, `each` of them at each tick.
fn song(events: usize, each: usize) -> Vec<u8> {
    let mut bytes = b"MThd\0\0\0\x06\0\x01\0\x02\x01\xe0".to_vec();
    for channel in 0..2_u8 {
        let mut track = Vec::new();
        for at in 0..events {
            let delta = u8::from(at > 0 && at.is_multiple_of(each));
            track.extend([delta, 0xb0 | channel, (at % 100) as u8, 64]);
        }
        track.extend([0, 0xff, 0x2f, 0]);
        bytes.extend(b"MTrk");
        bytes.extend((track.len() as u32).to_be_bytes());
        bytes.extend(track);
    }
    bytes
}

/// The time to reverse the rows at each tick.
fn turned(events: usize, each: usize) -> Duration {
    let mut desk = Desk::on(&song(events, each));
    let start = Instant::now();
    desk.run(&format!(
        "UPDATE events SET nth={}-nth WHERE kind='cc'",
        each + 1
    ));
    let time = start.elapsed();
    let first = desk
        .session
        .query("SELECT number FROM events WHERE kind='cc' LIMIT 1");
    assert!(
        first.text.contains(&((each - 1) % 100).to_string()),
        "{}",
        first.text
    );
    time
}

#[test]
fn many_rows_at_one_tick_are_put_in_order_as_fast_as_at_many() {
    let (many, one) = (turned(20_000, 2), turned(20_000, 20_000));
    assert!(one < many * 3, "{many:?}, at one tick {one:?}");
}
