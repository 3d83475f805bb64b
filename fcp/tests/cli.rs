//! The command line of every domain's program.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    fs,
    process::{Command, Output, Stdio},
};

use crate::support::{program, run};

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const SCRIPT: &str = "# two lines\n! new \"a b\"\n[\nadd a\nfail b\n]\n? map\n? image\n";
const TRANSCRIPT: &str = "! new \"a b\"\n> + new \"a b\"\n> [0l #000007]\n\n[\nadd a\nfail b\n]\n> + 1 \"add a\"\n\
    > ! failed b\n>   try: add b\n> [1l #77c4fb]\n\n? map\n> add a\n\n? image\n> a picture\n\
    # image/png, 2 bytes\n# audio/wav, 4 bytes\n";

#[test]
fn a_script_is_printed_as_a_transcript_that_checks() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("a.fcp");
    fs::write(&script, SCRIPT).unwrap();
    let played = run(&["run", script.to_str().unwrap()], "");
    assert_eq!(out(&played), TRANSCRIPT);
    assert_eq!(played.status.code(), Some(0));
    assert_eq!(out(&run(&["run", "-"], SCRIPT)), TRANSCRIPT);
    fs::write(&script, TRANSCRIPT).unwrap();
    let checked = run(&["run", "--check", script.to_str().unwrap()], "");
    assert_eq!(
        out(&checked),
        format!("ok {}: 4 steps, 4 compared\n", script.display())
    );
    assert_eq!(checked.status.code(), Some(0));
}

#[test]
fn a_transcript_that_differs_fails_with_the_first_difference() {
    let wrong = "add a\n> + 1 …\nadd b\n> + 1 \"add b\"\n> [2l #*]\n? map\n> add a\n> add b\n";
    let checked = run(&["run", "--check", "-"], wrong);
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(
        out(&checked),
        "-:3: line 1 of the reply differs\n  expected: + 1 \"add b\"\n  found:    + 2 \"add b\"\n  \
         the step and its whole reply:\nadd b\n> + 2 \"add b\"\n> [2l #98f888]\nFAILED -: 1 of 3 replies differ\n"
    );
    // Without `--check` it is only played.
    assert_eq!(run(&["run", "-"], wrong).status.code(), Some(0));
    let broken = run(&["run", "-"], "add a\n]\n");
    assert_eq!(
        (broken.status.code(), err(&broken)),
        (Some(2), "error: -:2: there is no batch to close\n".into())
    );
    let missing = run(&["run", "no-such.fcp"], "");
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        err(&missing).starts_with("error: no-such.fcp: "),
        "{}",
        err(&missing)
    );
}

#[test]
fn several_scripts_each_start_afresh() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("a.fcp");
    fs::write(&script, "add a\n").unwrap();
    let path = script.to_str().unwrap();
    let reply = format!("# {path}\nadd a\n> + 1 \"add a\"\n> [1l #77c4fb]\n");
    assert_eq!(
        out(&run(&["run", path, path], "")),
        format!("{reply}\n{reply}")
    );
}

#[test]
fn lines_are_answered_as_they_come() {
    let played = run(
        &["repl"],
        "add a\n? map\n! save\n\n# no\nhelp add\nhelp\n]\nadd \\\n b\n[\nadd c\nadd d\n]\n",
    );
    assert_eq!(
        out(&played),
        "+ 1 \"add a\"\n[1l #77c4fb]\nadd a\n* save\n[1l #77c4fb]\nadd TEXT keeps a line\n# Echoes reference card\n\n\
         Every op is kept as a line.\n! there is no batch to close\n+ 2 \"add b\"\n[2l #98f888]\n+ 3 \"add c\"\n\
         + 4 \"add d\"\n[4l #03b509]\n"
    );
    assert_eq!(played.status.code(), Some(0));
    // No colours and no prompts, since it is not interactive.
    assert!(!out(&played).contains(['\u{1b}', '…']));
    assert_eq!(
        out(&run(&["repl"], "[\nadd a\n")),
        "! the batch is not closed by a ]\n"
    );
    assert_eq!(
        out(&run(&["repl"], "add a")),
        "+ 1 \"add a\"\n[1l #77c4fb]\n"
    );
}

#[cfg(unix)]
#[test]
fn a_script_that_is_not_a_file_or_too_long_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let huge = folder.path().join("huge");
    fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let lines = folder.path().join("lines");
    fs::write(&lines, "\n".repeat(1_000_001)).unwrap();
    let special = "not a regular file; standard input is read as -";
    for (path, message) in [
        ("/dev/zero", special),
        (pipe.to_str().unwrap(), special),
        (folder.path().to_str().unwrap(), special),
        (
            huge.to_str().unwrap(),
            "has over 64 MiB, the limit of a script; split it",
        ),
        (
            lines.to_str().unwrap(),
            "has over 1000000 lines, the limit of a script; split it",
        ),
    ] {
        let output = run(&["run", path], "");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(err(&output), format!("error: {path}: {message}\n"));
    }
    let endless = fs::File::open("/dev/zero").unwrap();
    let mut repl = Command::new(program());
    let repl = repl.arg("repl").stdin(endless).output().unwrap();
    assert_eq!(err(&repl), "error: a call has over 64 MiB\n");
    let batch = folder.path().join("batch");
    fs::write(
        &batch,
        format!("[\n{}", format!("{}\n", "x".repeat(1 << 20)).repeat(65)),
    )
    .unwrap();
    let mut repl = Command::new(program());
    let repl = repl.arg("repl").stdin(fs::File::open(&batch).unwrap());
    assert_eq!(
        err(&repl.output().unwrap()),
        "error: a call has over 64 MiB\n"
    );
}

