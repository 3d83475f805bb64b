//! `xtask parse` in a separate process.

// Helpers of tests are not tests to clippy.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("parse")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn answers(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let mut child = start(arguments);
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn an_op_is_answered_by_its_parts() {
    assert_eq!(
        answers(
            &["--json"],
            br#""  Connect A -> \"B C\" style:dashed @not:type:db""#
        ),
        [json!({
            "verb": "connect",
            "positionals": ["A", "->", "B C"],
            "params": { "style": "dashed" },
            "selectors": [{ "type": "type", "value": "db", "negated": true }],
            "arrows": ["->"],
            "raw": "Connect A -> \"B C\" style:dashed @not:type:db",
        })]
    );
}

#[test]
fn invalid_ops_are_answered_by_error_and_place() {
    let answers = answers(&["--json"], b"\"add \\\"x\"\n\"\"\n\"a\\nb\"\r\n");
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["raw"], "add \"x");
    assert_eq!(answers[0]["span"], json!({ "start": 4, "end": 6 }));
    assert!(
        answers[0]["error"]
            .as_str()
            .unwrap()
            .contains("unterminated")
    );
    assert_eq!(answers[1]["raw"], "");
    assert!(answers[1]["error"].is_string());
    // A line break inside an op is whitespace.
    assert_eq!(answers[2]["positionals"], json!(["b"]));
}

#[test]
fn lines_that_are_not_strings_are_answered_too() {
    let lines = b"note\n\n[\"a\"]\n\"a\" \"b\"\n\"\\ud800\"\n\xff\n\"ok\"";
    let answers = answers(&["--json"], lines);
    assert_eq!(answers.len(), 7);
    for answer in &answers[..6] {
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["error", "raw", "span"]);
        let error = answer["error"].as_str().unwrap();
        assert!(error.starts_with("not a JSON string: "), "{error}");
        let length = answer["raw"].as_str().unwrap().len();
        assert_eq!(answer["span"], json!({ "start": 0, "end": length }));
    }
    assert_eq!(answers[6]["verb"], "ok");
}

#[test]
fn without_the_option_a_line_is_an_op() {
    let answers = answers(&[], b"note C4 at:1.1\n\xff\n");
    assert_eq!(answers[0]["params"], json!({ "at": "1.1" }));
    assert!(
        answers[1]["error"]
            .as_str()
            .unwrap()
            .starts_with("not UTF-8")
    );
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let mut child = start(&["--json"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for verb in ["first", "second"] {
        writeln!(input, "\"{verb}\"").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["verb"], verb);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_is_an_end() {
    let mut child = start(&["--json"]);
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // It may end before all is written.
    while input.write_all(b"\"note\"\n").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
