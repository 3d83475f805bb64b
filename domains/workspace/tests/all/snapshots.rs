//! Captures, differences, bundles, and metadata of snapshots.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::kit::{Client, Repo, text};

#[test]
fn uncapturable_files_are_named_or_counted() {
    let repo = Repo::r1();
    let inner = Repo::r1();
    repo.git(&[
        "submodule",
        "--quiet",
        "add",
        inner.root.to_str().unwrap(),
        "sub",
    ]);
    std::os::unix::fs::symlink("src/a.ts", repo.root.join("link")).unwrap();
    repo.git(&["add", "link"]);
    let mut client = repo.client();
    let made = client.ok("snapshot.create", json!({ "paths": ["."] }));
    assert_eq!(made["skipped"], json!({ "symlinks": 1, "submodules": 1 }));
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.create",
        json!({ "paths": ["link"] }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.create",
        json!({ "paths": ["sub"] }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.create",
        json!({ "paths": ["sub/src/a.ts"] }),
    );
    let error = client.fails(
        "NOT_FOUND",
        "snapshot.create",
        json!({ "paths": ["x", "src", "y/z"] }),
    );
    assert_eq!(error["details"]["paths"], json!(["x", "y/z"]));
    client.fails("INVALID_ARGUMENT", "snapshot.create", json!({}));
    repo.write(".gitignore", "ignored\n");
    repo.write("ignored", "x\n");
    let named = client.ok("snapshot.create", json!({ "paths": ["ignored"] }));
    assert_eq!(named["manifest_stats"]["files"], 1);
}

#[test]
fn manifests_have_two_keys_an_entry_and_no_more() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let id = text(
        &client.ok(
            "snapshot.create",
            json!({ "paths": ["."], "label": "first" }),
        )["snapshot_id"],
    );
    let preimage = fs::read_to_string(repo.state.join("snapshots").join(&id[7..])).unwrap();
    let manifest: Value = serde_json::from_str(preimage.split_once('\n').unwrap().1).unwrap();
    for entry in manifest["entries"].as_array().unwrap() {
        let keys: Vec<&String> = entry.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["blob", "path"]);
    }
}

#[test]
fn changes_are_those_from_head_or_from_another_snapshot() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let changes = client.ok("snapshot.changes", json!({ "snapshot_id": s0 }));
    let short = |changes: &Value| {
        let files = changes["files"].as_array().unwrap().iter();
        files
            .map(|file| format!("{} {}", text(&file["status"]), text(&file["path"])))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(short(&changes), "added new.txt, modified src/b.ts");
    assert_eq!(changes["base"], repo.git(&["rev-parse", "HEAD"]).trim());
    let patch = "diff --git a/src/a.ts b/lib/a.ts\nrename from src/a.ts\nrename to lib/a.ts\n";
    let moved = client.ok(
        "workspace.apply_patch",
        json!({ "snapshot_id": s0, "patch": patch }),
    )["snapshot_id"]
        .clone();
    let mut ask = |renames: bool| {
        let arguments = json!({ "snapshot_id": moved, "base_snapshot_id": s0, "renames": renames });
        client.ok("snapshot.changes", arguments)
    };
    assert_eq!(short(&ask(false)), "added lib/a.ts, deleted src/a.ts");
    let paired = ask(true);
    assert_eq!(short(&paired), "renamed lib/a.ts");
    assert_eq!(paired["files"][0]["from"], "src/a.ts");
}

#[test]
fn a_long_diff_is_cut_between_files() {
    let repo = Repo::new();
    for name in ["a", "b", "c"] {
        repo.write(name, "line\n".repeat(100));
    }
    let mut client = repo.with(&["--max-inline", "1500"]);
    let diff = client.ok("snapshot.diff", json!({ "path": "." }));
    assert_eq!(
        (
            &diff["truncated"],
            &diff["next_path"],
            &diff["stats"]["files"]
        ),
        (&json!(true), &json!("c"), &json!(2))
    );
    let mut client = repo.with(&["--max-inline", "100"]);
    client.fails("TOO_LARGE", "snapshot.diff", json!({ "path": "a" }));
}

