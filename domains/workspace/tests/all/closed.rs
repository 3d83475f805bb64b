//! Git directories in other places than `.git`, guards of links and directories, and impossible
//! states.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::json;

use crate::kit::{Repo, text};

fn run(dir: &std::path::Path, arguments: &[&str]) {
    let done = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn the_git_directory_of_a_submodule_is_closed_wherever_it_is() {
    let repo = Repo::r1();
    let other = repo.dir.path().join("other");
    fs::create_dir(&other).unwrap();
    run(&other, &["init", "-q"]);
    fs::write(other.join("a"), "a\n").unwrap();
    run(&other, &["add", "."]);
    run(&other, &["commit", "-qm", "a"]);
    let (url, store) = (other.to_str().unwrap(), repo.root.join("store"));
    let store = format!("--separate-git-dir={}", store.display());
    run(&repo.root, &["clone", "-q", &store, url, "sub"]);
    run(&repo.root, &["submodule", "add", "-q", url, "sub"]);
    run(&repo.root, &["commit", "-qm", "sub"]);
    let mut client = repo.client();
    let before = repo.text("store/config");
    for (tool, arguments) in [
        ("snapshot.file", json!({ "path": "store/config" })),
        (
            "workspace.edit",
            json!({ "edits": [{ "path": "store/config", "old": "[core]", "new": "[core]\n\tfsmonitor = x" }] }),
        ),
        (
            "workspace.write_file",
            json!({ "path": "store/config", "content": "x" }),
        ),
        (
            "workspace.delete",
            json!({ "path": "store", "recursive": true }),
        ),
        ("workspace.delete", json!({ "path": "store/config" })),
    ] {
        client.fails("PERMISSION_DENIED", tool, arguments);
    }
    assert_eq!(repo.text("store/config"), before);
    for (tool, arguments) in [
        (
            "snapshot.grep",
            json!({ "pattern": "repositoryformatversion" }),
        ),
        ("snapshot.list", json!({ "depth": 9 })),
        ("snapshot.diff", json!({ "path": "." })),
    ] {
        let reply = client.ok(tool, arguments).to_string();
        assert!(!reply.contains("store/"), "{tool}: {reply}");
    }
    let id = client.create(&["."]);
    client.fails(
        "NOT_FOUND",
        "snapshot.file",
        json!({ "snapshot_id": id, "path": "store/config" }),
    );
    // No tool reads or changes the files of a submodule: none captures them, so nothing could be taken back.
    let edit = json!({ "edits": [{ "path": "sub/a", "old": "a", "new": "b" }] });
    let patch = json!({ "patch": "--- a/sub/a\n+++ b/sub/a\n@@ -1 +1 @@\n-a\n+b\n" });
    let create = json!({ "path": "sub/d/b", "content": "b\n", "create_dirs": true });
    for (tool, arguments) in [
        ("snapshot.file", json!({ "path": "sub/a" })),
        ("snapshot.list", json!({ "path": "sub/a" })),
        ("snapshot.diff", json!({ "path": "sub/a" })),
        (
            "workspace.write_file",
            json!({ "path": "sub/a", "content": "b\n" }),
        ),
        ("workspace.write_file", create),
        ("workspace.edit", edit),
        ("workspace.apply_patch", patch),
        ("workspace.delete", json!({ "path": "sub/a" })),
    ] {
        let error = client.fails("PERMISSION_DENIED", tool, arguments);
        let message = text(&error["message"]);
        assert!(
            message.contains("sub is a repository of its own"),
            "{message}"
        );
    }
    assert_eq!(repo.text("sub/a"), "a\n");
    // Files that a lease has read are not captured with it when they are of a repository of their own by then.
    repo.write("own/a", "a\n");
    let lease = client.ok("snapshot.file", json!({ "path": "own/a" }))["lease_id"].clone();
    client.ok(
        "snapshot.file",
        json!({ "path": "src/a.ts", "lease_id": lease }),
    );
    run(&repo.root.join("own"), &["init", "-q"]);
    let made = client.ok("snapshot.create", json!({ "lease_id": lease }));
    assert_eq!(made["skipped"]["submodules"], 1, "{made}");
}

#[test]
fn a_git_directory_that_git_does_not_know_here_is_closed_to_changes() {
    let repo = Repo::r1();
    run(&repo.root, &["init", "-q", "--bare", "fixtures/bare"]);
    let mut client = repo.client();
    for (tool, arguments) in [
        (
            "workspace.write_file",
            json!({ "path": "fixtures/bare/config", "content": "x" }),
        ),
        (
            "workspace.apply_patch",
            json!({ "patch": "--- /dev/null\n+++ b/fixtures/bare/hooks/post-commit\n@@ -0,0 +1 @@\n+x\n" }),
        ),
        (
            "workspace.delete",
            json!({ "path": "fixtures/bare", "recursive": true }),
        ),
        (
            "workspace.delete",
            json!({ "path": "fixtures", "recursive": true }),
        ),
    ] {
        let mut trial = arguments.clone();
        trial["dry_run"] = json!(true);
        client.fails("PERMISSION_DENIED", tool, trial);
        client.fails("PERMISSION_DENIED", tool, arguments);
    }
    // Git takes links for the parts, too.
    let bare = repo.root.join("fixtures/bare");
    fs::remove_file(bare.join("HEAD")).unwrap();
    symlink("refs/heads/main", bare.join("HEAD")).unwrap();
    client.fails(
        "PERMISSION_DENIED",
        "workspace.write_file",
        json!({ "path": "fixtures/bare/config", "content": "x" }),
    );
    // Nor is one made.
    let file = |path: &str| format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
    let patch: String = ["n/config", "n/refs/x", "n/objects/x", "n/HEAD"]
        .map(file)
        .concat();
    client.fails(
        "PERMISSION_DENIED",
        "workspace.apply_patch",
        json!({ "patch": patch }),
    );
    assert!(!repo.root.join("n").exists());
}

#[test]
fn a_git_directory_beside_dot_git_is_not_walked() {
    let repo = Repo::r1();
    let git_dir = format!("--separate-git-dir={}", repo.root.join("gd").display());
    run(&repo.root, &["init", "-q", &git_dir]);
    run(
        &repo.root,
        &[
            "config",
            "remote.origin.url",
            "https://user:SECRET@example.com/x.git",
        ],
    );
    let mut client = repo.client();
    let found = client.ok("snapshot.grep", json!({ "pattern": "SECRET" }));
    assert_eq!(found["matches"], json!([]));
    let id = client.create(&["."]);
    let listed = client.ok("snapshot.list", json!({ "snapshot_id": id, "depth": 9 }));
    assert!(!listed.to_string().contains("gd/"), "{listed}");
}

#[test]
fn an_existing_path_is_not_deleted_as_absent() {
    let repo = Repo::r1();
    symlink("src/a.ts", repo.root.join("la")).unwrap();
    let mut client = repo.client();
    for path in ["src", "la", "src/a.ts"] {
        client.fails(
            "REPO_CHANGED",
            "workspace.delete",
            json!({ "path": path, "recursive": true, "expected_blob": "absent" }),
        );
    }
    let blob = client.ok("snapshot.file", json!({ "path": "la" }))["blob"].clone();
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.delete",
        json!({ "path": "src", "recursive": true, "expected_blob": blob }),
    );
    client.ok(
        "workspace.delete",
        json!({ "path": "la", "expected_blob": blob }),
    );
    assert!(repo.root.join("src/a.ts").exists() && !repo.root.join("la").exists());
    let id = client.create(&["."]);
    client.fails(
        "REPO_CHANGED",
        "workspace.delete",
        json!({ "path": "src", "recursive": true, "expected_blob": "absent", "snapshot_id": id }),
    );
}

