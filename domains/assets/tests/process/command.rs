//! The command line.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{command, copy, run};

const EXAMPLES: &str = "libs/synesthetic-schemas/examples";

/// The lines of output, and the exit code.
fn run_cli(folder: &Path, arguments: &[&str], input: &[u8]) -> (Vec<String>, i32) {
    let mut program = command(folder, &[]);
    program.args(arguments);
    let output = run(program, input);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(str::to_owned).collect();
    (lines, output.status.code().unwrap())
}

#[track_caller]
fn one(folder: &Path, arguments: &[&str], input: &[u8], wanted: &str, code: i32) {
    let found = run_cli(folder, arguments, input);
    assert_eq!(found, (vec![wanted.to_owned()], code), "{arguments:?}");
}

#[test]
fn a_file_is_judged_in_a_line() {
    let folder = copy();
    let at = folder.path();
    let example = |name: &str| format!("{EXAMPLES}/{name}");
    for (name, schema) in [
        ("Shader_Example.json", "shader"),
        ("SynestheticAsset_Example1.json", "synesthetic-asset"),
    ] {
        let wanted = format!(r#"{{"ok":true,"errors":[],"schema":"{schema}"}}"#);
        one(at, &["--validate", &example(name)], b"", &wanted, 0);
        let absolute = at.join(example(name));
        one(
            at,
            &["--validate", absolute.to_str().unwrap()],
            b"",
            &wanted,
            0,
        );
    }
    let bad = r#"{"ok":false,"reason":"validation_failed","errors":[{"path":"/name","msg":"expected at least 1 character, got 0"}],"schema":"nested-synesthetic-asset"}"#;
    one(
        at,
        &["--validate", &example("SynestheticAsset_Bad.json")],
        b"",
        bad,
        1,
    );
    one(
        at,
        &[
            "--validate",
            &example("_skip/Odd_Example.json"),
            "--schema",
            "plain",
        ],
        b"",
        r#"{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"missing required property \"n\""}],"schema":"plain"}"#,
        1,
    );
    one(
        at,
        &["--validate", "-", "--schema", "plain"],
        b" {\"n\":1} ",
        r#"{"ok":true,"errors":[],"schema":"plain"}"#,
        0,
    );
    one(at, &["--validate", "-"], b"{\"name\":\"\"}", bad, 1);
}

#[test]
fn any_value_is_judged() {
    let folder = copy();
    fs::write(folder.path().join("list.json"), "[1]").unwrap();
    one(
        folder.path(),
        &["--validate", "list.json", "--schema", "plain"],
        b"",
        r#"{"ok":false,"reason":"validation_failed","errors":[{"path":"","msg":"expected object, got array"}],"schema":"plain"}"#,
        1,
    );
}

#[test]
fn unreadable_files_are_reported_with_a_reason() {
    let folder = copy();
    let at = folder.path();
    fs::write(at.join("half.json"), "{\n \"é\": tru}").unwrap();
    fs::write(at.join("latin.json"), b"[\n\"\xe9\"]").unwrap();
    fs::create_dir(at.join("empty")).unwrap();
    for (path, reason, place) in [
        ("no/such.json", "io_error", None),
        ("empty", "io_error", None),
        ("", "io_error", None),
        ("half.json", "parse_error", Some((2, 7))),
        ("latin.json", "parse_error", Some((2, 2))),
    ] {
        let (lines, code) = run_cli(at, &["--validate", path], b"");
        assert_eq!((lines.len(), code), (1, 2), "{path:?} {lines:?}");
        let line: Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(
            (&line["ok"], &line["reason"]),
            (&json!(false), &json!(reason)),
            "{line}"
        );
        assert!(!line["detail"].as_str().unwrap().is_empty());
        let expected = place.map(|(line, column)| (json!(line), json!(column)));
        let place = line.get("line").zip(line.get("column"));
        assert_eq!(
            place.map(|(l, c)| (l.clone(), c.clone())),
            expected,
            "{line}"
        );
    }
    one(
        at,
        &["--validate", "-"],
        b"",
        r#"{"ok":false,"reason":"parse_error","detail":"line 1, column 1: the text ends where a value is expected","line":1,"column":1}"#,
        2,
    );
}

#[test]
fn several_files_get_a_line_each_and_the_worst_code() {
    let folder = copy();
    let (lines, code) = run_cli(folder.path(), &["--validate", EXAMPLES], b"");
    let lines: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let results: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                line["path"].as_str().unwrap(),
                line["ok"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        results,
        [
            (&*format!("{EXAMPLES}/Shader_Example.json"), true),
            (&*format!("{EXAMPLES}/SynestheticAsset_Bad.json"), false),
            (&*format!("{EXAMPLES}/SynestheticAsset_Example1.json"), true),
            (&*format!("{EXAMPLES}/_skip/Odd_Example.json"), false),
        ]
    );
    assert_eq!(code, 1);
    let shader = format!("{EXAMPLES}/Shader_Example.json");
    for (paths, wanted) in [
        ([shader.as_str(), shader.as_str()], 0),
        ([shader.as_str(), "no/such"], 2),
        ([EXAMPLES, "no/such"], 2),
    ] {
        let (lines, code) = run_cli(folder.path(), &["--validate", paths[0], paths[1]], b"");
        assert_eq!(code, wanted, "{lines:?}");
        for line in lines {
            assert!(line.contains("\"path\":\""), "{line}");
        }
    }
}

#[test]
fn files_are_compared_and_what_is_served_is_listed() {
    let folder = copy();
    let at = folder.path();
    fs::write(at.join("one.json"), "{\"a\":1,\"b\":[1]}").unwrap();
    fs::write(at.join("two.json"), "{\"b\":[1.0],\"a\":2.50}").unwrap();
    one(
        at,
        &["--diff", "one.json", "two.json"],
        b"",
        r#"{"ok":true,"patch":[{"op":"replace","path":"/a","value":2.50}]}"#,
        1,
    );
    one(
        at,
        &["--diff", "one.json", "-"],
        b"{\"b\":[1e0],\"a\":1.0}",
        r#"{"ok":true,"patch":[]}"#,
        0,
    );
    let (lines, code) = run_cli(at, &["--diff", "one.json", "no/such"], b"");
    assert_eq!(code, 2);
    assert!(
        lines[0].starts_with(r#"{"ok":false,"reason":"io_error","#),
        "{lines:?}"
    );
    let (lines, code) = run_cli(at, &["--list"], b"");
    assert_eq!((lines.len(), code), (2, 0));
    assert!(
        lines[0].starts_with(r#"{"ok":true,"schemas":[{"name":"plain","#),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with(r#"{"ok":true,"examples":[{"component":"Odd_Example","#),
        "{lines:?}"
    );
}

#[test]
fn a_schema_is_printed_in_one_piece() {
    let folder = copy();
    let (lines, code) = run_cli(folder.path(), &["--bundle", "synesthetic-asset"], b"");
    assert_eq!((lines.len(), code), (1, 0));
    let line: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(
        line["schema"]["$defs"]["shader"]["properties"]["stage"],
        json!({ "enum": ["vertex", "fragment"] })
    );
    let (lines, code) = run_cli(folder.path(), &["--bundle", "shadr"], b"");
    assert_eq!(code, 1);
    assert!(
        lines[0].starts_with(r#"{"ok":false,"reason":"not_found""#),
        "{lines:?}"
    );
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = copy();
    for arguments in [
        &["--validate"][..],
        &["--schema", "plain"],
        &["--list", "--schema", "plain"],
        &["--list", "--diff", "a", "b"],
        &["--diff", "a"],
        &["--nonsense"],
    ] {
        let (lines, code) = run_cli(folder.path(), arguments, b"");
        assert_eq!((lines.len(), code), (0, 2), "{arguments:?} {lines:?}");
    }
    let (lines, code) = run_cli(folder.path(), &["--version"], b"");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        (lines, code),
        (vec![format!("fcp-assets {version} (spec 0.2.3)")], 0)
    );
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_forges_no_line() {
    let folder = copy();
    let name = "a\n{\"ok\":true}\n\u{1b}[2J\u{202e}b.json";
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in").join(name), "{}").unwrap();
    for path in ["in".to_owned(), format!("in/{name}"), format!("in/{name}x")] {
        let mut program = command(folder.path(), &[]);
        program.args(["--validate", &path]);
        let output = run(program, b"");
        let (text, log) = [output.stdout, output.stderr]
            .map(|stream| String::from_utf8(stream).unwrap())
            .into();
        assert_ne!(output.status.code(), Some(0), "{text}{log}");
        assert_eq!(text.lines().count() + log.lines().count(), 1, "{text}{log}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
        assert_eq!(fcp::diag::plain_lines(&log), log);
        for line in text.lines() {
            let verdict: Value = serde_json::from_str(line).unwrap();
            assert_eq!(verdict["ok"], false, "{text}");
        }
    }
}
