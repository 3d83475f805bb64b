//! The tools and resources from a client's view, and the messages it may send them.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use crate::support::Server;
use rmcp::{
    ServiceExt,
    model::{CallToolRequestParams, ReadResourceRequestParams},
};
use serde_json::{Value, json};

fn names(server: &mut Server) -> Vec<String> {
    let reply = server.ask("tools/list", json!({}));
    let tools = reply["result"]["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn four_tools_are_listed_under_the_names_asked_for() {
    assert_eq!(
        names(&mut Server::new()),
        ["echo", "echo_query", "echo_session", "echo_help"]
    );
    let general = ["fcp_edit", "fcp_query", "fcp_session", "fcp_help"];
    let revision = crate::support::HANDSHAKE;
    assert_eq!(
        names(&mut Server::speaking(revision, &["--tool-names", "fcp"])),
        general
    );
    assert_eq!(
        names(&mut Server::speaking(
            revision,
            &["serve", "--tool-names", "fcp"]
        )),
        general
    );
    assert_eq!(
        names(&mut Server::speaking(revision, &["serve", "--root", "."]))[0],
        "echo"
    );
}

#[test]
fn the_tools_say_what_they_take_and_do() {
    let mut server = Server::new();
    let list = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(
        list[0]["description"],
        "Each op is kept as a line. Lines so far: 0."
    );
    assert_eq!(
        list[0]["inputSchema"]["properties"]["ops"]["items"],
        json!({ "type": "string" })
    );
    assert_eq!(list[1]["inputSchema"]["required"], json!(["q"]));
    assert_eq!(list[2]["inputSchema"]["required"], json!(["action"]));
    assert_eq!(list[3]["inputSchema"].get("required"), None);
    let hints = |at: usize, hint: &str| list[at]["annotations"][hint].clone();
    for (at, reads) in [(0, false), (1, true), (2, false), (3, true)] {
        assert_eq!(hints(at, "readOnlyHint"), reads);
        assert_eq!(hints(at, "destructiveHint"), !reads);
        assert_eq!(hints(at, "idempotentHint"), reads);
        assert_eq!(hints(at, "openWorldHint"), false);
        assert!(hints(at, "title").is_string());
    }
    // The card is built on request, not copied at the start.
    server.text("echo", json!({ "ops": ["add a"] }));
    let list = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(
        list[0]["description"],
        "Each op is kept as a line. Lines so far: 1."
    );
}

#[test]
fn both_sets_of_names_are_answered_and_the_general_one_isolates() {
    let mut server = Server::new();
    assert!(
        server
            .text("echo", json!({ "ops": ["policy"] }))
            .starts_with("= None\n")
    );
    assert!(
        server
            .text("fcp_edit", json!({ "ops": ["policy"] }))
            .starts_with("= Some(Isolate)\n")
    );
    assert_eq!(server.text("fcp_query", json!({ "q": "map" })), "nothing");
    assert!(
        server
            .text("fcp_session", json!({ "op": "new" }))
            .starts_with("+ new\n")
    );
    assert_eq!(
        server.text("fcp_help", json!({ "topic": "add" })),
        "add TEXT keeps a line"
    );
    assert_eq!(
        server.text("echo_help", Value::Null),
        server.text("fcp_help", json!({}))
    );
    for name in ["edit", "echo_edit", "query", ""] {
        let reply = server.ask("tools/call", json!({ "name": name, "arguments": {} }));
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
        assert!(
            reply["error"]["message"]
                .as_str()
                .unwrap()
                .contains("echo, echo_query"),
            "{reply}"
        );
    }
    let reply = server.ask("tools/call", json!({ "arguments": {} }));
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
}

#[test]
fn arguments_are_taken_in_every_form_agents_send() {
    let mut server = Server::new();
    let two = "+ 1 \"add a\"\n+ 2 \"add b\"\n";
    for arguments in [
        json!({ "ops": ["add a", "add b"] }),
        json!({ "ops": "[\"add a\", \"add b\"]" }),
        json!("{\"ops\": [\"add a\", \"add b\"]}"),
    ] {
        server.text("echo_session", json!({ "action": "new" }));
        assert!(
            server.text("echo", arguments.clone()).starts_with(two),
            "{arguments}"
        );
    }
    for arguments in [
        json!({ "ops": "add a" }),
        json!({ "op": "add a" }),
        json!({ "op": "add a", "ops": null }),
    ] {
        server.text("echo_session", json!({ "action": "new" }));
        assert!(
            server
                .text("echo", arguments.clone())
                .starts_with("+ 1 \"add a\"\n["),
            "{arguments}"
        );
    }
    let action = |arguments: Value| {
        let text = Server::new().text("echo_session", arguments);
        text.lines()
            .next()
            .unwrap()
            .trim_start_matches("* ")
            .to_owned()
    };
    assert_eq!(
        action(json!({ "action": "save as:./a.x" })),
        "save as:./a.x"
    );
    assert_eq!(
        action(json!({ "op": "open", "file": "./my \"own\" a.x" })),
        r#"open "./my \"own\" a.x""#
    );
    assert_eq!(
        action(json!({ "op": "save", "as": "b c.x", "force": true })),
        r#"save as:"b c.x" force:true"#
    );
}

#[test]
fn wrong_arguments_are_results_that_show_the_right_form() {
    let mut server = Server::new();
    for (tool, arguments, start) in [
        (
            "echo",
            json!({}),
            "! the argument \"ops\" is missing\n  syntax: {\"ops\": [",
        ),
        (
            "echo",
            json!({ "ops": [1] }),
            "! op 1 in \"ops\" is a number, not a string\n",
        ),
        (
            "echo",
            json!({ "opps": ["a"] }),
            "! unknown argument \"opps\", nearest is \"ops\"\n",
        ),
        (
            "echo",
            json!(["add a"]),
            "! the arguments are an array, not a JSON object\n",
        ),
        (
            "echo",
            json!(7),
            "! the arguments are a number, not a JSON object\n",
        ),
        (
            "echo_query",
            json!({ "query": "map" }),
            "! unknown argument \"query\", nearest is \"q\"\n",
        ),
        (
            "echo_session",
            json!({ "ops": ["a"] }),
            "! \"ops\" is an argument of the mutation tool\n",
        ),
        (
            "fcp_session",
            json!({ "op": "open", "file": {} }),
            "! \"file\" is an object",
        ),
        (
            "fcp_help",
            json!({ "about": "add" }),
            "! unknown argument \"about\", nearest is \"topic\"\n",
        ),
    ] {
        let text = server.error(tool, arguments);
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("\n  syntax: {"), "{text}");
    }
    // The endpoint's own errors pass unchanged.
    assert!(
        server
            .error("echo", json!({ "ops": ["fail x"] }))
            .starts_with("! failed x\n  try: add x\n[")
    );
    assert!(
        server
            .text("echo", json!({ "ops": ["fail x", "add y"] }))
            .contains("! failed x")
    );
    assert_eq!(
        server.error("echo_session", json!({ "action": "fail" })),
        "! failed"
    );
}

