//! All ways out of the root, through all tools.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::kit::{Client, Repo, everything, rounds, skipped};

/// A repository next to a directory that nothing may reach.
fn beside() -> (Repo, std::path::PathBuf) {
    let repo = Repo::r1();
    let outside = repo.dir.path().canonicalize().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "secret\n").unwrap();
    (repo, outside)
}

fn all(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    everything(dir, &mut all);
    all.sort();
    all
}

/// All files next to the root, except for the state directory.
fn around(repo: &Repo) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = all(&repo.dir.path().canonicalize().unwrap());
    all.retain(|(path, _)| !path.starts_with(&repo.root) && !path.starts_with(&repo.state));
    all
}

/// A call of every tool that takes a path.
fn calls(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("snapshot.list", json!({ "path": path })),
        ("snapshot.file", json!({ "path": path })),
        ("snapshot.grep", json!({ "pattern": "s", "paths": [path] })),
        ("snapshot.diff", json!({ "path": path })),
        ("snapshot.create", json!({ "paths": [path] })),
        ("snapshot.export", json!({ "paths": [path] })),
        (
            "workspace.write_file",
            json!({ "path": path, "content": "x", "create_dirs": true }),
        ),
        (
            "workspace.delete",
            json!({ "path": path, "recursive": true }),
        ),
        (
            "workspace.edit",
            json!({ "edits": [{ "path": path, "old": "", "new": "x" }] }),
        ),
        (
            "workspace.apply_patch",
            json!({ "patch": format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n") }),
        ),
    ]
}

#[test]
fn no_spelling_of_a_path_leads_out_or_into_git() {
    let (repo, _) = beside();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let (inside, before) = (all(&repo.root), around(&repo));
    let long = "x".repeat(256);
    for path in [
        "../outside/secret",
        "src/../../outside/secret",
        "new/../../x",
        "~/x",
        "~root/x",
        ".git/config",
        ".GIT/x",
        ".git./x",
        ".git /x",
        "git~1/x",
        "GIT~1/x",
        "sub/.git/x",
        ".g\u{200c}it/x",
        "src/.gI\u{feff}t/config",
        ".git::$INDEX_ALLOCATION/x",
        "..",
    ] {
        for (tool, arguments) in calls(path) {
            client.fails("PERMISSION_DENIED", tool, arguments);
        }
        for (tool, mut arguments) in calls(path) {
            if !matches!(tool, "snapshot.create" | "snapshot.export") {
                arguments["snapshot_id"] = json!(s0);
                client.fails("PERMISSION_DENIED", tool, arguments);
            }
        }
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.restore",
            json!({ "snapshot_id": s0, "paths": [path] }),
        );
    }
    for (tool, arguments) in calls("/etc/passwd") {
        // An absolute path in a patch header loses its first name with the prefix.
        if tool != "workspace.apply_patch" {
            client.fails("PERMISSION_DENIED", tool, arguments);
        }
    }
    for patch in [
        "--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-x\n+y\n",
        "diff --git a/src/a.ts b/../out\nrename from src/a.ts\nrename to ../out\n",
        "diff --git a/src/a.ts b/.git/x\ncopy from src/a.ts\ncopy to .git/x\n",
        "diff --git a/.git/HEAD b/x\ncopy from .git/HEAD\ncopy to x\n",
        "--- /dev/null\n+++ \"b/.g\\151t/x\"\n@@ -0,0 +1 @@\n+x\n",
    ] {
        client.fails(
            "PERMISSION_DENIED",
            "workspace.apply_patch",
            json!({ "patch": patch }),
        );
    }
    for path in ["a\0b", long.as_str(), &"a/".repeat(2100)] {
        for (tool, arguments) in calls(path) {
            let (reply, error) = client.call(tool, arguments);
            assert!(
                error && reply["error"]["code"] == "INVALID_ARGUMENT",
                "{tool} {reply}"
            );
        }
    }
    assert_eq!(all(&repo.root), inside);
    assert_eq!(around(&repo), before);
}

#[test]
fn no_link_leads_out_wherever_it_is_in_the_path() {
    let (repo, outside) = beside();
    let links = [
        ("out-file", outside.join("secret")),
        ("out-dir", outside.clone()),
        ("dangling", outside.join("nothing")),
        ("dangling-in", "nowhere".into()),
        ("up", "..".into()),
        ("circle", "circle".into()),
        ("src/deep", "../../outside".into()),
        ("git", ".git".into()),
        ("git-file", ".git/config".into()),
    ];
    for (name, target) in &links {
        symlink(target, repo.root.join(name)).unwrap();
    }
    symlink("out-dir", repo.root.join("twice")).unwrap();
    let mut client = repo.client();
    let (inside, before) = (all(&repo.root), all(&outside));
    for path in [
        "out-dir/secret",
        "out-dir/new",
        "up/outside/secret",
        "src/deep/secret",
        "twice/secret",
        "git/config",
        "out-dir/a/b",
        "circle/x",
        "dangling/x",
    ] {
        for (tool, arguments) in calls(path) {
            client.fails("PERMISSION_DENIED", tool, arguments);
        }
    }
    for path in ["out-file", "dangling", "dangling-in", "git-file", "circle"] {
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.file",
            json!({ "path": path }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "workspace.write_file",
            json!({ "path": path, "content": "x" }),
        );
        let patch = format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-secret\n+x\n");
        let reply = client.ok("workspace.apply_patch", json!({ "patch": patch }));
        assert_eq!(
            reply["rejects"][0]["hunks"][0]["reason"],
            "unsupported_mode"
        );
    }
    assert_eq!(all(&repo.root), inside);
    assert_eq!(all(&outside), before);
    // A link may be deleted, and its target stays.
    for (name, _) in links.iter().filter(|(name, _)| *name != "src/deep") {
        client.ok("workspace.delete", json!({ "path": name }));
    }
    assert_eq!(all(&outside), before);
    assert!(repo.root.join(".git/config").exists());
}

