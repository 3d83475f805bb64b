//! Writes and deletions on the work tree and on snapshots.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use crate::kit::{Repo, skipped, text};

#[test]
fn writes_are_guarded_by_what_was_read() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let read = client.ok("snapshot.file", json!({ "path": "src/a.ts" }));
    let write = json!({ "path": "src/a.ts", "content": "mine\n", "expected_blob": read["blob"], "lease_id": read["lease_id"] });
    let written = client.ok("workspace.write_file", write.clone());
    assert_eq!(
        (&written["created"], &written["size"]),
        (&json!(false), &json!(5))
    );
    assert_eq!(
        client.fails("STALE_LEASE", "workspace.write_file", write)["details"]["reason"],
        "superseded"
    );
    let again = json!({ "path": "src/a.ts", "content": "mine\n", "expected_blob": read["blob"] });
    let error = client.fails("REPO_CHANGED", "workspace.write_file", again);
    assert_eq!(error["details"]["blob"], written["blob"]);
    client.fails(
        "REPO_CHANGED",
        "workspace.write_file",
        json!({ "path": "src/a.ts", "content": "", "expected_blob": "absent" }),
    );
    client.fails(
        "REPO_CHANGED",
        "workspace.delete",
        json!({ "path": "src/a.ts", "expected_blob": read["blob"] }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.write_file",
        json!({ "path": "src/a.ts", "content": "", "expected_blob": "x" }),
    );
    assert_eq!(repo.text("src/a.ts"), "mine\n");
    client.ok("snapshot.list", json!({ "lease_id": written["lease_id"] }));
}

#[test]
fn directories_are_made_only_when_asked_for_and_modes_stay() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let new = json!({ "path": "a/b/c.txt", "content": "x" });
    client.fails("NOT_FOUND", "workspace.write_file", new);
    assert!(!repo.root.join("a").exists());
    let dry = client.ok(
        "workspace.write_file",
        json!({ "path": "a/b/c.txt", "content": "x", "create_dirs": true, "dry_run": true }),
    );
    assert_eq!(dry["created"], true);
    assert!(!repo.root.join("a").exists());
    client.ok(
        "workspace.write_file",
        json!({ "path": "a/b/c.txt", "content": "x", "create_dirs": true }),
    );
    fs::set_permissions(
        repo.root.join("a/b/c.txt"),
        fs::Permissions::from_mode(0o640),
    )
    .unwrap();
    client.ok(
        "workspace.write_file",
        json!({ "path": "a/b/c.txt", "content": "y" }),
    );
    let mode = |path: &str| {
        repo.root
            .join(path)
            .metadata()
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("a/b/c.txt"), 0o640);
    client.ok(
        "workspace.write_file",
        json!({ "path": "a/b/c.txt", "content": "y", "executable": true }),
    );
    assert_eq!(mode("a/b/c.txt"), 0o750);
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.write_file",
        json!({ "path": "src", "content": "" }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.write_file",
        json!({ "path": "src/a.ts/x", "content": "" }),
    );
}

#[test]
fn links_inside_are_followed_by_writes_and_removed_by_deletes() {
    let repo = Repo::r1();
    symlink("src/a.ts", repo.root.join("file")).unwrap();
    symlink("src", repo.root.join("dir")).unwrap();
    let mut client = repo.client();
    let read = client.ok("snapshot.file", json!({ "path": "file" }));
    assert_eq!(read["resolved"], "src/a.ts");
    let written = client.ok(
        "workspace.write_file",
        json!({ "path": "file", "content": "through\n" }),
    );
    assert_eq!(written["path"], "src/a.ts");
    client.ok(
        "workspace.write_file",
        json!({ "path": "dir/new.ts", "content": "n\n" }),
    );
    assert_eq!(
        (repo.text("src/a.ts"), repo.text("src/new.ts")),
        ("through\n".to_owned(), "n\n".to_owned())
    );
    client.ok("workspace.delete", json!({ "path": "file" }));
    client.ok("workspace.delete", json!({ "path": "dir" }));
    assert_eq!(repo.text("src/a.ts"), "through\n");
    assert!(fs::symlink_metadata(repo.root.join("dir")).is_err());
}

