//! Every revision of the protocol, from the oldest to the one without a handshake.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use crate::support::Server;
use serde_json::{Value, json};

fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("{reply}"))
}

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Server::speaking(revision, &[]);
        let result = server.call("echo", json!({ "ops": ["add a"] }));
        assert_eq!(result.as_object().unwrap().len(), 2, "{result}");
        assert_eq!(server.text("echo_query", json!({ "q": "map" })), "add a");
    }
    let mut server = Server::silent(&[]);
    let client = json!({ "name": "test", "version": "1" });
    for unknown in ["2023-01-01", "2026-07-28", "2099-01-01"] {
        let params =
            json!({ "protocolVersion": unknown, "capabilities": {}, "clientInfo": client });
        let result = server.ask("initialize", params)["result"].clone();
        assert_eq!(result["protocolVersion"], "2025-11-25");
        assert_eq!(
            result["serverInfo"],
            json!({ "name": "fcp-echo", "title": "Echoes", "version": "9.8.7" })
        );
        assert_eq!(
            result["capabilities"],
            json!({ "tools": {}, "resources": {} })
        );
        assert!(result["instructions"].as_str().unwrap().len() < 400);
    }
}

#[test]
fn the_revision_without_a_handshake_is_spoken() {
    let meta = |version: &str| {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    };
    let now = meta("2026-07-28");
    let mut server = Server::silent(&[]);
    let found = server.ask("server/discover", json!({ "_meta": now }))["result"].clone();
    assert!(
        found["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28")),
        "{found}"
    );
    let listed = server.ask("tools/list", json!({ "_meta": now }))["result"].clone();
    assert_eq!(listed["resultType"], "complete");
    assert_eq!(listed["tools"].as_array().unwrap().len(), 4);
    for (arguments, starts) in [
        (json!({ "ops": ["add a"] }), "+ 1 "),
        (json!("{\"op\": \"add b\"}"), "+ 2 "),
    ] {
        let params = json!({ "name": "echo", "arguments": arguments, "_meta": now });
        let reply = server.ask("tools/call", params);
        assert!(text(&reply).starts_with(starts), "{reply}");
        assert_eq!(reply["result"]["resultType"], "complete");
    }
    let reply = server.ask(
        "resources/read",
        json!({ "uri": "fcp://echo/nothing", "_meta": now }),
    );
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    let reply = server.ask("tools/list", json!({ "_meta": meta("2099-01-01") }));
    assert_eq!(reply["error"]["code"], -32022, "{reply}");
    let bare = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    assert_eq!(
        server.ask("tools/list", json!({ "_meta": bare }))["error"]["code"],
        -32602
    );
    // A burst keeps its order here too.
    let mut lines = String::new();
    for id in 0..400 {
        let params = json!({ "name": "echo", "arguments": { "ops": ["add x"] }, "_meta": now });
        lines += &format!(
            "{}\n",
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
        );
    }
    server.write(lines.as_bytes());
    let (replies, status) = server.end();
    assert!(status.success());
    assert_eq!(replies.len(), 400);
    assert!(
        replies
            .iter()
            .enumerate()
            .all(|(at, reply)| text(reply).starts_with(&format!("+ {} ", at + 3)))
    );
}
