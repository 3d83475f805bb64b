//! Concurrent writers.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::kit::{Repo, git, rounds, text};

/// The number of calls next to another writer. The long run has 1,000.
fn calls() -> usize {
    rounds("FCP_WORKSPACE_ROUNDS", 60)
}

/// Replaces a file atomically.
fn put(root: &Path, name: &str, content: &str) {
    let beside = root.join(format!(".git/{name}.new"));
    fs::write(&beside, content).unwrap();
    fs::rename(&beside, root.join(name)).unwrap();
}

/// Edits and stages a file in turns: the index always has its current state or the one before.
#[test]
fn a_capture_is_of_one_state() {
    let repo = Repo::new();
    repo.write("f", "0\n");
    repo.git(&["add", "f"]);
    repo.git(&["commit", "-q", "-m", "0"]);
    let stop = AtomicBool::new(false);
    let mut client = repo.client();
    let mut seen = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 1;
            while !stop.load(Ordering::Relaxed) {
                put(&repo.root, "f", &format!("{n}\n"));
                thread::sleep(std::time::Duration::from_millis(n % 40));
                drop(git(&repo.root, &["add", "f"]));
                thread::sleep(std::time::Duration::from_millis(n % 25));
                n += 1;
            }
        });
        for _ in 0..calls() {
            let (made, error) = client.call("snapshot.create", json!({ "paths": ["f"] }));
            if error {
                assert_eq!(made["error"]["code"], "REPO_CHANGED", "{made}");
                continue;
            }
            seen += 1;
            let id = made["snapshot_id"].clone();
            let held = text(
                &client.ok("snapshot.file", json!({ "snapshot_id": id, "path": "f" }))["content"],
            );
            // The index of the fingerprint: its tree may not be in the repository, so it is made
            // from the number.
            let index = |n: i64| tree(&repo.root, &format!("{n}\n"));
            let held: i64 = held.trim().parse().unwrap();
            let staged = made["fingerprint"]["index_oid"]
                .as_str()
                .unwrap()
                .to_owned();
            let status = |text: &str| sha256(text.as_bytes());
            let hash = text(&made["fingerprint"]["status_hash"]);
            if staged == index(held) {
                let clean = if held == 0 { "" } else { "M  f\0" };
                assert_eq!(
                    hash,
                    status(clean),
                    "the index and the file are both {held}"
                );
            } else {
                assert_eq!(staged, index(held - 1), "the file is {held}");
                let dirty = if held == 1 { " M f\0" } else { "MM f\0" };
                assert_eq!(
                    hash,
                    status(dirty),
                    "the file is {held}, the index one before"
                );
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(seen > 0, "the captures were never lucky");
}

/// The id of a tree with one file `f`.
fn tree(root: &Path, content: &str) -> String {
    let file = root.join(".git/content");
    fs::write(&file, content).unwrap();
    let blob = String::from_utf8(git(root, &["hash-object", "-w", ".git/content"]).stdout).unwrap();
    let list = root.join(".git/list");
    fs::write(&list, format!("100644 blob {}\tf\n", blob.trim())).unwrap();
    let line = format!("git -C '{}' mktree < '{}'", root.display(), list.display());
    let made = std::process::Command::new("sh")
        .args(["-c", &line])
        .output()
        .unwrap();
    String::from_utf8(made.stdout).unwrap().trim().to_owned()
}

fn sha256(bytes: &[u8]) -> String {
    use std::io::Write;
    let mut child = std::process::Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    out.split(' ').next().unwrap().to_owned()
}

/// Another writer increments a number in one line of a file and reads it before each write; the
/// client increments one in another line, by patches that match only their base. No increment is
/// lost.
#[test]
fn no_write_of_another_is_lost_in_a_patch() {
    let repo = Repo::new();
    put(
        &repo.root,
        "f",
        "theirs 0\nmiddle\nmiddle\nmiddle\nours 0\n",
    );
    let (stop, theirs) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut client = repo.client();
    let mut ours = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            // It checks that the file did not change between its read and its write, as the client
            // does.
            while !stop.load(Ordering::Relaxed) {
                let path = repo.root.join("f");
                let now = fs::read_to_string(&path).unwrap();
                let n = theirs.load(Ordering::Relaxed);
                let next = now.replace(&format!("theirs {n}\n"), &format!("theirs {}\n", n + 1));
                let beside = repo.root.join(".git/f.new");
                fs::write(&beside, &next).unwrap();
                // An exchange, so that an overwritten change is noticed and put back.
                exchange(&beside, &path);
                if fs::read_to_string(&beside).unwrap() == now {
                    theirs.store(n + 1, Ordering::Relaxed);
                } else {
                    exchange(&beside, &path);
                }
                thread::sleep(std::time::Duration::from_millis(3));
            }
        });
        for _ in 0..calls() {
            let patch = format!(
                "--- a/f\n+++ b/f\n@@ -5 +5 @@\n-ours {ours}\n+ours {}\n",
                ours + 1
            );
            let (reply, error) = client.call("workspace.apply_patch", json!({ "patch": patch }));
            match (error, &reply["status"]) {
                (true, _) => assert_eq!(reply["error"]["code"], "REPO_CHANGED", "{reply}"),
                (false, status) if status == "applied" => ours += 1,
                _ => panic!("{reply}"),
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let expected = format!(
        "theirs {}\nmiddle\nmiddle\nmiddle\nours {ours}\n",
        theirs.load(Ordering::Relaxed)
    );
    assert_eq!(repo.text("f"), expected);
    assert!(ours > 0 && theirs.load(Ordering::Relaxed) > 0);
    let status = repo.git(&["status", "--porcelain"]);
    assert_eq!(status, "?? f\n", "no temporary file is left");
}

fn exchange(a: &Path, b: &Path) {
    let here = rustix::fs::CWD;
    rustix::fs::renameat_with(here, a, here, b, rustix::fs::RenameFlags::EXCHANGE).unwrap();
}

/// A search next to a writer sees whole lines of one state, and its lease notices the next change.
#[test]
fn a_search_is_of_files_as_they_were() {
    let repo = Repo::new();
    put(&repo.root, "f", "0 a\n0 b\n");
    let stop = AtomicBool::new(false);
    let mut client = repo.client();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0;
            while !stop.load(Ordering::Relaxed) {
                n += 1;
                put(&repo.root, "f", &format!("{n} a\n{n} b\n"));
            }
        });
        for _ in 0..calls() {
            let (found, error) = client.call("snapshot.grep", json!({ "pattern": "^\\d+" }));
            if error {
                assert_eq!(found["error"]["code"], "REPO_CHANGED");
                continue;
            }
            let number = |m: &Value| text(&m["text"]).split(' ').next().unwrap().to_owned();
            let found: Vec<String> = found["matches"]
                .as_array()
                .unwrap()
                .iter()
                .map(number)
                .collect();
            assert!(found.len() == 2 && found[0] == found[1], "{found:?}");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// Two servers on one state directory wait for each other: no write without a lease is refused.
#[test]
fn two_servers_that_write_one_file_wait_for_each_other() {
    let repo = Repo::new();
    repo.write("f", "a 0\nmiddle\nb 0\n");
    let edits = calls() / 2;
    thread::scope(|scope| {
        for own in ["a", "b"] {
            let repo = &repo;
            scope.spawn(move || {
                let mut client = repo.client();
                for n in 0..edits {
                    let edit = json!({ "path": "f", "old": format!("{own} {n}\n"), "new": format!("{own} {}\n", n + 1) });
                    let done = client.ok("workspace.edit", json!({ "edits": [edit] }));
                    assert_eq!(done["status"], "applied", "{done}");
                    client.ok("workspace.write_file", json!({ "path": "g", "content": format!("{own} {n}\n") }));
                }
            });
        }
    });
    assert_eq!(repo.text("f"), format!("a {edits}\nmiddle\nb {edits}\n"));
}

/// Another program changes a file after the first status, and takes the change back before the second.
#[test]
fn a_change_that_is_taken_back_is_not_captured() {
    for tool in ["snapshot.create", "snapshot.export"] {
        let repo = Repo::r1();
        let mut client = repo.beside_git(
            "case $n in\n\
             1) git \"$@\"; echo changed > src/a.ts; exit;;\n\
             2) sleep 0.1; echo 'export const a = 1;' > src/a.ts;;\nesac",
        );
        let made = client.ok(tool, json!({ "paths": ["src"] }));
        let file = json!({ "snapshot_id": made["snapshot_id"], "path": "src/a.ts" });
        let held = client.ok("snapshot.file", file);
        assert_eq!(held["content"], "export const a = 1;\n", "{tool}");
    }
}

/// The same next to a capture whose files were all known: it looks at each once, between the two statuses.
#[test]
fn a_change_next_to_a_capture_of_known_files_is_captured_whole_or_not_at_all() {
    let a = |n: i32| format!("echo 'export const a = {n};' > src/a.ts");
    for (name, before, content, captures) in [
        ("nothing", String::new(), 1, 4),
        (
            "before the look, and back before the second status",
            format!(
                "case $n in 3) git \"$@\"; {}; exit;; 4) sleep 0.1; {};; esac",
                a(2),
                a(1)
            ),
            1,
            5,
        ),
        (
            "before the look",
            format!("case $n in 3) git \"$@\"; {}; exit;; esac", a(2)),
            2,
            5,
        ),
        (
            "before the second status",
            format!("case $n in 4) {};; esac", a(2)),
            2,
            5,
        ),
        (
            "after the second status",
            format!("case $n in 4) git \"$@\"; {}; exit;; esac", a(2)),
            1,
            4,
        ),
        (
            "to a new server, which learns of hashes after the first status",
            "case $n in 4) git \"$@\"; touch src/a.ts; exit;; esac".to_owned(),
            1,
            5,
        ),
    ] {
        let repo = Repo::r1();
        repo.git(&["add", "."]);
        thread::sleep(std::time::Duration::from_millis(60));
        let mut client = repo.beside_git(&before);
        let create = json!({ "paths": ["src"] });
        let first = client.ok("snapshot.create", create.clone());
        if name.contains("a new server") {
            client = repo.beside_git(&before);
        }
        let made = client.ok("snapshot.create", create);
        assert_eq!(made == first, content == 1, "{name}");
        let file = json!({ "snapshot_id": made["snapshot_id"], "path": "src/a.ts" });
        let held = client.ok("snapshot.file", file);
        let expected = format!("export const a = {content};\n");
        assert_eq!(held["content"], expected, "{name}");
        let status = match content {
            1 => "A  new.txt\0M  src/b.ts\0",
            _ => "A  new.txt\0 M src/a.ts\0M  src/b.ts\0",
        };
        let hash = text(&made["fingerprint"]["status_hash"]);
        assert_eq!(hash, sha256(status.as_bytes()), "{name}");
        let statuses = fs::read_to_string(repo.dir.path().join("bin/n")).unwrap();
        assert_eq!(statuses.trim(), captures.to_string(), "{name}");
    }
}

/// The state of an export is that of its bundle.
#[test]
fn an_export_names_the_state_that_it_captured() {
    let repo = Repo::r1();
    let move_on = "case $n in 1) git \"$@\"; echo > moved; exit;; esac";
    let mut client = repo.beside_git(move_on);
    let made = client.ok("snapshot.export", json!({ "paths": ["."] }));
    let info = client.ok(
        "snapshot.info",
        json!({ "snapshot_id": made["snapshot_id"] }),
    );
    assert_eq!(made["fingerprint"], info["fingerprint"]);
    client.ok("snapshot.list", json!({ "lease_id": made["lease_id"] }));
}

/// Another program writes a large file in place, each time by a single call. A capture never has a part of one write
/// and a part of another, unless the system interrupted the write for longer than the clock hides a change.
#[test]
fn a_write_in_progress_is_not_captured() {
    use std::os::unix::fs::FileExt;
    use std::time::{Duration, Instant};
    let repo = Repo::new();
    let size = 4 << 20;
    repo.write("f", vec![b'0'; size]);
    let (stop, begun) = (AtomicBool::new(false), AtomicU64::new(0));
    let slow = std::sync::Mutex::new(Vec::new());
    let mut client = repo.client();
    let mut torn = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            let file = fs::File::options().write(true).open(repo.root.join("f"));
            let file = file.unwrap();
            for n in (0..10).cycle() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let content = vec![b'0' + n; size];
                let (start, number) = (Instant::now(), begun.fetch_add(1, Ordering::Relaxed) + 1);
                file.write_all_at(&content, 0).unwrap();
                if start.elapsed() > Duration::from_millis(20) {
                    slow.lock().unwrap().push(number);
                }
                thread::sleep(Duration::from_millis(u64::from(n)));
            }
        });
        for _ in 0..calls() {
            let first = begun.load(Ordering::Relaxed);
            let (made, error) = client.call("snapshot.create", json!({ "paths": ["f"] }));
            let last = begun.load(Ordering::Relaxed);
            if error {
                continue;
            }
            let about = json!({
                "snapshot_id": made["snapshot_id"],
                "pattern": "^(0+|1+|2+|3+|4+|5+|6+|7+|8+|9+)$"
            });
            let found = client.call("snapshot.grep", about).0;
            if found["matches"].as_array().is_some_and(Vec::is_empty) {
                // The last write may still be going on.
                thread::sleep(Duration::from_millis(300));
                let slow = slow.lock().unwrap();
                let is_excused = slow.iter().any(|write| (first..=last).contains(write));
                torn += usize::from(!is_excused);
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(torn, 0, "files were captured that are of two writes");
}

/// The temporary files of a server are of no interest to others.
#[test]
fn temporary_files_are_no_files_of_the_work_tree() {
    let repo = Repo::r1();
    repo.write("u/f", "llo\n");
    let name = format!(".fcp-{}", "0123456789abcdef".repeat(2));
    let mut client = repo.client();
    let tools = [
        ("snapshot.list", json!({ "depth": 9 })),
        ("snapshot.grep", json!({ "pattern": "llo" })),
        ("snapshot.create", json!({ "paths": ["."] })),
    ];
    let mut ask = || {
        let answers = tools.iter().map(|(tool, arguments)| {
            let mut answer = client.ok(tool, arguments.clone());
            answer["lease_id"].take();
            answer
        });
        answers.collect::<Vec<Value>>()
    };
    let before = ask();
    for path in [name.clone(), format!("src/{name}"), format!("u/{name}")] {
        repo.write(&path, "llo\n");
        assert_eq!(ask(), before, "{path}");
        fs::remove_file(repo.root.join(&path)).unwrap();
        repo.write(&format!("{path}/inner"), "llo\n");
        assert_eq!(ask(), before, "{path}/inner");
    }
    // Others of similar names are files, and so is one in the index.
    for path in [
        format!("src/{name}0"),
        format!("src/x{name}"),
        format!("src/{name}.txt"),
    ] {
        repo.write(&path, "llo\n");
        assert_ne!(ask(), before, "{path}");
        fs::remove_file(repo.root.join(&path)).unwrap();
        assert_eq!(ask(), before, "{path}");
    }
    let tracked = format!("u/{}", name.replace('0', "f"));
    repo.write(&tracked, "llo\n");
    repo.git(&["add", "-f", &tracked]);
    let listed = ask();
    assert!(listed[0].to_string().contains(&tracked), "{}", listed[0]);
    assert!(listed[1].to_string().contains(&tracked), "{}", listed[1]);
}

/// Permission bits that another program sets while a new content is written are not lost.
#[test]
fn a_change_of_mode_during_a_write_is_noticed() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::r1();
    let Some(mut client) = repo.interfered("fdatasync", "delay_enter=1000000:when=1") else {
        crate::kit::skipped("a_change_of_mode", "strace does not run");
        return;
    };
    let path = repo.root.join("new.txt");
    thread::scope(|scope| {
        let write = json!({ "path": "new.txt", "content": "mine\n" });
        let call = scope.spawn(|| client.fails("REPO_CHANGED", "workspace.write_file", write));
        let is_begun = || {
            let mut names = fs::read_dir(&repo.root).unwrap();
            names.any(|entry| {
                entry
                    .unwrap()
                    .file_name()
                    .to_str()
                    .unwrap()
                    .starts_with(".fcp-")
            })
        };
        while !is_begun() {
            thread::sleep(std::time::Duration::from_millis(5));
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        call.join().unwrap();
    });
    assert_eq!(repo.text("new.txt"), "new\n");
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o755
    );
}
