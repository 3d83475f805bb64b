//! The end of serving, and its limits.

use std::io::{self, Read};
use std::time::Duration;

use fcp_assets::front::Ended;
use proptest::prelude::*;
use serde_json::Value;

use crate::stage::{PATIENCE, Stage, replies};

fn wait(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"wait","params":{{"word":"w"}}}}"#)
}

#[test]
fn stopping_finishes_the_current_request_and_drops_the_rest() {
    for first in [
        wait(1),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"word":"w"}}}"#.to_owned(),
    ] {
        let mut stage = Stage::new();
        stage.say(&first);
        stage.say(&wait(2));
        stage.waits(1);
        stage.desk.stop();
        assert!(stage.is_silent());
        stage.gate.open();
        let (ended, replies) = stage.ended();
        assert_eq!(ended, Ended::Stopped);
        let [reply] = replies.as_slice() else {
            panic!("{replies:?}")
        };
        let reply: Value = serde_json::from_str(reply).unwrap();
        assert_eq!(reply["id"], 1);
    }
}

#[test]
fn an_idle_server_ends_at_once() {
    let mut stage = Stage::new();
    stage.say(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    stage.hear();
    let start = std::time::Instant::now();
    stage.desk.stop();
    assert_eq!(stage.ended().0, Ended::Stopped);
    assert!(start.elapsed() < Duration::from_millis(100));
}

#[test]
fn all_that_was_read_is_answered_before_the_end() {
    let mut stage = Stage::new();
    for id in 1..=20 {
        stage.say(&wait(id));
    }
    stage.close();
    stage.gate.open();
    let (ended, replies) = stage.ended();
    assert_eq!((ended, replies.len()), (Ended::Input, 20));
}

#[test]
fn when_nobody_reads_it_is_over() {
    for line in [
        wait(1),
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_owned(),
    ] {
        let mut stage = Stage::new();
        stage.gate.open();
        let (input, ended) = {
            stage.say(&line);
            stage.hear();
            stage.unread()
        };
        let mut input = input.unwrap();
        // The server may have noticed the closed output already.
        let _ = io::Write::write_all(&mut input, format!("{line}\n").as_bytes());
        assert_eq!(ended.recv_timeout(PATIENCE).unwrap(), Ended::Unread);
    }
}

/// Repeats the same lines forever, and counts them.
struct Flood(
    &'static [u8],
    std::sync::Arc<std::sync::atomic::AtomicUsize>,
);

impl Read for Flood {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written + self.0.len() <= into.len() {
            into[written..written + self.0.len()].copy_from_slice(self.0);
            written += self.0.len();
        }
        self.1
            .fetch_add(written, std::sync::atomic::Ordering::SeqCst);
        Ok(written)
    }
}

#[test]
fn no_more_is_read_than_can_be_dealt_with() {
    let first = wait(1);
    for line in [
        &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"wait\",\"params\":{\"word\":\"w\"}}\n"[..],
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\",\"arguments\":{\"word\":\"w\"}}}\n",
        b"x\n",
    ] {
        let read = std::sync::Arc::default();
        let head = io::Cursor::new(format!("{first}\n"));
        let stage = Stage::over(head.chain(Flood(line, std::sync::Arc::clone(&read))));
        stage.waits(1);
        std::thread::sleep(Duration::from_millis(100));
        let bytes = read.load(std::sync::atomic::Ordering::SeqCst);
        assert!(bytes < 4 << 20, "{bytes}");
        stage.desk.stop();
        stage.gate.open();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_get_whole_frames_and_the_server_goes_on(
        bytes in proptest::collection::vec(prop_oneof![
            3 => proptest::sample::select(&[
                "{\"jsonrpc\":\"2.0\",", "\"id\":", "1", "\"a\"", ",", "\"method\":", "\"say\"", "\"ping\"", "\"tools/call\"",
                "\"notifications/cancelled\"", ",\"params\":", "{", "}", "[", "]", "\"requestId\":", "\"name\":", "\"arguments\":",
                "\"result\":", "null", "\"initialize\"", "\n", "\r\n", "\\u0000", "\"", " ",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n",
                "\"subscriptions/listen\"}\n", "\"tools/list\"}\n",
            ][..]).prop_map(|word| word.as_bytes().to_vec()),
            1 => proptest::collection::vec(any::<u8>(), 0..6),
        ], 0..60)
    ) {
        let mut input = bytes.concat();
        input.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"say\"}");
        let replies = replies(&input);
        for reply in &replies {
            let reply: Value = serde_json::from_str(reply).unwrap();
            prop_assert_eq!(&reply["jsonrpc"], "2.0");
            prop_assert!(reply.get("id").is_some());
        }
        let last: Value = serde_json::from_str(replies.last().unwrap()).unwrap();
        prop_assert_eq!((&last["id"], &last["result"]["ok"]), (&Value::from("last"), &Value::from(true)));
    }
}
