//! Files in place of directories, and directories in place of files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::kit::{Client, Repo, text};

fn create(path: &str) -> String {
    format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+new\n")
}

fn rejects(reply: &Value) -> String {
    let file = |file: &Value| {
        format!(
            "{} {}",
            text(&file["path"]),
            text(&file["hunks"][0]["reason"])
        )
    };
    let files = reply["rejects"].as_array().unwrap().iter();
    files.map(file).collect::<Vec<_>>().join(", ")
}

fn state(repo: &Repo) -> Vec<(PathBuf, Vec<u8>)> {
    let inner = |path: &Path| path.strip_prefix(&repo.root).unwrap().to_owned();
    let all = repo.contents().into_iter();
    all.map(|(path, content)| (inner(&path), content)).collect()
}

/// The call on the work tree, in a dry run and for real, and on a snapshot of it.
fn everywhere(client: &mut Client, tool: &str, arguments: &Value) -> [(Value, bool); 3] {
    let s0 = client.create(&["."]);
    [
        ("dry_run", json!(true)),
        ("snapshot_id", json!(s0)),
        ("dry_run", json!(false)),
    ]
    .map(|(key, value)| {
        let mut arguments = arguments.clone();
        arguments[key] = value;
        client.call(tool, arguments)
    })
}

#[test]
fn changes_that_make_a_file_and_a_directory_of_one_place_are_invalid() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let before = repo.contents();
    let edit = |path: &str| json!({ "path": path, "old": "", "new": "x\n" });
    for (tool, arguments) in [
        (
            "workspace.apply_patch",
            json!({ "patch": create("k1") + &create("k1/x/y") }),
        ),
        (
            "workspace.edit",
            json!({ "edits": [edit("k1/x"), edit("k1")] }),
        ),
    ] {
        for (reply, error) in everywhere(&mut client, tool, &arguments) {
            assert!(error, "{reply}");
            assert_eq!(reply["error"]["code"], "INVALID_ARGUMENT", "{reply}");
        }
    }
    assert_eq!(repo.contents(), before);
}

#[test]
fn a_file_in_the_way_is_a_reject_like_any_other() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let mismatch = "--- a/src-x.ts\n+++ b/src-x.ts\n@@ -1 +1 @@\n-other\n+x\n";
    let gone = "--- a/src/a.ts/y\n+++ b/src/a.ts/y\n@@ -1 +1 @@\n-other\n+x\n";
    let patch = create("src") + &create("src/b.ts/x") + mismatch + gone + &create("ok");
    let all = everywhere(
        &mut client,
        "workspace.apply_patch",
        &json!({ "patch": patch }),
    );
    for (reply, error) in all {
        assert!(!error, "{reply}");
        assert_eq!(
            rejects(&reply),
            "src already_exists, src-x.ts context_mismatch, src/a.ts/y not_found, src/b.ts/x already_exists"
        );
    }
    assert!(!repo.root.join("ok").exists());
    let some = json!({ "patch": patch, "reject_on_conflict": false });
    for (reply, _) in everywhere(&mut client, "workspace.apply_patch", &some) {
        assert_eq!(
            (&reply["status"], &reply["applied"][0]["path"]),
            (&json!("partial"), &json!("ok"))
        );
    }
    assert_eq!(repo.text("ok"), "new\n");
    let edits = json!({ "edits": [
        { "path": "src/a.ts/x", "old": "", "new": "x\n" }, { "path": "src/b.ts/x", "old": "y", "new": "x\n" },
    ] });
    for (reply, _) in everywhere(&mut client, "workspace.edit", &edits) {
        assert_eq!(
            rejects(&reply),
            "src/a.ts/x already_exists, src/b.ts/x not_found"
        );
    }
}

