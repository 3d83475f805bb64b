//! Lines that are not calls, each followed by a call.

use serde_json::{Value, json};

use crate::program::{Program, library, plain};

const LINE_BYTES: usize = 1 << 20;

fn good(program: &mut Program) {
    let reply = program.ask(&plain(
        "\"good\"",
        "validate_asset",
        r#"{"asset":{"n":1},"schema":"plain"}"#,
    ));
    assert_eq!(
        reply,
        r#"{"jsonrpc":"2.0","id":"good","result":{"ok":true,"errors":[]}}"#
    );
}

#[test]
fn each_fault_is_answered_and_forgotten() {
    let mut program = Program::start(&library(), &[]);
    let deep = "[".repeat(129) + &"]".repeat(129);
    for (line, id, code) in [
        ("not json", json!(null), -32700),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}x",
            json!(null),
            -32700,
        ),
        ("{\"a\":NaN}", json!(null), -32700),
        ("\u{feff}{}", json!(null), -32700),
        ("{\"a\":\"\\ud800\"}", json!(null), -32700),
        (&deep, json!(null), -32700),
        ("{\"a\":1e999}", json!(null), -32700),
        ("[]", json!(null), -32600),
        ("7", json!(null), -32600),
        ("{\"id\":3,\"method\":\"x\"}", json!(3), -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":3}", json!(3), -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"list_schemas\"}",
            json!(null),
            -32600,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"method\":\"list_schemas\"}",
            json!(null),
            -32600,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"list_schemas\",\"params\":[1]}",
            json!(3),
            -32602,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"no/such\"}",
            json!(3),
            -32601,
        ),
    ] {
        let reply: Value = serde_json::from_str(&program.ask(line)).unwrap();
        assert_eq!(
            (&reply["id"], &reply["error"]["code"]),
            (&id, &json!(code)),
            "{line}"
        );
        good(&mut program);
    }
    program.write(b"{\"a\":\"\xff\"}\n");
    assert_eq!(
        program.hear(),
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#
    );
    good(&mut program);
    // One dialect ignores an unknown argument; the other reports it.
    let arguments = r#"{"asset":{"n":1},"schema":"plain","asst":0}"#;
    let reply = program.ask(&plain("1", "validate_asset", arguments));
    assert_eq!(
        reply,
        r#"{"jsonrpc":"2.0","id":1,"result":{"ok":true,"errors":[]}}"#
    );
    let reply = program.ask(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"validate_asset","arguments":{arguments}}}}}"#
    ));
    assert!(reply.contains("\"isError\":true"), "{reply}");
    good(&mut program);
}

#[test]
fn a_line_of_a_mebibyte_passes_and_no_more() {
    let mut program = Program::start(&library(), &[]);
    let too_large = r#"{"jsonrpc":"2.0","id":null,"result":{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"payload_too_large"}]}}"#;
    for letter in ["a", "é", "€"] {
        let head = r#"{"jsonrpc":"2.0","id":1,"method":"validate_asset","params":{"schema":"plain","asset":{"n":1,"x":""#;
        let room = LINE_BYTES - head.len() - 4;
        let pad = "a".repeat(room % letter.len());
        let line = format!("{head}{pad}{}\"}}}}}}", letter.repeat(room / letter.len()));
        assert_eq!(line.len(), LINE_BYTES);
        let fits = r#"{"jsonrpc":"2.0","id":1,"result":{"ok":true,"errors":[]}}"#;
        assert_eq!(program.ask(&line), fits);
        assert_eq!(program.ask(&format!("{line}\r")), fits);
        assert_eq!(program.ask(&format!("{line} ")), too_large);
    }
    for bytes in [vec![0xff; LINE_BYTES + 1], vec![b'x'; 5 * LINE_BYTES]] {
        program.write(&bytes);
        program.write(b"\n");
        assert_eq!(program.hear(), too_large);
        good(&mut program);
    }
}

#[test]
fn any_number_of_unknown_arguments_is_answered_in_short_and_at_once() {
    let mut program = Program::start(&library(), &[]);
    let unknown = (0..80_000).map(|at| format!(",\"{at:x}\":1"));
    let unknown = unknown.collect::<String>();
    let start = std::time::Instant::now();
    let reply = program.ask(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"validate_asset","arguments":{{"asset":1,"schema":"plain"{unknown}}}}}}}"#
    ));
    assert!(reply.contains("and 79980 more"), "{}", reply.len());
    assert!(reply.len() < 4_000, "{}", reply.len());
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
