//! Structured tools from a client's view: a process, two pipes, JSON-RPC.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use crate::support::{Server, request, run_program, toolset};
use serde_json::{Value, json};

fn cancel(id: i64) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

#[test]
fn tools_are_listed_with_schemas_and_hints_by_one_name_each() {
    let mut server = Server::tools(&[]);
    let list = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tools = list.as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(
        names,
        ["book.add", "clear", "find", "meet", "promise", "titles"]
    );
    assert_eq!(tools[0]["title"], "Book add");
    assert_eq!(
        tools[0]["description"],
        "Add a book.\n\nA title is there once."
    );
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
    let hints = |at: usize| {
        let hints = &tools[at]["annotations"];
        let names = ["readOnly", "destructive", "idempotent", "openWorld"];
        names.map(|name| hints[format!("{name}Hint")].as_bool().unwrap())
    };
    assert_eq!(hints(0), [false, false, true, false]);
    assert_eq!(hints(1), [false, true, false, false]);
    assert_eq!(hints(2), [true, false, true, false]);
    assert_eq!(hints(3), [true, false, false, true]);
}

#[test]
fn answers_are_structured_and_the_same_as_text() {
    let mut server = Server::tools(&[]);
    let book = json!({ "title": "Emma", "book": { "pages": 474 } });
    for (tool, arguments, answer, error) in [
        (
            "book_add",
            book,
            json!({ "status": "added", "books": 1 }),
            false,
        ),
        (
            "find",
            json!({ "title": "Emma" }),
            json!({ "pages": 474, "cover": "hard" }),
            false,
        ),
        (
            "find",
            json!({ "title": "Ema" }),
            json!({ "reason": "not_found", "nearest": "Emma" }),
            true,
        ),
        (
            "find",
            json!([7]),
            json!({ "reason": "invalid", "faults": [["", "the call is an array, not an object"]] }),
            true,
        ),
        (
            "promise",
            json!({ "promise": 13 }),
            json!({ "error": { "message": "internal error, not in what you sent: thirteen" } }),
            true,
        ),
        ("titles", Value::Null, json!({ "titles": ["Emma"] }), false),
    ] {
        let result = server.call(tool, arguments);
        assert_eq!(result["structuredContent"], answer, "{tool}");
        assert_eq!(result["isError"], error, "{tool}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), answer);
    }
    let reply = server.ask("tools/call", json!({ "name": "fnd", "arguments": {} }));
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    assert_eq!(
        reply["error"]["message"],
        "unknown tool \"fnd\", nearest is \"find\"; there are book.add, clear, find, meet, promise, titles"
    );
    assert!(server.end().1.success());
}

#[test]
fn reading_calls_run_concurrently_and_delay_none() {
    let mut server = Server::tools(&[]);
    // Each waits for the other: in sequence they would fail.
    for id in [1, 2] {
        server.say(&request(
            id,
            "meet",
            json!({ "for_ms": 60_000, "others": 1 }),
        ));
    }
    let mut met = [server.hear(), server.hear()];
    met.sort_by_key(|reply| reply["id"].as_i64());
    for (reply, id) in met.iter().zip([1, 2]) {
        assert_eq!(
            (&reply["id"], &reply["result"]["isError"]),
            (&json!(id), &json!(false))
        );
    }
    // A waiting call does not hold up later ones, nor the end once it is cancelled.
    server.say(&request(
        3,
        "meet",
        json!({ "for_ms": 600_000, "others": 99 }),
    ));
    assert_eq!(server.text("titles", json!({})), r#"{"titles":[]}"#);
    server.say(&cancel(3));
    let (rest, status) = server.end();
    assert_eq!(rest, Vec::<Value>::new());
    assert!(status.success());
}

#[test]
fn changing_calls_run_alone_and_in_order() {
    let mut server = Server::tools(&[]);
    let mut sent = String::new();
    for id in 0..400_i64 {
        let title = format!("{:03}", id / 2);
        let call = if id % 2 == 0 {
            request(
                id,
                "book.add",
                json!({ "title": title, "book": { "pages": 1 } }),
            )
        } else {
            request(id, "find", json!({ "title": title }))
        };
        sent.push_str(&format!("{call}\n"));
    }
    server.write(sent.as_bytes());
    let (rest, status) = server.end();
    assert_eq!(rest.len(), 400);
    for reply in rest {
        let id = reply["id"].as_u64().unwrap();
        let answer = &reply["result"]["structuredContent"];
        if id % 2 == 0 {
            assert_eq!(answer["books"], id / 2 + 1, "{reply}");
        } else {
            assert_eq!(answer["pages"], 1, "{reply}");
        }
    }
    assert!(status.success());
}

#[test]
fn a_call_after_an_endless_one_can_be_cancelled() {
    let mut server = Server::tools(&[]);
    server.say(&request(
        1,
        "meet",
        json!({ "for_ms": 600_000, "others": 99 }),
    ));
    // It must run alone, so it waits.
    server.say(&request(2, "clear", json!({})));
    server.say(&cancel(2));
    // The transport still answers.
    server.ask("ping", json!({}));
    server.say(&cancel(1));
    assert_eq!(server.text("titles", json!({})), r#"{"titles":[]}"#);
    let (rest, status) = server.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn the_resources_hold_the_tools_for_programs_and_in_words() {
    let mut server = Server::tools(&[]);
    let list = server.ask("resources/list", json!({}))["result"]["resources"].clone();
    let uris: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["uri"])
        .collect();
    assert_eq!(uris, ["fcp://shelf/codebook", "fcp://shelf/card"]);
    let mut read = |uri: &str| {
        let reply = server.ask("resources/read", json!({ "uri": uri }));
        reply["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let book: Value = serde_json::from_str(&read("fcp://shelf/codebook")).unwrap();
    let add = &book["schema_map"]["tools"][0];
    assert_eq!(
        (&add["name"], &add["aliases"]),
        (&json!("book.add"), &json!(["book_add"]))
    );
    assert_eq!(
        add["examples"][0][0]["answer"],
        json!({ "status": "added", "books": 1 })
    );
    assert_eq!(add["examples"][0][2]["is_error"], true);
    assert!(read("fcp://shelf/card").contains("\nbook.add (idempotent)\n  Add a book.\n"));
}

#[test]
fn a_domain_has_resources_of_its_own_and_their_names_are_completed() {
    let mut server = Server::tools(&[]);
    for title in ["Emma", "Émile", "Empire & Sea", "Ulysses"] {
        server.text(
            "book.add",
            json!({ "title": title, "book": { "pages": 1 } }),
        );
    }
    let patterns = server.ask("resources/templates/list", json!({}));
    let pattern = &patterns["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(pattern, "shelf://book/{title}");
    let list = server.ask("resources/list", json!({}));
    assert_eq!(list["result"]["resources"].as_array().unwrap().len(), 6);
    let complete = |variable: &str, value: &str| json!({ "ref": { "type": "ref/resource", "uri": pattern }, "argument": { "name": variable, "value": value } });
    let reply = server.ask("completion/complete", complete("title", "eM"));
    let expected = json!({ "values": ["Emma", "Empire & Sea"], "total": 2, "hasMore": false });
    assert_eq!(reply["result"]["completion"], expected, "{reply}");
    let reply = server.ask("completion/complete", complete("author", ""));
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    for (uri, pages) in [
        (
            "shelf://book/Empire%20%26%20Sea",
            Some(r#"{"pages":1,"cover":"hard"}"#),
        ),
        ("shelf://book/Nobody", None),
        ("shelf://book/", None),
    ] {
        let reply = server.ask("resources/read", json!({ "uri": uri }));
        let text = &reply["result"]["contents"][0]["text"];
        assert_eq!(text.as_str(), pages, "{reply}");
        match pages {
            Some(_) => assert_eq!(reply["result"]["ttlMs"], 60_000),
            None => assert!(
                reply["error"]["message"]
                    .as_str()
                    .unwrap()
                    .contains("shelf://book/Emma")
            ),
        }
    }
    let reply = server.ask("resources/list", json!({ "cursor": "7" }));
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
}

#[test]
fn a_domain_may_do_something_instead_of_serving() {
    assert_eq!(
        printed(&["--full", "--print", "Emma"], ""),
        (
            "{\"pages\":0,\"cover\":\"hard\"}\n".to_owned(),
            String::new(),
            Some(0)
        )
    );
    assert_eq!(printed(&["--print", "Emma", "Nobody"], "").2, Some(1));
    assert_eq!(printed(&["--print"], "").2, Some(2));
}

#[test]
fn a_domain_may_own_the_front_and_hand_the_protocol_on() {
    let mut server = Server::tools(&["--plain"]);
    server.write(b"book.add {\"title\":\"Emma\",\"book\":{\"pages\":3}}\n");
    assert_eq!(server.hear(), json!({ "status": "added", "books": 1 }));
    assert_eq!(server.text("titles", json!({})), r#"{"titles":["Emma"]}"#);
    server.write(b"find {\"title\":\"Emma\"}\n");
    assert_eq!(server.hear()["pages"], 3);
    assert!(server.end().1.success());
}

fn printed(arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let output = run_program(toolset(), arguments, input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

#[test]
fn the_command_line_calls_describes_and_explains() {
    for (arguments, input, out, code) in [
        (&["call", "titles"][..], "", "{\"titles\":[]}\n", 0),
        (
            &["--full", "call", "titles"],
            "",
            "{\"titles\":[\"Emma\"]}\n",
            0,
        ),
        (
            &["call", "titles", "-"],
            "{\"limit\": 2}",
            "{\"titles\":[]}\n",
            0,
        ),
        (
            &["call", "find", "{\"title\": \"x\"}"],
            "",
            "{\"reason\":\"not_found\"}\n",
            1,
        ),
        (&["call", "fnd"], "", "", 2),
        (&["call", "find", "{"], "", "", 2),
        (&["--root", "no/such/folder", "help"], "", "", 2),
        (&["help", "fnd"], "", "", 1),
        (&["serve", "--loud"], "", "", 2),
    ] {
        let (stdout, stderr, status) = printed(arguments, input);
        assert_eq!(
            (stdout.as_str(), status),
            (out, Some(code)),
            "{arguments:?}"
        );
        assert_eq!(stderr.is_empty(), code == 0 || !out.is_empty(), "{stderr}");
    }
    assert!(
        printed(&["call", "fnd"], "")
            .1
            .contains("nearest is \"find\"")
    );
    let (help, _, _) = printed(&["help", "titles"], "");
    assert!(help.starts_with("titles (reads only)\n  List the titles.\n    [limit]: integer 1 to 99. The most entries. (10 if left out)\n"), "{help}");
    let (whole, _, _) = printed(&["--help"], "");
    assert!(whole.starts_with("Shelves of books. Add books") && whole.contains("--max-request"));
    let schema: Value = serde_json::from_str(&printed(&["schema"], "").0).unwrap();
    assert_eq!(schema["schema_map"]["tools"][5]["name"], "titles");
    assert!(Path::new(toolset()).is_file());
}