#[test]
fn modes_binary_files_and_odd_names_are_in_diffs_as_in_git() {
    let repo = Repo::r1();
    repo.write("bin", "a\0b");
    repo.write("with space", "x");
    repo.write("quo\"te", "x\n");
    repo.write("empty", "");
    fs::remove_file(repo.root.join("src-x.ts")).unwrap();
    let mode = std::process::Command::new("chmod")
        .arg("+x")
        .arg(repo.root.join("src/a.ts"))
        .status()
        .unwrap();
    assert!(mode.success());
    let mut client = repo.client();
    let diff = text(&client.ok("snapshot.diff", json!({ "path": "." }))["diff"]);
    for part in [
        "diff --git a/bin b/bin\nnew file mode 100644\nBinary files /dev/null and b/bin differ\n",
        "diff --git a/empty b/empty\nnew file mode 100644\ndiff --git",
        "diff --git a/with space b/with space\nnew file mode 100644\n--- /dev/null\n+++ b/with space\t\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
        "diff --git \"a/quo\\\"te\" \"b/quo\\\"te\"\n",
        "diff --git a/src-x.ts b/src-x.ts\ndeleted file mode 100644\n--- a/src-x.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-// x\n",
        "diff --git a/src/a.ts b/src/a.ts\nold mode 100644\nnew mode 100755\n",
    ] {
        assert!(diff.contains(part), "{part}\nis not in\n{diff}");
    }
}

#[test]
fn snapshots_are_of_their_root_alone() {
    let (repo, other) = (Repo::r1(), Repo::new());
    let mut client = repo.with(&["--root", other.root.to_str().unwrap()]);
    let s0 = client.create(&["."]);
    let there = json!({ "snapshot_id": s0, "repo_root": other.root.to_str().unwrap() });
    client.fails("NOT_FOUND", "snapshot.info", there.clone());
    client.fails("NOT_FOUND", "snapshot.list", there);
}

#[test]
fn no_file_is_restored_through_a_link_over_another() {
    let repo = Repo::new();
    repo.write("dir/b.txt", "FROM dir\n");
    repo.write("dirx/b.txt", "FROM dirx\n");
    let mut client = repo.client();
    let id = client.create(&["."]);
    fs::remove_dir_all(repo.root.join("dir")).unwrap();
    std::os::unix::fs::symlink("dirx", repo.root.join("dir")).unwrap();
    for arguments in [
        json!({ "snapshot_id": id }),
        json!({ "snapshot_id": id, "paths": ["dir"] }),
    ] {
        let error = client.fails("PERMISSION_DENIED", "snapshot.restore", arguments);
        let message = text(&error["message"]);
        assert!(
            message.contains("dir/b.txt is reached through a link"),
            "{message}"
        );
    }
    assert_eq!(repo.text("dirx/b.txt"), "FROM dirx\n");
    client.ok(
        "snapshot.restore",
        json!({ "snapshot_id": id, "paths": ["dirx"] }),
    );
}

#[test]
fn restoring_what_a_restore_overwrote_brings_every_byte_back() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    repo.write("src/a.ts", b"changed\r\n\xff");
    repo.write("café.txt", "");
    fs::remove_file(repo.root.join("src-x.ts")).unwrap();
    let before = repo.contents();
    let dry = client.ok(
        "snapshot.restore",
        json!({ "snapshot_id": s0, "dry_run": true }),
    );
    assert_eq!(repo.contents(), before);
    let restored = client.ok("snapshot.restore", json!({ "snapshot_id": s0 }));
    assert_eq!(restored["restored"], json!(["café.txt", "src/a.ts"]));
    assert_eq!(restored["restored"], dry["restored"]);
    assert_eq!(
        (&restored["created"], &restored["unchanged"]),
        (&json!(["src-x.ts"]), &json!(2))
    );
    assert_eq!(repo.text("src/a.ts"), "export const a = 1;\n");
    let undone = client.ok(
        "snapshot.restore",
        json!({ "snapshot_id": restored["undo_snapshot_id"] }),
    );
    assert_eq!(undone["restored"], restored["restored"]);
    fs::remove_file(repo.root.join("src-x.ts")).unwrap();
    assert_eq!(repo.contents(), before);
}