#[test]
fn a_git_directory_of_another_name_is_closed_too() {
    let repo = Repo::bare();
    repo.git(&[
        "init",
        "-q",
        "--separate-git-dir",
        repo.root.join("store").to_str().unwrap(),
    ]);
    repo.write("a", "a\n");
    let mut client = repo.client();
    for path in ["store/config", "store/HEAD"] {
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.file",
            json!({ "path": path }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "workspace.write_file",
            json!({ "path": path, "content": "x" }),
        );
    }
}

/// Makes a null device: reading it would end at once, writing it would lose the content.
fn device(path: &std::path::Path) -> bool {
    let made = Command::new("mknod")
        .arg(path)
        .args(["c", "1", "3"])
        .output();
    made.is_ok_and(|made| made.status.success())
}

#[test]
fn special_files_hang_nothing() {
    let repo = Repo::r1();
    let mut special = vec!["fifo", "socket"];
    match device(&repo.root.join("device")) {
        true => special.push("device"),
        false => skipped(
            "special_files_hang_nothing",
            "device files need the right to make them; FIFOs and sockets are tested",
        ),
    }
    let made = Command::new("mkfifo")
        .arg(repo.root.join("fifo"))
        .status()
        .unwrap();
    assert!(made.success());
    let socket = std::os::unix::net::UnixListener::bind(repo.root.join("socket")).unwrap();
    let mut client = repo.client();
    for path in special.iter() {
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.file",
            json!({ "path": path }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.create",
            json!({ "paths": [path] }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.grep",
            json!({ "pattern": "x", "paths": [path] }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "snapshot.diff",
            json!({ "path": path }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "workspace.write_file",
            json!({ "path": path, "content": "x" }),
        );
        client.fails(
            "PERMISSION_DENIED",
            "workspace.delete",
            json!({ "path": path }),
        );
    }
    client.ok("snapshot.grep", json!({ "pattern": "x" }));
    let all = client.create(&["."]);
    let listed = client
        .ok("snapshot.list", json!({ "snapshot_id": all }))
        .to_string();
    for path in special {
        let patch = format!("--- a/{path}\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
        let reply = client.ok("workspace.apply_patch", json!({ "patch": patch }));
        assert_eq!(reply["status"], "rejected", "{reply}");
        assert!(!listed.contains(path), "{listed}");
        let kind = fs::symlink_metadata(repo.root.join(path))
            .unwrap()
            .file_type();
        assert!(!kind.is_file(), "{path} was replaced by a file");
    }
    drop(socket);
}

/// A directory that is constantly swapped with a link to the outside.
fn swapping(run: impl FnOnce(&mut Client)) {
    let (repo, outside) = beside();
    fs::create_dir(outside.join("dir")).unwrap();
    repo.write("dir/f", "inside\n");
    let before = all(&outside);
    let stop = AtomicBool::new(false);
    let mut client = repo.client();
    thread::scope(|scope| {
        scope.spawn(|| {
            let (dir, aside) = (repo.root.join("dir"), repo.root.join("aside"));
            while !stop.load(Ordering::Relaxed) {
                if fs::rename(&dir, &aside).is_ok() {
                    symlink(outside.join("dir"), &dir).unwrap();
                    fs::remove_file(&dir).unwrap();
                    fs::rename(&aside, &dir).unwrap();
                }
            }
        });
        run(&mut client);
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(all(&outside), before);
}

#[test]
fn a_directory_that_is_swapped_for_a_link_leads_nowhere() {
    // The long run has 10,000.
    let writes = rounds("FCP_WORKSPACE_WRITES", 200);
    swapping(|client| {
        let mut done = 0;
        for round in 0..writes {
            let arguments = match round % 4 {
                0 => json!({ "path": "dir/f", "content": format!("{round}\n") }),
                _ => json!({ "path": format!("dir/{round}"), "content": "x" }),
            };
            done += usize::from(!client.call("workspace.write_file", arguments).1);
            client.call(
                "workspace.delete",
                json!({ "path": format!("dir/{}", round.saturating_sub(3)) }),
            );
        }
        assert!(
            done > 0 && done < writes,
            "{done} of {writes} writes went through"
        );
    });
}