#[test]
fn a_script_is_echoed_without_control_characters() {
    let played = run(&["run", "-"], "add a\u{1b}[31m\u{9b}\tb\u{200d}\n");
    let shown = out(&played);
    assert!(
        shown.starts_with("add a\u{fffd}[31m\u{fffd}\tb\u{200d}\n"),
        "{shown:?}"
    );
}

#[test]
fn a_line_of_many_parts_is_joined_in_one_pass() {
    let parts = "a\\\n".repeat(900_000);
    let played = run(&["run", "-"], &format!("{parts}b\n"));
    assert_eq!(played.status.code(), Some(0));
}

#[test]
fn help_is_the_card() {
    let card = "# Echoes reference card\n\nEvery op is kept as a line.\n";
    assert_eq!(out(&run(&["help"], "")), card);
    assert_eq!(out(&run(&["help", "add"], "")), "add TEXT keeps a line\n");
    let unknown = run(&["help", "no", "such"], "");
    assert_eq!(
        (unknown.status.code(), err(&unknown)),
        (Some(1), "error: no topic \"no such\"\n".into())
    );
    let whole = run(&["--help"], "");
    assert!(out(&whole).starts_with(card), "{}", out(&whole));
    assert!(
        out(&whole).contains("\nUsage: echo [OPTIONS] [COMMAND]\n"),
        "{}",
        out(&whole)
    );
    assert_eq!(whole.status.code(), Some(0));
    assert!(out(&run(&["-h"], "")).contains("Usage: echo"));
    let part = out(&run(&["run", "--help"], ""));
    assert!(
        part.contains("Usage: echo run") && !part.contains("reference card"),
        "{part}"
    );
    assert_eq!(out(&run(&["--version"], "")), "echo 9.8.7\n");
}

#[test]
fn codebook_and_schema_are_json() {
    let codebook: serde_json::Value = serde_json::from_str(&out(&run(&["codebook"], ""))).unwrap();
    assert_eq!(codebook["content_map"]["lines"], 0);
    assert!(out(&run(&["schema"], "")).starts_with("{\n  \"type\": \"array\",\n"));
}

#[test]
fn files_are_checked_below_the_root() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.x"), "1\n2\n").unwrap();
    let root = folder.path().to_str().unwrap();
    let good = run(&["check", "a.x", "--root", root], "");
    assert_eq!(
        (good.status.code(), out(&good)),
        (Some(0), "= a.x: 2 lines\n".into())
    );
    let bad = run(&["--root", root, "check", "b.x", "a.x"], "");
    assert_eq!(bad.status.code(), Some(1));
    let text = out(&bad);
    assert!(
        text.starts_with("b.x:\n! b.x: ") && text.ends_with("\n\na.x:\n= a.x: 2 lines\n"),
        "{text}"
    );
}

#[test]
fn invalid_arguments_are_distinguished_from_failures() {
    for arguments in [
        &["frobnicate"][..],
        &["run"],
        &["check"],
        &["--tool-names", "other"],
        &["--tool-names", "fcp", "repl"],
        &["--max-request", "0"],
        &["--root", "/no/such/folder", "repl"],
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            err(&output).starts_with("error: "),
            "{arguments:?}: {}",
            err(&output)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn arguments_cannot_add_lines_to_errors() {
    for arguments in [
        &["x\n! forged\u{202e}"][..],
        &["--root", "x\n! forged\u{202e}", "repl"],
        &["--max-request", "x\n! forged\u{202e}"],
    ] {
        let output = run(arguments, "");
        let shown = err(&output);
        assert!(
            shown.contains("x\\n! forged\u{fffd}") && !shown.contains("\n! forged"),
            "{shown}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_early_is_not_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("a.fcp");
    fs::write(&script, "? big 1000000\n".repeat(20)).unwrap();
    for arguments in [
        &["run", script.to_str().unwrap()][..],
        &["codebook"],
        &["--help"],
        &["help"],
        &["-h"],
    ] {
        let mut command = Command::new(program());
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), err(&output)),
            (Some(0), String::new()),
            "{arguments:?}"
        );
    }
}

#[test]
fn flags_of_the_domains_own_reach_it() {
    let folders = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let [one, other] = folders
        .each_ref()
        .map(|folder| folder.path().to_str().unwrap());
    for (arguments, shown) in [
        (vec![], String::new()),
        (vec!["--loud"], "loud".to_owned()),
        (
            vec!["--shelf", one, "--shelf", other, "--loud"],
            format!("shelf {one}\nshelf {other}\nloud"),
        ),
    ] {
        // Before and after the command.
        for at in [0, 1] {
            let mut all = arguments.clone();
            all.insert(at * arguments.len(), "run");
            all.push("-");
            let played = run(&all, "? flags\n> …\n");
            let answers: String = out(&played)
                .lines()
                .filter_map(|line| line.strip_prefix("> "))
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!(answers.trim(), shown, "{all:?}");
        }
    }
    let wrong = run(&["run", "--shelf", "no-such-folder", "-"], "");
    assert_eq!(
        (wrong.status.code(), err(&wrong).as_str()),
        (Some(2), "error: --shelf no-such-folder is not a folder\n")
    );
    let help = out(&run(&["-h"], ""));
    assert!(help.contains("--shelf <DIR>") && help.contains("A folder of more lines."));
}