#[test]
fn a_broken_hard_link_leaves_the_other_name_as_it_was() {
    let repo = Repo::r1();
    let outside = repo.dir.path().join("outside");
    fs::write(&outside, "outside\n").unwrap();
    fs::hard_link(&outside, repo.root.join("hard")).unwrap();
    repo.client().ok(
        "workspace.write_file",
        json!({ "path": "hard", "content": "inside\n" }),
    );
    assert_eq!(
        (fs::read_to_string(outside).unwrap(), repo.text("hard")),
        ("outside\n".to_owned(), "inside\n".to_owned())
    );
}

#[test]
fn deletes_take_all_or_nothing() {
    let repo = Repo::r1();
    repo.write(".gitignore", "*.log\n");
    repo.write("src/deep/x.log", "ignored");
    let mut client = repo.client();
    client.fails(
        "PERMISSION_DENIED",
        "workspace.delete",
        json!({ "path": ".", "recursive": true }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.delete",
        json!({ "path": "src" }),
    );
    client.fails(
        "NOT_FOUND",
        "workspace.delete",
        json!({ "path": "nothing" }),
    );
    let s0 = client.create(&["."]);
    let less = client.ok(
        "workspace.delete",
        json!({ "path": "src", "recursive": true, "snapshot_id": s0 }),
    );
    assert_eq!(less["deleted"], json!(["src/a.ts", "src/b.ts"]));
    let dry = client.ok(
        "workspace.delete",
        json!({ "path": "src", "recursive": true, "dry_run": true }),
    );
    assert!(repo.root.join("src/a.ts").exists());
    let gone = client.ok(
        "workspace.delete",
        json!({ "path": "src", "recursive": true }),
    );
    assert_eq!(
        gone["deleted"],
        json!(["src", "src/a.ts", "src/b.ts", "src/deep", "src/deep/x.log"])
    );
    assert_eq!(gone["deleted"], dry["deleted"]);
    assert!(!repo.root.join("src").exists());

    let inner = Repo::r1();
    fs::create_dir(repo.root.join("holds")).unwrap();
    fs::rename(&inner.root, repo.root.join("holds/repo")).unwrap();
    let before = repo.contents();
    client.fails(
        "PERMISSION_DENIED",
        "workspace.delete",
        json!({ "path": "holds", "recursive": true }),
    );
    assert_eq!(repo.contents(), before);
}

/// An interrupted delete or patch leaves every byte unchanged. The server runs without privileges.
#[test]
fn a_directory_that_may_not_be_written_stops_everything() {
    let repo = Repo::r1();
    for path in ["d/one/x", "d/two/y", "z/last"] {
        repo.write(path, "content\n");
    }
    let locked = ["d/two", "z"].map(|dir| repo.root.join(dir));
    for dir in &locked {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o555)).unwrap();
    }
    let Some(mut client) = repo.unprivileged() else {
        return skipped(
            "a_directory_that_may_not_be_written_stops_everything",
            "the user nobody cannot run the program",
        );
    };
    let before = repo.contents();
    client.fails(
        "PERMISSION_DENIED",
        "workspace.delete",
        json!({ "path": "d", "recursive": true }),
    );
    assert_eq!(repo.contents(), before);
    let patch = "--- /dev/null\n+++ b/n/e/w\n@@ -0,0 +1 @@\n+new\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+x\n\
                 --- a/z/last\n+++ b/z/last\n@@ -1 +1 @@\n-content\n+other\n";
    client.fails(
        "PERMISSION_DENIED",
        "workspace.apply_patch",
        json!({ "patch": patch }),
    );
    assert_eq!(repo.contents(), before);
    assert!(!repo.root.join("n").exists());
    for dir in &locked {
        fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn edits_of_snapshots_leave_the_disk_and_dry_runs_leave_the_store() {
    let (repo, other) = (Repo::r1(), Repo::r1());
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let before = repo.contents();
    let stored = || {
        let mut all = Vec::new();
        crate::kit::everything(&repo.state, &mut all);
        all.sort();
        all
    };
    let store = stored();
    let edit = json!({ "snapshot_id": s0, "path": "src/a.ts", "content": "other\n" });
    let mut dry = edit.clone();
    dry["dry_run"] = json!(true);
    let dry = client.ok("workspace.write_file", dry);
    assert_eq!(stored(), store);
    let made = client.ok("workspace.write_file", edit.clone());
    assert_eq!(made["snapshot_id"], dry["snapshot_id"]);
    assert_eq!(repo.contents(), before);
    let mut there = other.client();
    assert_eq!(there.create(&["."]), s0);
    let patch = "--- a/new.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-new\n+newer\n";
    let mut patched = [&mut client, &mut there].map(|client| {
        let patch = json!({ "snapshot_id": s0, "patch": patch });
        text(&client.ok("workspace.apply_patch", patch)["snapshot_id"])
    });
    patched.sort();
    assert!(patched[0] == patched[1] && patched[0] != s0);
    assert_eq!(
        text(&there.ok("workspace.write_file", edit)["snapshot_id"]),
        text(&made["snapshot_id"])
    );
    let info = client.ok(
        "snapshot.info",
        json!({ "snapshot_id": made["snapshot_id"] }),
    );
    assert_eq!(
        info["fingerprint"],
        client.ok("snapshot.info", json!({ "snapshot_id": s0 }))["fingerprint"]
    );
    let same = client.ok(
        "workspace.write_file",
        json!({ "snapshot_id": s0, "path": "new.txt", "content": "new\n" }),
    );
    assert_eq!(same["snapshot_id"], s0);
    client.fails(
        "NOT_FOUND",
        "workspace.delete",
        json!({ "snapshot_id": s0, "path": "zz" }),
    );
}

#[test]
fn a_mode_that_a_snapshot_cannot_keep_is_refused() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let patch = "diff --git a/new.txt b/new.txt\nold mode 100644\nnew mode 100755\n";
    let alone = json!({ "snapshot_id": s0, "patch": patch });
    client.fails("INVALID_ARGUMENT", "workspace.apply_patch", alone);
    let write = |content: &str| json!({ "snapshot_id": s0, "path": "new.txt", "content": content, "executable": true });
    client.fails("INVALID_ARGUMENT", "workspace.write_file", write("new\n"));
    let changed = client.ok("workspace.write_file", write("newer\n"));
    let listed = client.ok(
        "snapshot.list",
        json!({ "snapshot_id": changed["snapshot_id"], "path": "new.txt", "depth": 0 }),
    );
    assert_eq!(listed["entries"][0]["executable"], true, "{listed}");
}

