//! Cancelled requests are not awaited.

use std::time::Duration;

use serde_json::json;

use crate::stage::Stage;

fn wait(id: impl Into<serde_json::Value>, word: &str) -> String {
    let params = json!({ "name": "wait", "arguments": { "word": word } });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })
        .to_string()
}

fn cancel(id: impl Into<serde_json::Value>) -> String {
    let params = json!({ "requestId": id.into() });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string()
}

fn plain(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"say","params":{{"word":"w"}}}}"#)
}

#[test]
fn a_request_in_hand_is_taken_back_by_a_line_read_ahead() {
    let mut stage = Stage::new();
    for id in [json!(1), json!("a")] {
        stage.say(&wait(id.clone(), "never"));
        stage.say(&plain(2));
        assert!(stage.is_silent());
        stage.say(&cancel(id));
        assert_eq!(stage.hear_json()["id"], 2);
    }
    // The cancelled request has no answer.
    stage.gate.open();
    assert!(stage.is_silent());
}

#[test]
fn a_request_that_waits_its_turn_is_never_carried_out() {
    let mut stage = Stage::new();
    stage.say(&wait(1, "one"));
    stage.waits(1);
    stage.say(&wait(2, "two"));
    stage.say(&wait(3, "three"));
    stage.say(&plain(4));
    stage.say(&cancel(2));
    // These ids are unknown.
    stage.say(&cancel(99));
    stage.say(&cancel(4));
    stage.say(&cancel(1.5));
    std::thread::sleep(Duration::from_millis(50));
    stage.gate.open();
    for id in [1, 3, 4] {
        assert_eq!(stage.hear_json()["id"], id);
    }
    assert!(stage.is_silent());
    stage.waits(2);
    stage.say(&plain(5));
    assert_eq!(stage.hear_json()["id"], 5);
    assert_eq!(
        stage
            .tools
            .look(|parrot| parrot.open.load(std::sync::atomic::Ordering::SeqCst)),
        2
    );
}

#[test]
fn requests_that_are_taken_back_at_once_lose_no_other() {
    let mut stage = Stage::new();
    stage.gate.open();
    for round in 0..200 {
        stage.say(&wait(1, "one"));
        stage.say(&cancel(1));
        stage.say(&plain(round + 10));
        // The first may have been answered before it was cancelled, but then its answer comes
        // first.
        let mut reply = stage.hear_json();
        if reply["id"] == 1 {
            reply = stage.hear_json();
        }
        assert_eq!(reply["id"], round + 10);
    }
}
