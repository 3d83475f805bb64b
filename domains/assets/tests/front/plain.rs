//! The plain dialect: lines and their replies.

use fcp_assets::front::LINE_BYTES;

use crate::stage::{Stage, replies};

const TOO_LARGE: &str = r#"{"jsonrpc":"2.0","id":null,"result":{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"payload_too_large"}]}}"#;
const PARSE: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
const GOOD: &str = r#"{"jsonrpc":"2.0","id":"good","method":"say","params":{"word":"hi"}}"#;
const ANSWER: &str =
    r#"{"jsonrpc":"2.0","id":"good","result":{"ok":true,"word":"hi","detail":false}}"#;

fn invalid(id: &str, why: &str) -> String {
    let why = serde_json::to_string(why).unwrap();
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32600,"message":"Invalid Request","data":{why}}}}}"#
    )
}

fn reply_to(id: &str, word: &str, detail: bool) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"ok":true,"word":"{word}","detail":{detail}}}}}"#
    )
}

/// One line gets one reply, and the next line is served as usual.
#[track_caller]
fn check(line: impl AsRef<[u8]>, reply: &str) {
    let input = [line.as_ref(), b"\n", GOOD.as_bytes()].concat();
    let shown = String::from_utf8_lossy(line.as_ref());
    let shown = shown.chars().take(200).collect::<String>();
    assert_eq!(replies(&input), [reply, ANSWER], "{shown}");
}

#[test]
fn invalid_json_is_a_parse_error() {
    let deep = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"say","params":{{"other":{open}{close}}}}}"#)
    };
    for line in [
        "not json",
        r#"{"jsonrpc":"2.0","id":1,"method":"say"} x"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"say"}{}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"say","params":{"word":NaN}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"say","params":{"other":1e999}}"#,
        r#"{"jsonrpc":"2.0","id":1e999,"method":"say"}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"say\",\"params\":{\"word\":\"\\ud800\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"say\",\"params\":{\"\\udc00\":1}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"say\"}",
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"say\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"say\",}",
        "{",
        &deep(127),
        &"[".repeat(LINE_BYTES),
    ] {
        check(line, PARSE);
    }
    check(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"say\",\"params\":{\"word\":\"\xff\"}}",
        PARSE,
    );
    check(deep(126), &reply_to("1", "", false));
}

#[test]
fn invalid_json_of_the_protocol_is_answered_under_its_id() {
    let reply = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error"}}"#;
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for params in ["1e999", "{\"word\":\"\\ud800\"}", &deep, "{,}"] {
        check(
            format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#),
            reply,
        );
    }
    check(
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"word\":\"\xff\"}}",
        reply,
    );
}

#[test]
fn invalid_requests_are_rejected() {
    let version = "\"jsonrpc\" must be \"2.0\"";
    for (line, id, why) in [
        ("[]", "null", "batch not supported"),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"say"}]"#,
            "null",
            "batch not supported",
        ),
        ("7", "null", "a request is a JSON object"),
        ("null", "null", "a request is a JSON object"),
        (r#""say""#, "null", "a request is a JSON object"),
        (r#"{"id":1,"method":"say"}"#, "1", version),
        (
            r#"{"jsonrpc":"1.0","id":"a","method":"say"}"#,
            "\"a\"",
            version,
        ),
        (
            r#"{"jsonrpc":2.0,"id":1.50,"method":"say"}"#,
            "1.50",
            version,
        ),
        ("{}", "null", version),
        (
            r#"{"jsonrpc":"2.0","id":4}"#,
            "4",
            "a request has a \"method\"",
        ),
        (
            r#"{"jsonrpc":"2.0","id":4,"method":null}"#,
            "4",
            "\"method\" must be a string",
        ),
        (
            r#"{"jsonrpc":"2.0","id":[4],"method":5}"#,
            "null",
            "\"method\" must be a string",
        ),
    ] {
        check(line, &invalid(id, why));
    }
}

