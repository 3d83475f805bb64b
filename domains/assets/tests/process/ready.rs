//! The file that marks the server as ready.

use std::fs;
use std::path::Path;

use crate::program::{Program, command, library, run};

fn start(file: &Path) -> Program {
    Program::start(&library(), &[("MCP_READY_FILE", file.to_str().unwrap())])
}

/// Whether a text is a time, as in the log and the file.
fn is_stamp(text: &str) -> bool {
    let form = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c });
    form.collect::<String>() == "0000-00-00T00:00:00.000000+00:00"
}

#[test]
fn the_file_is_there_when_the_line_is_and_gone_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep/er/ready");
    let mut program = start(&file);
    let text = fs::read_to_string(&file).unwrap();
    let (pid, stamp) = text.strip_suffix('\n').unwrap().split_once(' ').unwrap();
    assert_eq!(pid, program.child.id().to_string());
    assert!(is_stamp(stamp), "{text}");
    let (stamp, event) = program.ready.split_once(' ').unwrap();
    assert!(is_stamp(stamp), "{stamp}");
    assert_eq!(
        event,
        "mcp:ready mode=stdio schemas_dir=libs/synesthetic-schemas/jsonschema \
         examples_dir=libs/synesthetic-schemas/examples schemas=3 examples=4"
    );
    program.close();
    let (lines, log, code) = program.end();
    assert_eq!((lines.len(), code), (0, 0));
    assert!(
        log.last().unwrap().ends_with(" mcp:shutdown mode=stdio"),
        "{log:?}"
    );
    assert!(!file.exists());
    let left = fs::read_dir(file.parent().unwrap()).unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn the_last_server_owns_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    let mut first = start(&file);
    let mut second = start(&file);
    let own = fs::read_to_string(&file).unwrap();
    assert!(own.starts_with(&format!("{} ", second.child.id())));
    first.close();
    assert_eq!(first.code(), 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
    second.close();
    assert_eq!(second.code(), 0);
    assert!(!file.exists());
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_what_it_leads_to_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (file, target) = (folder.path().join("ready"), folder.path().join("target"));
    fs::write(&target, "mine").unwrap();
    std::os::unix::fs::symlink(&target, &file).unwrap();
    let mut program = start(&file);
    assert!(fs::symlink_metadata(&file).unwrap().is_file());
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    program.close();
    assert_eq!(program.code(), 0);
    assert!(!file.exists());
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
}

#[test]
fn an_unwritable_file_is_reported_and_not_missed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for name in ["file/ready", ""] {
        let path = folder.path().join(name);
        let path = if name.is_empty() {
            Path::new(" ")
        } else {
            &path
        };
        let program = command(&library(), &[("MCP_READY_FILE", path.to_str().unwrap())]);
        let output = run(program, b"");
        let log = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(log.contains("cannot be written"), !name.is_empty(), "{log}");
    }
}

#[test]
fn a_program_that_cannot_start_reports_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    let ready = ("MCP_READY_FILE", file.to_str().unwrap());
    let output = run(
        command(&library(), &[ready, ("SYN_SCHEMAS_DIR", "no/such")]),
        b"",
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let log = String::from_utf8(output.stderr).unwrap();
    let line = log.lines().next().unwrap();
    assert!(
        line.contains(" mcp:error reason=setup_failed detail="),
        "{log}"
    );
    assert!(!log.contains("mcp:ready") && !file.exists());
}

#[test]
fn when_nobody_reads_the_file_is_removed_and_the_code_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ready");
    let mut shell = std::process::Command::new("sh");
    let start = "(while sleep 0.05; do echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}'; done) | ($0; echo $? >&2) | head -n1";
    shell
        .args(["-c", start, env!("CARGO_BIN_EXE_fcp-assets")])
        .env("MCP_READY_FILE", &file);
    let output = run(shell, b"");
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.lines().any(|line| line == "1"), "{log}");
    assert!(log.contains("mcp:ready") && !file.exists());
}

#[cfg(unix)]
#[test]
fn names_of_folders_forge_and_hide_nothing_in_the_log() {
    const NAME: &str = "a\u{202e}b\u{200b}c\u{2028}d\ne\u{1b}[2J";
    const ESCAPED: &str = r"a\u{202e}b\u{200b}c\u{2028}d\ne\u{1b}[2J";
    let folder = tempfile::tempdir().unwrap();
    let schemas = folder.path().join(NAME);
    fs::create_dir(&schemas).unwrap();
    fs::write(schemas.join("any.schema.json"), "true").unwrap();
    // A file that cannot be read is named in a warning or in the error at the start.
    let broken = folder.path().join(format!("broken{NAME}"));
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join(format!("{NAME}.json")), "{").unwrap();
    let variables = [("SYN_SCHEMAS_DIR", schemas.to_str().unwrap())];
    let mut program = Program::start(folder.path(), &variables);
    assert!(program.ready.contains(ESCAPED), "{}", program.ready);
    assert_eq!(fcp::diag::one_line(&program.ready), program.ready);
    program.close();
    let (_, log, code) = program.end();
    assert_eq!((log.len(), code), (1, 0), "{log:?}");
    let variables = [("SYN_SCHEMAS_DIR", broken.to_str().unwrap())];
    let output = run(command(folder.path(), &variables), b"");
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains(ESCAPED), "{log}");
    for line in log.lines() {
        assert_eq!(fcp::diag::one_line(line), line);
        assert!(is_stamp(line.split_once(' ').unwrap().0), "{log}");
    }
}
