//! System calls of the program: the programs it starts and the sockets it opens.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::http::Web;
use crate::kit::{PROGRAM, Repo, has, skipped};

/// Whether a line shows the start of git, of the program, or of the guard, which is the program too.
fn may_start(line: &str) -> bool {
    let guard = "\"/proc/self/exe\", [\"/proc/self/exe\", \"fcp-guard\"]";
    line.contains("/git\"") || line.contains(PROGRAM) || line.contains(guard)
}

#[test]
fn it_opens_no_socket_and_starts_nothing_but_git() {
    let repo = Repo::r1();
    let log = repo.traced(&["-e", "trace=execve,socket,connect,bind"], |client| {
        client.ok("snapshot.diff", json!({ "path": "." }));
        client.ok("snapshot.export", json!({}));
        let write = json!({ "path": "x", "content": "x" });
        client.ok("workspace.write_file", write);
    });
    let Some(log) = log else {
        return skipped(
            "it_opens_no_socket_and_starts_nothing_but_git",
            "strace does not work here",
        );
    };
    let calls = log
        .lines()
        .filter(|line| !line.contains("ENOENT") && line.contains('('));
    let mut started = 0;
    for line in calls {
        let starts = line.contains("execve(") && may_start(line);
        started += usize::from(starts);
        assert!(
            starts
                || !["execve(", "socket(", "connect(", "bind("]
                    .iter()
                    .any(|call| line.contains(call)),
            "{line}"
        );
    }
    assert!(started > 5, "{log}");
}

#[test]
fn over_http_the_only_socket_is_the_listener() {
    const NAME: &str = "over_http_the_only_socket_is_the_listener";
    if !has("strace") {
        return skipped(NAME, "there is no strace");
    }
    let repo = Repo::r1();
    let log = repo.dir.path().join("log");
    // The tracer is a separate process, so that the signal reaches the program.
    let mut command = Command::new("strace");
    command
        .args(["-D", "-f", "-e", "trace=execve,socket,connect,bind,listen"])
        .args(["-s", "300", "-o"])
        .arg(&log)
        .arg(PROGRAM);
    let mut web = Web::of(&mut command, &repo, &[]);
    let mut connection = web.connect();
    for (id, tool, arguments) in [
        (1, "snapshot.diff", json!({ "path": "." })),
        (2, "snapshot.export", json!({})),
        (
            3,
            "workspace.write_file",
            json!({ "path": "x", "content": "x" }),
        ),
    ] {
        let params = json!({ "name": tool, "arguments": arguments });
        connection.ask(id, "tools/call", &params);
    }
    web.terminate();
    assert!(web.ended().success());
    assert_eq!(repo.text("x"), "x");
    // The tracer may write its last lines after the program has ended.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let log = fs::read_to_string(&log).unwrap();
    let of = |call: &str| log.lines().filter(|line| line.contains(call)).count();
    if of("execve(") == 0 {
        return skipped(NAME, "strace does not work here");
    }
    assert_eq!(
        (of("socket("), of("bind("), of("listen("), of("connect(")),
        (1, 1, 1, 0),
        "{log}"
    );
    let started = log
        .lines()
        .filter(|line| line.contains("execve(") && !line.contains("ENOENT"));
    for line in started {
        assert!(may_start(line), "{line}");
    }
}
