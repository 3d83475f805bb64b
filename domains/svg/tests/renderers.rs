//! The process that draws a picture ends with the call that wants it, and with the server.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{drawing, endless_picture, serving};
use fcp::testing::Server;
use serde_json::json;
use tempfile::TempDir;

/// The time limit for what takes milliseconds.
const SOON: Duration = Duration::from_secs(5);

/// The state and the parent of a process, or nothing if it is gone.
fn process(pid: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields = stat.rsplit_once(") ")?.1;
    let (state, rest) = fields.split_once(' ')?;
    let parent = rest.split(' ').next()?.parse().ok()?;
    Some((state.chars().next()?, parent))
}

/// The children of a process.
fn children(parent: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| process(*pid).is_some_and(|(_, of)| of == parent))
        .collect()
}

#[track_caller]
fn wait(most: Duration, fault: &str, mut is_done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_done() {
        assert!(started.elapsed() < most, "{fault}");
        sleep(Duration::from_millis(5));
    }
}

/// Waits until a process is gone, or waits for its parent to notice.
#[track_caller]
fn wait_for_end(pid: u32) {
    wait(SOON, "the renderer runs on", || {
        process(pid).is_none_or(|(state, _)| state == 'Z')
    });
}

/// A server that draws without end under the id 9, and the process that does it.
fn drawing_slowly(limit: u32) -> (TempDir, Server, u32) {
    let (root, mut server) = serving(&[("a.svg", &drawing(&endless_picture()))]);
    server.act("open a.svg");
    server.act(&format!("set render-limit:{limit}"));
    let call = server.line(9, "_query", json!({ "q": "render" }));
    server.write(call.as_bytes());
    // The other child is the guard, which only waits.
    let pid = server.child.id();
    let mut renderer = None;
    wait(4 * SOON, "the renderer does not draw", || {
        renderer = children(pid).into_iter().find(|pid| works(*pid));
        renderer.is_some()
    });
    (root, server, renderer.unwrap())
}

/// Whether a process has had 50 ms of processor time.
fn works(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').nth(11).and_then(|time| time.parse().ok());
    ticks.is_some_and(|ticks: u32| ticks >= 5)
}

#[test]
fn a_cancelled_picture_is_not_drawn_to_the_end() {
    let (_root, mut server, renderer) = drawing_slowly(600);
    let cancelled = json!({ "requestId": 9 });
    let started = Instant::now();
    server.say(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }),
    );
    let status = server.query("status");
    assert!(status.contains("unsaved changes: no"), "{status}");
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    wait_for_end(renderer);
}

#[test]
fn a_renderer_ends_with_a_server_that_is_killed() {
    let (_root, mut server, renderer) = drawing_slowly(600);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    wait_for_end(renderer);
}

#[test]
fn a_picture_in_hand_is_answered_when_the_server_is_asked_to_end() {
    let (_root, mut server, renderer) = drawing_slowly(2);
    server.signal(true);
    let reply = server.hear();
    assert_eq!(reply["id"], 9, "{reply}");
    assert!(reply.to_string().contains("stopped after 2 s"), "{reply}");
    assert_eq!(server.ended().code(), Some(0));
    wait_for_end(renderer);
}