#[test]
fn labels_pins_and_collection() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let edit = |client: &mut Client, content: &str| {
        let arguments = json!({ "snapshot_id": s0, "path": "src/a.ts", "content": content });
        text(&client.ok("workspace.write_file", arguments)["snapshot_id"])
    };
    let (one, two) = (edit(&mut client, "one\n"), edit(&mut client, "two\n"));
    client.ok(
        "snapshot.catalog",
        json!({ "snapshot_id": one, "set_label": "keep me" }),
    );
    client.ok(
        "snapshot.catalog",
        json!({ "snapshot_id": s0, "pin": true }),
    );
    let catalog = client.ok("snapshot.catalog", json!({}));
    assert_eq!(catalog["total"], 3);
    assert_eq!(
        client.ok("snapshot.catalog", json!({ "label": "keep me" }))["snapshots"][0]["derived_from"],
        s0
    );
    let dry = client.ok("snapshot.gc", json!({ "keep_bytes": 0, "dry_run": true }));
    assert_eq!(dry["removed"], json!([two]));
    client.ok("snapshot.info", json!({ "snapshot_id": two }));
    let gone = client.ok("snapshot.gc", json!({ "keep_bytes": 0 }));
    assert_eq!(
        (&gone["removed"], &gone["kept"], &gone["freed_bytes"]),
        (&json!([two]), &json!(2), &json!(4))
    );
    client.fails("NOT_FOUND", "snapshot.info", json!({ "snapshot_id": two }));
    for (id, content) in [(&s0, "export const a = 1;\n"), (&one, "one\n")] {
        assert_eq!(
            client.ok(
                "snapshot.file",
                json!({ "snapshot_id": id, "path": "src/a.ts" })
            )["content"],
            content
        );
    }
    sleep(Duration::from_millis(30));
    assert_eq!(
        edit(&mut client, "two\n"),
        two,
        "what was collected can be made again"
    );
    assert_eq!(
        client.ok(
            "snapshot.file",
            json!({ "snapshot_id": two, "path": "src/a.ts" })
        )["content"],
        "two\n"
    );
}

#[test]
fn modes_that_git_ignores_are_not_in_diffs() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let path = repo.root.join("src/a.ts");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    repo.write("tool", "tool\n");
    fs::set_permissions(repo.root.join("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut diff = |path: &str| text(&client.ok("snapshot.diff", json!({ "path": path }))["diff"]);
    assert!(diff("src/a.ts").contains("new mode 100755"));
    for ignored in ["false", "no", "0"] {
        repo.git(&["config", "core.fileMode", ignored]);
        assert_eq!(diff("src/a.ts"), "");
        assert!(diff("tool").contains("new file mode 100644"));
    }
    repo.git(&["config", "core.fileMode", "true"]);
    assert!(diff("src/a.ts").contains("new mode 100755"));
}

#[test]
fn objects_are_read_once_for_changes() {
    let repo = Repo::r1();
    let mut client = repo.beside_git("echo \" $* \" >> \"$dir/log\"");
    let id = client.create(&["."]);
    let mut changes = || client.ok("snapshot.changes", json!({ "snapshot_id": id }));
    let first = changes();
    assert_eq!(first["stats"]["modified"], 1);
    assert_eq!(changes(), first);
    let log = fs::read_to_string(repo.dir.path().join("bin/log")).unwrap();
    assert_eq!(log.matches(" cat-file ").count(), 1, "{log}");
}