#[test]
fn without_an_id_nothing_is_carried_out() {
    for (id, why) in [
        (r#""id":null,"#, "\"id\" must be a string or a number"),
        (r#""id":true,"#, "\"id\" must be a string or a number"),
        (r#""id":[],"#, "\"id\" must be a string or a number"),
        (r#""id":{},"#, "\"id\" must be a string or a number"),
        (
            r#""id":1,"id":null,"#,
            "\"id\" must be a string or a number",
        ),
        ("", "a request has an \"id\""),
    ] {
        let mut stage = Stage::new();
        stage.say(&format!(
            r#"{{"jsonrpc":"2.0",{id}"method":"say","params":{{"word":"never"}}}}"#
        ));
        assert_eq!(stage.hear(), invalid("null", why));
        stage.say(GOOD);
        assert_eq!(stage.hear(), ANSWER);
        assert_eq!((stage.spoken("never"), stage.spoken("hi")), (0, 1));
    }
}

#[test]
fn an_id_comes_back_as_it_was_written() {
    for id in [
        "\"a\"",
        "\"\"",
        "\"\\u00e9\\/\"",
        "0",
        "-0",
        "-1",
        "1e3",
        "1.0",
        "1.50",
        "12345678901234567890123",
    ] {
        check(
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"say","params":{{"word":"w"}}}}"#),
            &reply_to(id, "w", false),
        );
    }
}

#[test]
fn parameters_are_an_object_or_nothing() {
    for params in ["\"a\"", "1", "true", "false", "[1]", "[[]]", "-1"] {
        let wrong = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":"\"params\" must be an object"}}"#;
        for method in ["say", "teleport"] {
            check(
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#),
                wrong,
            );
        }
    }
    for params in [
        "",
        r#","params":null"#,
        r#","params":[]"#,
        r#","params":[ ]"#,
        r#","params":{}"#,
        r#","params":{ }"#,
    ] {
        check(
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"say"{params}}}"#),
            &reply_to("1", "", false),
        );
    }
}

#[test]
fn arguments_that_no_tool_knows_are_left_out_and_detail_has_to_be_asked_for() {
    for (params, word, detail) in [
        (r#"{"word":"a","x":{"y":[1]}}"#, "a", false),
        (r#"{"x":1}"#, "", false),
        (
            r#"{"x":1,"word":"a","word":"b","\u0077ord":"c"}"#,
            "c",
            false,
        ),
        (r#"{"detail":true,"word":"a"}"#, "a", true),
        (r#"{"detail":true,"word":"a","x":0}"#, "a", true),
        (r#" { "word" : "a" , "detail" : false } "#, "a", false),
    ] {
        check(
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"say","params":{params}}}"#),
            &reply_to("1", word, detail),
        );
    }
    // A tool without `detail` is called without it.
    let mut stage = Stage::new();
    stage.gate.open();
    stage.say(r#"{"jsonrpc":"2.0","id":1,"method":"wait","params":{"word":"w","detail":true}}"#);
    assert_eq!(stage.hear(), reply_to("1", "w", false));
}

#[test]
fn a_method_is_a_tool_by_any_of_its_names() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"repeat","params":{"word":"a"}}"#,
        &reply_to("1", "a", false),
    );
    check(
        r#"{"\u006asonrpc":"\u0032.0","method":"s\u0061y","id":1,"method":"say"}"#,
        &reply_to("1", "", false),
    );
    for method in ["teleport", "", "Say", "initialized"] {
        check(
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#),
            r#"{"jsonrpc":"2.0","id":1,"result":{"ok":false,"reason":"unsupported","detail":"tool not implemented"}}"#,
        );
    }
}

#[test]
fn a_line_has_so_many_bytes_and_no_more() {
    for letter in ["a", "é", "€", "𝄞"] {
        let head = r#"{"jsonrpc":"2.0","id":1,"method":"say","params":{"x":""#;
        let tail = r#""}}"#;
        let room = LINE_BYTES - head.len() - tail.len();
        let pad = "a".repeat(room % letter.len());
        let fits = format!("{head}{pad}{}{tail}", letter.repeat(room / letter.len()));
        assert_eq!(fits.len(), LINE_BYTES);
        check(&fits, &reply_to("1", "", false));
        check(format!("{fits}\r"), &reply_to("1", "", false));
        check(format!("{fits} "), TOO_LARGE);
        check(format!("{fits} \r"), TOO_LARGE);
    }
    check("x".repeat(LINE_BYTES), PARSE);
    check("x".repeat(LINE_BYTES + 1), TOO_LARGE);
    check([0xff; LINE_BYTES + 1], TOO_LARGE);
    // A request of the protocol is answered under its id, wherever the line shows it.
    let refused = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32600,"message":"the request is longer than 1048576 bytes, the limit of this server"}}}}"#
        )
    };
    let long = "x".repeat(LINE_BYTES);
    check(
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"x":"{long}"}}}}"#),
        &refused("1"),
    );
    check(
        format!(
            r#"{{"jsonrpc":"2.0","params":{{"id":1,"x":"{long}"}},"method":"tools/call","id":"a"}}"#
        ),
        &refused("\"a\""),
    );
    check(
        format!(r#"{{"jsonrpc":"2.0","id":null,"method":"tools/list","params":"{long}"}}"#),
        TOO_LARGE,
    );
}

#[test]
fn blank_lines_are_nothing_and_the_last_line_needs_no_end() {
    assert_eq!(replies(b"\n\r\n \t \n\n"), [""; 0]);
    assert_eq!(replies(GOOD.as_bytes()), [ANSWER]);
    assert_eq!(
        replies(format!("\r\n{GOOD}\r\n{GOOD}\r").as_bytes()),
        [ANSWER; 2]
    );
    assert_eq!(replies(b"{"), [PARSE]);
}
