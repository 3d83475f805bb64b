//! Both dialects in one stream.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::stage::{Stage, replies};

fn plain(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"say","params":{{"word":"w{id}"}}}}"#)
}

fn protocol(id: usize) -> String {
    let params = json!({ "name": "say", "arguments": { "word": format!("w{id}") } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

#[test]
fn a_thousand_calls_are_answered_in_their_order() {
    let mut input = String::new();
    for id in 0..1000 {
        let line = match id % 5 {
            0 | 3 => protocol(id),
            1 => json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string(),
            _ => plain(id),
        };
        writeln!(input, "{line}").unwrap();
        if id % 50 == 0 {
            input.push_str("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\nx\n");
        }
    }
    let replies = replies(input.as_bytes());
    let replies: Vec<Value> = replies
        .iter()
        .map(|reply| serde_json::from_str(reply).unwrap())
        .collect();
    let mut wanted = 0;
    for reply in &replies {
        if reply["id"].is_null() {
            assert_eq!(reply["error"]["code"], -32700);
            continue;
        }
        assert_eq!(reply["id"], wanted);
        let content = match wanted % 5 {
            0 | 3 => &reply["result"]["structuredContent"],
            _ => &reply["result"],
        };
        let word = json!(format!("w{wanted}"));
        let fits = wanted % 5 == 1 || content["word"] == word;
        assert!(fits, "{reply}");
        wanted += 1;
    }
    assert_eq!((wanted, replies.len()), (1000, 1020));
}

#[test]
fn plain_calls_work_before_during_and_after_a_handshake() {
    let mut stage = Stage::new();
    stage.say(&plain(1));
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    stage.say(
        &json!({ "jsonrpc": "2.0", "id": "h", "method": "initialize", "params": hello })
            .to_string(),
    );
    stage.say(&plain(2));
    stage.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    stage.say(r#"{"jsonrpc":"2.0","id":9,"method":"notifications/initialized"}"#);
    stage.say(r#"{"jsonrpc":"2.0","id":77,"result":{}}"#);
    stage.say(&protocol(3));
    stage.say(&plain(4));
    let ids: Vec<Value> = (0..5).map(|_| stage.hear_json()["id"].clone()).collect();
    assert_eq!(ids, [json!(1), json!("h"), json!(2), json!(3), json!(4)]);
    assert!(stage.is_silent());
}

#[test]
fn protocol_errors_have_the_id_of_their_request() {
    let mut stage = Stage::new();
    for (line, id, code) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
            json!(1),
            -32601,
        ),
        (
            r#"{"jsonrpc":"2.0","id":"q","method":"tools/list","params":7}"#,
            json!("q"),
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"no"}}"#,
            json!(2),
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{}}"#,
            json!(3),
            -32601,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
            json!(null),
            -32600,
        ),
        (r#"{"id":4,"method":"ping"}"#, json!(4), -32600),
    ] {
        stage.say(line);
        let reply = stage.hear_json();
        assert_eq!(
            (&reply["id"], &reply["error"]["code"]),
            (&id, &json!(code)),
            "{line}"
        );
    }
    for id in [
        "1e3",
        "1.0",
        "-0",
        "9223372036854775808",
        "12345678901234567890123",
    ] {
        stage.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        let reply = stage.hear();
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32600,"#);
        assert!(reply.starts_with(&start), "{reply}");
    }
    for id in ["-9223372036854775808", "9223372036854775807", "\"\\u00e9\""] {
        stage.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
        let id: Value = serde_json::from_str(id).unwrap();
        assert_eq!(stage.hear_json()["id"], id);
    }
}

/// The protocol's server never gets a line too deep for it: its answer would have no id.
#[test]
fn depth_ends_nothing() {
    for depth in 110..130 {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let mut stage = Stage::new();
        for (id, method) in [("", "notifications/x"), (r#""id":1,"#, "tools/call")] {
            stage.say(&format!(
                r#"{{"jsonrpc":"2.0",{id}"method":"{method}","params":{{"name":"say","arguments":{{"x":{open}{close}}}}}}}"#
            ));
        }
        stage.say(&protocol(2));
        stage.say(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
        let mut ids = Vec::new();
        while ids.last() != Some(&json!(3)) {
            ids.push(stage.hear_json()["id"].clone());
        }
        let ids: Vec<Value> = ids.into_iter().filter(|id| !id.is_null()).collect();
        assert!(ids.ends_with(&[json!(2), json!(3)]), "{depth}: {ids:?}");
        assert_eq!(ids.len(), 3, "{depth}");
    }
}
