//! The worked session, byte for byte, and many calls of both dialects.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::program::{Program, command, library, plain, run};

const SESSION: &str = include_str!("session.txt");

fn lines(sign: &str) -> Vec<&'static str> {
    let lines = SESSION.lines();
    lines.filter_map(|line| line.strip_prefix(sign)).collect()
}

#[test]
fn the_worked_session_is_answered_to_the_byte() {
    let (asked, answered) = (lines("> "), lines("< "));
    assert_eq!((asked.len(), answered.len()), (10, 10));
    let input = asked.join("\n") + "\n";
    let wanted = answered.join("\n") + "\n";
    // All at once, twice in one process.
    let output = run(command(&library(), &[]), input.repeat(2).as_bytes());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), wanted.repeat(2));
    assert_eq!(output.status.code(), Some(0));
    // One by one.
    let mut program = Program::start(&library(), &[]);
    for (asked, answered) in asked.iter().zip(&answered) {
        assert_eq!(program.ask(asked), *answered);
    }
}

#[test]
fn the_guide_shows_actual_replies() {
    const GUIDE: &str = include_str!("../../../../docs/assets.md");
    let mut program = Program::start(&library(), &[]);
    let shown = |sign: &'static str| {
        GUIDE
            .lines()
            .filter_map(move |line| line.strip_prefix(sign))
    };
    assert_eq!(shown("> ").count(), 1);
    for (asked, answered) in shown("> ").zip(shown("< ")) {
        assert_eq!(program.ask(asked), answered);
    }
    let flags = <fcp_assets::Assets as fcp::tool::Toolset>::FLAGS.iter();
    for flag in flags {
        assert!(
            GUIDE.contains(&format!("| `--{}", flag.name)),
            "{}",
            flag.name
        );
    }
}

#[test]
fn the_protocol_gives_the_same_text_and_structure() {
    let mut program = Program::start(&library(), &[]);
    let params = json!({ "name": "diff_assets", "arguments": { "base": { "a": 1 }, "new": [1] } });
    let call = json!({ "jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": params });
    let reply: Value = serde_json::from_str(&program.ask(&call.to_string())).unwrap();
    let text = r#"{"ok":true,"patch":[{"op":"replace","path":"","value":[1]}]}"#;
    assert_eq!(reply["result"]["content"][0]["text"], text);
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(reply["result"]["structuredContent"], value);
    assert_ne!(reply["result"]["isError"], true);
}

#[test]
fn a_thousand_calls_in_mixed_dialects_are_answered_in_their_order() {
    let mut input = String::new();
    for id in 0..1000 {
        let asset = format!(r#"{{"n":{id}}}"#);
        let arguments = format!(r#"{{"asset":{asset},"schema":"plain"}}"#);
        let line = match id % 4 {
            0 => plain(&id.to_string(), "validate_asset", &arguments),
            1 => format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"validate_asset","arguments":{arguments}}}}}"#
            ),
            2 => plain(&id.to_string(), "list_schemas", "{}"),
            _ => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#),
        };
        writeln!(input, "{line}").unwrap();
    }
    let output = run(command(&library(), &[]), input.as_bytes());
    let replies = String::from_utf8(output.stdout).unwrap();
    let ids = replies.lines().map(|line| {
        let reply: Value = serde_json::from_str(line).unwrap();
        assert!(reply.get("result").is_some(), "{line}");
        reply["id"].as_i64().unwrap()
    });
    assert!(ids.eq(0..1000));
    assert!(replies.ends_with('\n'));
}
