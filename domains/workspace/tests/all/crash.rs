//! A server killed while it writes.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::kit::{Client, PROGRAM, Repo, random, rounds, skipped};

/// The long run has 500 writes. Each is killed at a random moment within the time of a whole write.
#[test]
fn a_killed_server_leaves_the_old_bytes_or_the_new_ones() {
    let kills = rounds("FCP_WORKSPACE_KILLS", 25);
    let repo = Repo::new();
    let content = |round: usize| format!("{round}\n").repeat(100_000);
    repo.write("f", content(0));
    let write = |round: usize| json!({ "path": "f", "content": content(round) });

    let mut client = repo.client();
    client.ok("workspace.write_file", write(0));
    let start = Instant::now();
    client.ok("workspace.write_file", write(0));
    // A little longer than a write, so that some writes complete.
    let whole = u64::try_from(start.elapsed().as_micros()).unwrap() * 5 / 4;
    drop(client);

    let mut state = 0x0dd0_5eed_1234_5678;
    let (mut now, mut kept, mut written) = (0, 0, 0);
    for round in 1..=kills {
        let mut client = repo.client();
        let line = fcp::testing::line(
            i64::try_from(round).unwrap(),
            "workspace.write_file",
            write(round),
        );
        client.server.write(line.as_bytes());
        sleep(Duration::from_micros(random(&mut state) % whole));
        client.server.child.kill().unwrap();
        client.server.child.wait().unwrap();
        let found = repo.text("f");
        if found == content(round) {
            (now, written) = (round, written + 1);
        } else {
            kept += 1;
        }
        assert!(
            found == content(now),
            "round {round} left neither the old bytes nor the new ones"
        );
    }
    assert!(
        kept > 0 && written > 0,
        "{kept} of {kills} writes were stopped, {written} came through: the kills were not random"
    );
    // Leftovers next to the target are removed when the next server starts.
    drop(repo.client());
    let names: Vec<String> = fs::read_dir(&repo.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names.iter().all(|name| !name.starts_with(".fcp-")),
        "{names:?}"
    );
}

const RENAME: &str = "diff --git a/a b/z\nsimilarity index 100%\nrename from a\nrename to z\n";
const MOVE_INTO: &str =
    "diff --git a/a b/a/b\nsimilarity index 100%\nrename from a\nrename to a/b\n";
const DELETE: &str = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-precious a\n";
const DELETE_AND_CREATE: &str = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-precious a\n\
    --- /dev/null\n+++ b/new/z\n@@ -0,0 +1 @@\n+precious a\n\
    --- a/b\n+++ b/b\n@@ -1 +1 @@\n-precious b\n+new b\n";
const MODIFY: &str = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-precious a\n+new a\n\
    --- a/b\n+++ b/b\n@@ -1 +1 @@\n-precious b\n+new b\n";

/// The files of a repository, but for git's own.
fn files(repo: &Repo) -> Vec<(String, String)> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let name = |path: &Path| {
        let inside = path.strip_prefix(&repo.root).unwrap();
        inside.to_str().unwrap().to_owned()
    };
    let all = repo.contents().into_iter();
    all.map(|(path, bytes)| (name(&path), text(bytes)))
        .collect()
}

/// Killed before each rename, and before the targets are known to be on the disk.
#[test]
fn a_killed_patch_is_applied_or_not_as_a_whole() {
    // With the number of renames and the first synchronisation of a directory after them, and whether it is applied
    // then: nothing is removed.
    let patches = [
        (RENAME, 2, 1, false),
        (MOVE_INTO, 1, 2, true),
        (DELETE, 1, 1, false),
        (DELETE_AND_CREATE, 3, 1, false),
        (MODIFY, 2, 1, true),
    ];
    for (patch, renames, sync, lasts) in patches {
        let moments = (1..=renames).map(|when| ("renameat2", when));
        for (call, when) in moments.chain([("fsync", sync)]) {
            let repo = Repo::new();
            repo.git(&["commit", "-q", "--allow-empty", "-m", "empty"]);
            repo.write("a", "precious a\n");
            repo.write("b", "precious b\n");
            let before = files(&repo);
            let mut other = repo.client();
            other.ok("snapshot.list", json!({}));
            let how = format!("signal=SIGKILL:when={when}");
            let Some(client) = repo.interfered(call, &how) else {
                skipped("a_killed_patch", "strace does not run");
                return;
            };
            kill_in(client, patch);
            let case = format!("{patch}\nkilled at {call} {when}");
            let killed = files(&repo);

            // A server that only reads leaves everything to others.
            if when == renames {
                let mut reader = repo.with(&["--read-only"]);
                reader.ok("snapshot.list", json!({}));
                drop(reader);
                assert_eq!(files(&repo), killed, "{case}");
            }

            // A server that was there before recovers before its next change, and another at its start.
            match when {
                1 => drop(repo.client()),
                _ => drop(other.ok(
                    "workspace.write_file",
                    json!({ "path": "c", "content": "c\n", "dry_run": true }),
                )),
            }
            let after = files(&repo);
            if call == "fsync" && lasts {
                let temporary = after.iter().any(|(path, _)| path.contains(".fcp-"));
                assert!(after != before && !temporary, "{case}\n{after:?}");
                continue;
            }
            assert_eq!(after, before, "{case}");
            let entries = fs::read_dir(&repo.root).unwrap().count();
            assert_eq!(entries, 3, "{case}");
        }
    }
}

