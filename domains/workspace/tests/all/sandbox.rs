//! What the program starts and opens, by its system calls.

use std::fs;
use std::process::Command;

use crate::kit::{PROGRAM, Repo, has, skipped};

const NAME: &str = "it_opens_no_socket_and_starts_nothing_but_git";

#[test]
fn it_opens_no_socket_and_starts_nothing_but_git() {
    if !has("strace") {
        skipped(NAME, "there is no strace");
        return;
    }
    let repo = Repo::r1();
    for (tool, arguments) in [
        ("snapshot.diff", r#"{"path":"."}"#),
        ("snapshot.export", "{}"),
        ("workspace.write_file", r#"{"path":"x","content":"x"}"#),
    ] {
        let log = repo.dir.path().join("log");
        let output = Command::new("strace")
            .args([
                "-f",
                "-e",
                "trace=execve,socket,connect,bind",
                "-s",
                "300",
                "-o",
            ])
            .arg(&log)
            .args([
                PROGRAM,
                "--root",
                repo.root.to_str().unwrap(),
                "--state",
                repo.state.to_str().unwrap(),
            ])
            .args(["call", tool, arguments])
            .output()
            .unwrap();
        if output.stdout.is_empty() {
            skipped(NAME, "strace does not work here");
            return;
        }
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        let log = fs::read_to_string(&log).unwrap();
        let calls = log
            .lines()
            .filter(|line| !line.contains("ENOENT") && line.contains('('));
        for line in calls {
            let started =
                line.contains("execve(") && (line.contains("/git\"") || line.contains(PROGRAM));
            assert!(
                started
                    || !["execve(", "socket(", "connect(", "bind("]
                        .iter()
                        .any(|call| line.contains(call)),
                "{line}"
            );
        }
    }
}