#[test]
fn a_link_with_another_target_makes_the_lease_stale() {
    let repo = Repo::r1();
    repo.write("src-x.ts", "x\n");
    symlink("src/a.ts", repo.root.join("la")).unwrap();
    let mut client = repo.client();
    let lease = client.ok("snapshot.file", json!({ "path": "la" }))["lease_id"].clone();
    fs::remove_file(repo.root.join("la")).unwrap();
    symlink("src-x.ts", repo.root.join("la")).unwrap();
    client.fails(
        "REPO_CHANGED",
        "workspace.write_file",
        json!({ "path": "la", "content": "CLOBBER\n", "lease_id": lease }),
    );
    assert_eq!(repo.text("src-x.ts"), "x\n");
}

#[test]
fn no_snapshot_holds_a_file_below_a_file() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let id = client.create(&["."]);
    let patch = |path: &str| format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n");
    for path in ["src", "src/a.ts/q"] {
        for (tool, mut arguments) in [
            ("workspace.apply_patch", json!({ "patch": patch(path) })),
            (
                "workspace.edit",
                json!({ "edits": [{ "path": path, "old": "", "new": "x" }] }),
            ),
        ] {
            arguments["snapshot_id"] = json!(id);
            let reply = client.ok(tool, arguments);
            assert_eq!(reply["snapshot_id"], id, "{reply}");
            let reject = json!({ "index": 0, "reason": "already_exists" });
            assert_eq!(
                reply["rejects"],
                json!([{ "path": path, "hunks": [reject] }])
            );
        }
        client.fails(
            "INVALID_ARGUMENT",
            "workspace.write_file",
            json!({ "snapshot_id": id, "path": path, "content": "x" }),
        );
    }
    // In one patch, a directory may take the place of a file.
    let text = client.ok("snapshot.file", json!({ "path": "src/a.ts" }));
    let text = text["content"].as_str().unwrap();
    let lines = text.lines().count();
    let gone: String = text.lines().map(|line| format!("-{line}\n")).collect();
    let both = format!(
        "--- a/src/a.ts\n+++ /dev/null\n@@ -1,{lines} +0,0 @@\n{gone}{}",
        patch("src/a.ts/q")
    );
    client.ok(
        "workspace.apply_patch",
        json!({ "snapshot_id": id, "patch": both }),
    );
}