/// Sends a patch that kills the server.
fn kill_in(mut client: Client, patch: &str) {
    let patch = json!({ "patch": patch });
    let line = fcp::testing::line(1_000, "workspace.apply_patch", patch);
    client.server.write(line.as_bytes());
    client.server.child.wait().unwrap();
}

/// A file that another program writes meanwhile at the path of a saved original stays.
#[test]
fn a_reversed_patch_leaves_what_others_wrote_since() {
    for theirs in ["theirs\n", "precious a\n"] {
        let repo = Repo::new();
        repo.write("a", "precious a\n");
        repo.write("b", "precious b\n");
        let Some(client) = repo.interfered("renameat2", "signal=SIGKILL:when=3") else {
            skipped("a_reversed_patch", "strace does not run");
            return;
        };
        let both = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-precious a\n\
            --- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-precious b\n\
            --- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+z\n";
        kill_in(client, both);
        assert!(!repo.root.join("a").exists() && repo.root.join("b").exists());
        repo.write("a", theirs);
        repo.write("z", "theirs, too\n");
        drop(repo.client());
        let expected = [("a", theirs), ("b", "precious b\n"), ("z", "theirs, too\n")];
        let expected = expected.map(|(path, text)| (path.to_owned(), text.to_owned()));
        assert_eq!(files(&repo), expected);
    }
}

/// The journal of a server without a state directory is in one that the next server finds.
#[test]
fn a_killed_server_without_state_is_recovered_too() {
    let repo = Repo::new();
    repo.write("a", "precious a\n");
    let before = files(&repo);
    if repo.interfered("fsync", "delay_enter=1").is_none() {
        skipped("a_killed_server_without_state", "strace does not run");
        return;
    }
    let tmp = repo.dir.path().join("tmp");
    fs::create_dir(&tmp).unwrap();
    let start = |starter: &str, flags: &str| {
        let (tmp, root) = (tmp.display(), repo.root.display());
        let line =
            format!("TMPDIR='{tmp}' exec {starter} '{PROGRAM}' --root '{root}' --no-state {flags}");
        Client::of(fcp::testing::Server::with(
            "sh",
            repo.dir.path(),
            &["-c", &line],
        ))
    };
    let tracer = "strace -f -o /dev/null -e trace=fsync -e inject=fsync:signal=SIGKILL:when=1";
    kill_in(start(tracer, ""), DELETE);
    assert!(!repo.root.join("a").exists());
    let folders = || fs::read_dir(&tmp).unwrap().count();
    assert!(start("", "--read-only").server.end().success());
    assert!(!repo.root.join("a").exists() && folders() == 1);
    assert!(start("", "").server.end().success());
    assert_eq!(files(&repo), before);
    assert_eq!(folders(), 0);
}

/// The processes that work in a directory; zombies have none.
fn working_in(dir: &Path) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let dirs = processes.map(|process| fs::read_link(process.path().join("cwd")));
    dirs.flatten().filter(|own| own == dir).count()
}

#[test]
fn a_slow_git_ends_with_its_server_and_with_its_call() {
    if !cfg!(target_os = "linux") {
        return skipped("a_slow_git_ends", "there is no /proc");
    }
    let repo = Repo::r1();
    let soon = |what: &dyn Fn(usize) -> bool| {
        (0..500).any(|_| {
            sleep(Duration::from_millis(20));
            what(working_in(&repo.root))
        })
    };
    let line = fcp::testing::line(1_000, "snapshot.create", json!({ "paths": ["."] }));
    // A shell, and the program that it waits for.
    let mut client = repo.beside_git("[ -z $n ] || sleep 600; true");
    client.server.write(line.as_bytes());
    assert!(soon(&|count| count >= 2));
    let cancel = json!({ "requestId": 1_000 });
    client
        .server
        .say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }));
    assert!(soon(&|count| count == 0));

    client.server.write(line.replace("1000", "2000").as_bytes());
    assert!(soon(&|count| count >= 2));
    client.server.child.kill().unwrap();
    client.server.child.wait().unwrap();
    assert!(soon(&|count| count == 0));
}