/// The server's own diffs between the two shapes apply to the disk and to snapshots, and git agrees.
#[test]
fn a_file_and_a_directory_take_each_others_place() {
    let shapes: [&[(&str, &str)]; 2] = [
        &[
            ("t", "1\n"),
            ("q/x", "2\n"),
            ("q/deep/er/z", "3\n"),
            ("q/empty", ""),
            ("keep/f", "k\n"),
            ("keep/t", "5\n"),
        ],
        &[
            ("t/y", "1\n"),
            ("t/deep/er/y", "2\n"),
            ("q", "2\n3\n"),
            ("keep/f", "k\n"),
            ("keep/t/u", "5\n"),
        ],
    ];
    let [one, two] = shapes.map(|files| {
        let repo = Repo::new();
        for (path, content) in files {
            repo.write(path, content);
        }
        repo.git(&["add", "."]);
        repo.git(&["commit", "-q", "-m", "init"]);
        repo
    });
    for (from, to) in [(&one, &two), (&two, &one)] {
        let other = Repo::new();
        for (path, content) in state(from) {
            other.write(path.to_str().unwrap(), content);
        }
        let mut client = other.client();
        let base = client.create(&["."]);
        for entry in fs::read_dir(&other.root).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with(".git") {
                fs::remove_dir_all(path).unwrap();
            } else if path.is_file() {
                fs::remove_file(path).unwrap();
            }
        }
        for (path, content) in state(to) {
            other.write(path.to_str().unwrap(), content);
        }
        let diff = client.ok(
            "snapshot.diff",
            json!({ "path": ".", "base_snapshot_id": base }),
        );
        let wanted = client.create(&["."]);
        let derived = client.ok(
            "workspace.apply_patch",
            json!({ "patch": diff["diff"], "snapshot_id": base }),
        );
        let changes = client.ok(
            "snapshot.changes",
            json!({ "snapshot_id": derived["snapshot_id"], "base_snapshot_id": wanted }),
        );
        assert_eq!(changes["files"], json!([]), "{derived}");

        let before = state(from);
        let mut client = from.client();
        // A file that git does not list is in the way, and is kept.
        let ignored = from.root.join(if from.root == one.root {
            "q/ignored"
        } else {
            "t/ignored"
        });
        fs::write(from.root.join(".git/info/exclude"), "ignored\n").unwrap();
        fs::write(&ignored, "mine\n").unwrap();
        let reply = client.ok("workspace.apply_patch", json!({ "patch": diff["diff"] }));
        assert_eq!(reply["status"], "rejected", "{reply}");
        assert!(rejects(&reply).ends_with("already_exists"), "{reply}");
        fs::remove_file(&ignored).unwrap();
        assert_eq!(state(from), before);

        let dry = client.ok(
            "workspace.apply_patch",
            json!({ "patch": diff["diff"], "dry_run": true }),
        );
        assert_eq!(state(from), before);
        let read = client.ok("snapshot.list", json!({ "depth": 64 }));
        let reply = client.ok(
            "workspace.apply_patch",
            json!({ "patch": diff["diff"], "lease_id": read["lease_id"] }),
        );
        assert_eq!(reply["applied"], dry["applied"]);
        assert_eq!(state(from), state(to));
        // The lease of the reply holds, and notices changes.
        client.ok("snapshot.list", json!({ "lease_id": reply["lease_id"] }));
        let first = text(&diff["diff"]);
        let path = first
            .lines()
            .find_map(|line| line.strip_prefix("+++ b/"))
            .unwrap()
            .to_owned();
        from.write(&path, "other\n");
        client.fails(
            "REPO_CHANGED",
            "snapshot.list",
            json!({ "lease_id": reply["lease_id"] }),
        );
        for (path, content) in state(to) {
            from.write(path.to_str().unwrap(), content);
        }
        // Back again, for the other direction.
        let back = client.ok("snapshot.diff", json!({ "path": "." }));
        assert_eq!(back["stats"]["binary"], 0);
        from.git(&["checkout", "-q", "-f", "."]);
        from.git(&["clean", "-qfd"]);
        assert_eq!(state(from), before);
    }
}

#[test]
fn no_patch_makes_a_git_directory_of_a_file() {
    let repo = Repo::r1();
    repo.write("t", "1\n");
    let mut client = repo.client();
    let patch = "--- a/t\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n".to_owned()
        + &create("t/HEAD")
        + &create("t/objects/x")
        + &create("t/refs/x");
    let before = repo.contents();
    client.fails(
        "PERMISSION_DENIED",
        "workspace.apply_patch",
        json!({ "patch": patch }),
    );
    assert_eq!(repo.contents(), before);
}

/// A change that comes between the plan and the last step leaves all as it was.
#[test]
fn a_directory_that_holds_more_than_was_planned_stays() {
    let repo = Repo::new();
    repo.write("q/x", "1\n");
    let stop = std::sync::atomic::AtomicBool::new(false);
    let mut client = repo.client();
    let patch = "--- a/q/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n".to_owned() + &create("q");
    let back = "--- a/q\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n".to_owned()
        + "--- /dev/null\n+++ b/q/x\n@@ -0,0 +1 @@\n+1\n";
    let pause = std::time::Duration::from_millis;
    let mut written = 0;
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut kept = 0_u64;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let path = repo.root.join(format!("q/n{kept}"));
                if fs::write(&path, "theirs\n").is_ok() {
                    std::thread::sleep(pause(1));
                    // The directory may be away for a moment, but not the file in it.
                    let removed = (0..1000).any(|_| {
                        let removed = fs::remove_file(&path).is_ok();
                        if !removed {
                            std::thread::sleep(pause(2));
                        }
                        removed
                    });
                    assert!(removed, "{} is lost", path.display());
                    kept += 1;
                }
                std::thread::sleep(pause(kept % 40));
            }
            kept
        });
        for round in 0..crate::kit::rounds("FCP_WORKSPACE_ROUNDS", 60) {
            let patch = if repo.root.join("q").is_dir() {
                &patch
            } else {
                &back
            };
            let (reply, error) = client.call("workspace.apply_patch", json!({ "patch": patch }));
            if error {
                assert_eq!(reply["error"]["code"], "REPO_CHANGED", "{round} {reply}");
            } else if reply["status"] == "applied" {
                written += 1;
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(writer.join().unwrap() > 0);
    });
    let status = repo.git(&["status", "--porcelain", "-uall"]);
    assert!(["?? q\n", "?? q/x\n"].contains(&&*status), "{status}");
    assert!(written > 0);
}