#[test]
fn a_diff_tells_of_a_file_that_became_a_link_and_goes_on_where_it_was_cut() {
    let repo = Repo::r1();
    fs::remove_file(repo.root.join("src/b.ts")).unwrap();
    symlink("a.ts", repo.root.join("src/b.ts")).unwrap();
    let mut client = repo.client();
    let diff = client.ok("snapshot.diff", json!({ "path": "src/b.ts" }));
    let text = diff["diff"].as_str().unwrap();
    assert!(text.contains("deleted file mode"), "{text}");
    for name in ["f1", "f2", "f3"] {
        repo.write(name, "y\n".repeat(250_000));
    }
    let mut from = json!("");
    let mut seen = String::new();
    loop {
        let reply = client.ok("snapshot.diff", json!({ "path": ".", "from": from }));
        seen.push_str(reply["diff"].as_str().unwrap());
        match reply.get("next_path") {
            Some(next) => from = next.clone(),
            None => break,
        }
    }
    for name in ["f1", "f2", "f3"] {
        assert_eq!(
            seen.matches(&format!("+++ b/{name}\n")).count(),
            1,
            "{name}"
        );
    }
}

#[test]
fn replaced_objects_do_not_change_an_answer() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let id = client.create(&["src/a.ts"]);
    let before = client.ok("snapshot.changes", json!({ "snapshot_id": id }));
    let blob = repo.git(&["rev-parse", "HEAD:src/a.ts"]);
    let other = repo.git(&["rev-parse", "HEAD:src/b.ts"]);
    repo.git(&["replace", blob.trim(), other.trim()]);
    let after = client.ok("snapshot.changes", json!({ "snapshot_id": id }));
    assert_eq!(before, after);
}