#[test]
fn pictures_and_sounds_follow_the_text() {
    let result = Server::new().call("echo_query", json!({ "q": "image" }));
    let content = json!([
        { "type": "text", "text": "a picture" },
        { "type": "image", "data": "iVA=", "mimeType": "image/png" },
        { "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" },
    ]);
    assert_eq!(result, json!({ "content": content, "isError": false }));
}

#[test]
fn a_panic_is_a_result_and_nothing_else_is_lost() {
    let mut server = Server::new();
    server.text("echo", json!({ "ops": ["add a"] }));
    let text = server.error("echo", json!({ "ops": ["panic now"] }));
    assert!(
        text.starts_with(
            "! internal error in fcp-echo, not in what you sent: asked to panic now\n"
        ),
        "{text}"
    );
    assert!(
        server
            .error("echo_query", json!({ "q": "panic" }))
            .contains("internal error")
    );
    assert_eq!(server.text("echo_query", json!({ "q": "map" })), "add a");
    assert!(server.end().1.success());
}

#[test]
fn the_resources_are_the_codebook_the_card_and_the_document() {
    let mut server = Server::new();
    server.text("echo", json!({ "ops": ["add a"] }));
    let listed = server.ask("resources/list", json!({}))["result"]["resources"].clone();
    let uris: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap())
        .collect();
    assert_eq!(
        uris,
        [
            "fcp://echo/codebook",
            "fcp://echo/card",
            "fcp://echo/document"
        ]
    );
    let mut read = |uri: &str| {
        let contents =
            server.ask("resources/read", json!({ "uri": uri }))["result"]["contents"][0].clone();
        assert_eq!(contents["uri"], uri);
        (
            contents["mimeType"].as_str().unwrap().to_owned(),
            contents["text"].as_str().unwrap().to_owned(),
        )
    };
    let (mime, text) = read("fcp://echo/codebook");
    assert_eq!(mime, "application/json");
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap()["content_map"]["lines"],
        1
    );
    assert_eq!(
        read("fcp://echo/card").1,
        "# Echoes reference card\n\nEvery op is kept as a line."
    );
    let (mime, text) = read("fcp://echo/document");
    assert_eq!(mime, "text/plain");
    assert!(text.starts_with("add a\n[1l #"), "{text}");
    let reply = server.ask("resources/read", json!({ "uri": "fcp://echo/nothing" }));
    assert_eq!(reply["error"]["code"], -32002, "{reply}");
    assert_eq!(
        server.ask("resources/read", json!({}))["error"]["code"],
        -32602
    );
    assert_eq!(
        server.ask("resources/templates/list", json!({}))["result"]["resourceTemplates"],
        json!([])
    );
}

#[cfg(unix)]
#[test]
fn a_client_of_the_same_library_gets_along() {
    let (requests, to_server) = std::io::pipe().unwrap();
    let (from_server, replies) = std::io::pipe().unwrap();
    let make = std::process::Command::new(crate::support::program())
        .stdin(requests)
        .stdout(replies)
        .stderr(std::process::Stdio::null())
        .spawn();
    let mut child = make.unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let receiver = tokio::net::unix::pipe::Receiver::from_owned_fd(from_server.into()).unwrap();
        let sender = tokio::net::unix::pipe::Sender::from_owned_fd(to_server.into()).unwrap();
        let client = ().serve((receiver, sender)).await.unwrap();
        assert_eq!(
            client
                .peer_info()
                .unwrap()
                .server_info
                .as_ref()
                .unwrap()
                .name,
            "fcp-echo"
        );
        assert_eq!(client.list_all_tools().await.unwrap().len(), 4);
        let arguments = json!({ "ops": ["add a"] }).as_object().cloned().unwrap();
        let call = CallToolRequestParams::new("echo").with_arguments(arguments);
        let result = client.call_tool(call).await.unwrap();
        assert!(
            result.content[0]
                .as_text()
                .unwrap()
                .text
                .starts_with("+ 1 \"add a\"")
        );
        let read = ReadResourceRequestParams::new("fcp://echo/document");
        assert_eq!(client.read_resource(read).await.unwrap().contents.len(), 1);
        client.cancel().await.unwrap();
    });
    assert!(child.wait().unwrap().success());
}
