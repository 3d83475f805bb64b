//! A server's handling of lines: order, end, limits, nonsense.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use crate::support::{Server, request};
use serde_json::{Value, json};

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("{reply}"))
}

fn burst(ids: std::ops::Range<i64>) -> String {
    ids.map(|id| {
        format!(
            "{}\n",
            request(id, "echo", json!({ "ops": [format!("add {id}")] }))
        )
    })
    .collect()
}

#[test]
fn four_hundred_calls_in_one_go_are_applied_in_order_and_answered_before_the_end() {
    for round in 0..5 {
        let mut server = Server::new();
        server.write(burst(0..400).as_bytes());
        let (replies, status) = server.end();
        assert!(status.success());
        assert_eq!(replies.len(), 400, "round {round}");
        for (at, reply) in replies.iter().enumerate() {
            assert_eq!(reply["id"], at);
            assert!(
                text(reply).starts_with(&format!("+ {} \"add {at}\"\n", at + 1)),
                "{reply}"
            );
        }
    }
}

#[test]
fn tools_resources_and_lists_share_one_order() {
    let mut server = Server::new();
    let mut lines = String::new();
    for id in 0..300 {
        let message = match id % 3 {
            0 => request(id, "echo", json!({ "ops": ["add x"] })),
            1 => json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" }),
            _ => json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read",
                "params": { "uri": "fcp://echo/codebook" } }),
        };
        lines += &format!("{message}\n");
    }
    server.write(lines.as_bytes());
    let (mut replies, _) = server.end();
    assert_eq!(replies.len(), 300);
    replies.sort_by_key(|reply| reply["id"].as_i64());
    for (at, reply) in replies.iter().enumerate() {
        let lines = at / 3 + 1;
        let result = &reply["result"];
        match at % 3 {
            0 => assert!(text(reply).starts_with(&format!("+ {lines} "))),
            1 => assert_eq!(
                result["tools"][0]["description"],
                format!("Each op is kept as a line. Lines so far: {lines}.")
            ),
            _ => assert!(
                result["contents"][0]["text"]
                    .as_str()
                    .unwrap()
                    .contains(&format!("\"lines\": {lines}\n"))
            ),
        }
    }
}

#[test]
fn work_that_outlasts_the_input_by_long_is_still_answered() {
    let mut server = Server::new();
    for id in 0..12 {
        server.say(&request(
            id,
            "echo",
            json!({ "ops": ["sleep 500", "add x"] }),
        ));
    }
    let (replies, status) = server.end();
    assert!(status.success());
    assert_eq!(replies.len(), 12);
    assert!(text(&replies[11]).starts_with("+ 12 "));
}

#[test]
fn the_last_line_needs_no_end() {
    let mut server = Server::new();
    server.write(
        request(1, "echo", json!({ "ops": ["add x"] }))
            .to_string()
            .as_bytes(),
    );
    let (replies, _) = server.end();
    assert_eq!(replies.len(), 1);
    assert!(Server::silent(&[]).end().1.success());
}

#[test]
fn a_request_over_the_limit_is_refused_by_name_and_the_connection_goes_on() {
    let mut server = Server::speaking(crate::support::HANDSHAKE, &["--max-request", "1"]);
    let ops = vec!["add x".repeat(100); 6000];
    let params = json!({ "name": "echo", "arguments": { "ops": ops } });
    // Some clients put the id last.
    server.say(&json!({ "method": "tools/call", "params": params, "jsonrpc": "2.0", "id": "big" }));
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
    let refused = server.hear();
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!("big"), &json!(-32600))
    );
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("larger than 1 MiB"),
        "{refused}"
    );
    assert_eq!(
        server.hear(),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} })
    );
    // A long notification gets no answer.
    server.say(
        &json!({ "jsonrpc": "2.0", "method": "x", "params": { "text": "x".repeat(2 << 20) } }),
    );
    assert_eq!(server.text("echo_query", json!({ "q": "map" })), "nothing");
    server.write(&vec![b'x'; 3 << 20]);
    let (rest, status) = server.end();
    assert!(status.success());
    assert_eq!((rest.len(), &rest[0]["id"]), (1, &json!(null)));
}

#[test]
fn a_large_request_and_a_large_reply_pass() {
    let mut server = Server::new();
    let ops = vec!["add x".repeat(1000); 2000];
    let reply = server.text("echo", json!({ "ops": ops }));
    assert!(reply.len() > 10_000_000, "{}", reply.len());
    assert_eq!(
        server
            .text("echo_query", json!({ "q": "big 20000000" }))
            .len(),
        20_000_000
    );
}