#[test]
fn a_server_that_only_reads_writes_nothing_but_snapshots() {
    let repo = Repo::r1();
    let mut client = repo.with(&["--read-only"]);
    let before = repo.contents();
    let s0 = client.create(&["."]);
    client.fails(
        "PERMISSION_DENIED",
        "workspace.write_file",
        json!({ "path": "x", "content": "" }),
    );
    client.fails(
        "PERMISSION_DENIED",
        "workspace.delete",
        json!({ "path": "new.txt" }),
    );
    client.fails(
        "PERMISSION_DENIED",
        "workspace.edit",
        json!({ "edits": [{ "path": "x", "old": "", "new": "" }] }),
    );
    client.fails(
        "PERMISSION_DENIED",
        "workspace.apply_patch",
        json!({ "patch": "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n" }),
    );
    client.fails(
        "PERMISSION_DENIED",
        "snapshot.restore",
        json!({ "snapshot_id": s0 }),
    );
    client.ok(
        "workspace.write_file",
        json!({ "path": "x", "content": "", "snapshot_id": s0 }),
    );
    assert_eq!(repo.contents(), before);
}

/// Files and directories of a write do not stay open.
#[test]
fn a_write_of_many_files_needs_few_descriptors() {
    let repo = Repo::new();
    let name = |at: usize| format!("d{at}/e/f");
    for at in 0..400 {
        repo.write(&name(at), "1\n");
    }
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let before = repo.contents();
    for at in 0..400 {
        match at % 2 {
            0 => fs::remove_dir_all(repo.root.join(format!("d{at}"))).unwrap(),
            _ => repo.write(&name(at), "2\n"),
        }
    }
    let call = || {
        let line = format!(
            "ulimit -n 256; exec '{}' --root '{}' --state '{}' call snapshot.restore '{}'",
            crate::kit::PROGRAM,
            repo.root.display(),
            repo.state.display(),
            json!({ "snapshot_id": s0 })
        );
        let done = std::process::Command::new("sh")
            .args(["-c", &line])
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap() + &String::from_utf8_lossy(&done.stderr)
    };
    let restored = call();
    assert!(restored.contains("undo_snapshot_id"), "{restored}");
    assert_eq!(repo.contents(), before);
}