#[test]
fn lines_that_are_not_messages_get_json_rpc_errors() {
    let mut server = Server::new();
    for (line, id, code) in [
        (
            &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\""[..],
            json!(1),
            -32700,
        ),
        (
            br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\ud83d"}}"#,
            json!(2),
            -32700,
        ),
        (
            br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"n":1e999}}"#,
            json!(3),
            -32700,
        ),
        (b"hello", json!(null), -32700),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xffng\"}",
            json!(1),
            -32700,
        ),
        (b"\xff\xfe\xfd", json!(null), -32700),
        (b"{}", json!(null), -32600),
        (b"7", json!(null), -32600),
        (b"[]", json!(null), -32600),
        (
            b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
            json!(null),
            -32600,
        ),
        (
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            json!(null),
            -32600,
        ),
        (
            br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            json!(null),
            -32600,
        ),
        (
            br#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#,
            json!(2),
            -32600,
        ),
        (br#"{"jsonrpc":"2.0","id":3,"method":4}"#, json!(3), -32600),
        (
            br#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[]}"#,
            json!(5),
            -32602,
        ),
        (
            br#"{"jsonrpc":"2.0","id":6,"method":"no/such/method"}"#,
            json!(6),
            -32601,
        ),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"prompts/list"}"#,
            json!(7),
            -32601,
        ),
        (
            br#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{}}"#,
            json!(8),
            -32602,
        ),
        (
            br#"{"jsonrpc":"2.0","id":9,"method":"tools/call"}"#,
            json!(9),
            -32602,
        ),
        (
            br#"{"jsonrpc":"2.0","id":10,"method":"initialize","params":{}}"#,
            json!(10),
            -32602,
        ),
    ] {
        server.write(line);
        server.write(b"\n");
        let reply = server.hear();
        let line = String::from_utf8_lossy(line);
        assert_eq!(
            (&reply["id"], &reply["error"]["code"]),
            (&id, &json!(code)),
            "{line}: {reply}"
        );
    }
    let deep = "[".repeat(100_000);
    server.write(
        format!("{{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"ping\",\"params\":{deep}\n")
            .as_bytes(),
    );
    let reply = server.hear();
    assert_eq!(
        (&reply["id"], &reply["error"]["code"]),
        (&json!(11), &json!(-32700))
    );
    // These get no answer: notifications, unrequested replies, empty lines.
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/nonsense"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"ops":["add x"]}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}"#,
        "",
        "  \r",
    ] {
        server.write(line.as_bytes());
        server.write(b"\n");
    }
    server.write(b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"ping\"}\r\n");
    assert_eq!(
        server.hear(),
        json!({ "jsonrpc": "2.0", "id": "b", "result": {} })
    );
    assert_eq!(server.text("echo_query", json!({ "q": "map" })), "nothing");
    assert!(server.end().1.success());
}

#[test]
fn nothing_said_before_the_handshake_ends_the_server() {
    let mut server = Server::silent(&[]);
    server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
    assert_eq!(server.hear()["result"], json!({}));
    // People try this by hand.
    assert_eq!(
        server.ask("tools/list", json!({}))["result"]["tools"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
}

#[test]
fn batches_are_answered_as_batches_where_the_revision_has_them() {
    let mut server = Server::speaking("2025-03-26", &[]);
    let ping = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let call = request(2, "echo", json!({ "ops": ["add a"] }));
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/nonsense" });
    server.say(&json!([ping(1), call, 3, notification]));
    let mut replies = server.hear().as_array().unwrap().clone();
    replies.sort_by_key(|reply| reply["id"].as_i64());
    assert_eq!(replies.len(), 3);
    assert_eq!(replies[0]["error"]["code"], -32600);
    assert_eq!(
        replies[1],
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} })
    );
    assert!(text(&replies[2]).starts_with("+ 1 "));
    // Nothing to answer, so no reply.
    server.say(&json!([notification]));
    server.say(&json!([]));
    assert_eq!(server.hear()["error"]["code"], -32600);
    // Each request of a batch that is not JSON is answered, and none is done.
    let edit = request(119, "echo", json!({ "ops": ["add z"] }));
    server.write(format!("[{{\"id\":118,\"a\":\"\\ud83d\"}},{edit}]\n").as_bytes());
    let replies = server.hear();
    for (at, id) in [118, 119].into_iter().enumerate() {
        assert_eq!(replies[at]["id"], id, "{replies}");
        assert_eq!(replies[at]["error"]["code"], -32700, "{replies}");
    }
    // A cancelled call does not hold up the others.
    let slow = request(4, "echo", json!({ "ops": ["sleep 200"] }));
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } });
    server.say(&json!([
        slow,
        request(5, "echo", json!({ "ops": ["add b"] })),
        cancel,
        ping(6)
    ]));
    let ids: Vec<_> = server
        .hear()
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| reply["id"].as_i64())
        .collect();
    assert_eq!(ids, [Some(6), Some(4)]);
    assert_eq!(server.text("echo_query", json!({ "q": "map" })), "add a");
}

#[test]
fn a_call_taken_back_in_time_is_not_applied_and_the_server_stays_awake() {
    let mut server = Server::new();
    server.say(&request(
        1,
        "echo",
        json!({ "ops": ["sleep 400", "add a"] }),
    ));
    server.say(&request(2, "echo", json!({ "ops": ["add b"] })));
    server.say(&request(3, "echo", json!({ "ops": ["add c"] })));
    let cancel = json!({ "requestId": 2, "reason": "changed my mind" });
    server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }));
    server.say(&json!({ "jsonrpc": "2.0", "id": 4, "method": "ping" }));
    let ids: Vec<_> = (0..3)
        .map(|_| server.hear()["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [4, 1, 3]);
    assert_eq!(
        server.text("echo_query", json!({ "q": "map" })),
        "add a\nadd c"
    );
    // A last cancelled call does not keep the server from ending.
    server.say(&request(5, "echo", json!({ "ops": ["sleep 100"] })));
    server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 5 } }));
    let (rest, status) = server.end();
    assert!(rest.is_empty() && status.success());
}

#[test]
fn an_id_used_twice_at_once_is_refused_once() {
    let mut server = Server::new();
    server.say(&request(1, "echo", json!({ "ops": ["sleep 200"] })));
    server.say(&request(1, "echo", json!({ "ops": ["add a"] })));
    assert_eq!(server.hear()["error"]["code"], -32600);
    assert!(server.hear()["result"].is_object());
    server.say(&request(1, "echo", json!({ "ops": ["add a"] })));
    assert!(text(&server.hear()).starts_with("+ 1 "));
}

#[cfg(unix)]
#[test]
fn a_server_without_a_reader_ends() {
    use std::{io::Write, process::Stdio};

    let mut command = std::process::Command::new(crate::support::program());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The input stays open.
    stdin
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .unwrap();
    assert!(child.wait().unwrap().success());
}
