//! Changes that a lease notices.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::kit::{Client, Repo, text};

#[test]
fn an_edit_that_no_status_shows_is_noticed() {
    let repo = Repo::r1();
    repo.write(".gitignore", "ignored\n");
    repo.write("ignored", "one\n");
    let mut client = repo.client();
    for (path, content) in [
        ("src/b.ts", "export const b = 4;\n"),
        ("new.txt", "NEW\n"),
        ("ignored", "two\n"),
    ] {
        let before = repo.read(path);
        let read = client.ok("snapshot.file", json!({ "path": path }));
        let lease = json!({ "path": "src/a.ts", "lease_id": read["lease_id"] });
        client.ok("snapshot.file", lease.clone());
        // Rewriting the same bytes is not a change.
        sleep(Duration::from_millis(30));
        repo.write(path, &before);
        client.ok("snapshot.file", lease.clone());
        repo.write(path, content);
        let error = client.fails("REPO_CHANGED", "snapshot.file", lease.clone());
        assert_eq!(error["details"]["paths"], json!([path]));
        assert_eq!(error["details"]["fingerprint"], read["fingerprint"]);
        std::fs::remove_file(repo.root.join(path)).unwrap();
        if path == "ignored" {
            client.fails("REPO_CHANGED", "snapshot.file", lease);
        }
        repo.write(path, &before);
    }
}

#[test]
fn an_edit_of_the_same_length_at_once_is_noticed() {
    let repo = Repo::r1();
    let mut client = repo.client();
    for round in 0..40 {
        repo.write("new.txt", format!("{round:04}\n"));
        let lease = client.ok("snapshot.file", json!({ "path": "new.txt" }))["lease_id"].clone();
        repo.write("new.txt", format!("{:04}\n", round + 1));
        client.fails(
            "REPO_CHANGED",
            "snapshot.list",
            json!({ "lease_id": lease }),
        );
    }
}

#[test]
fn any_move_of_the_repository_makes_a_lease_stale() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let moves: [&dyn Fn(); 4] = [
        &|| repo.write("another.txt", "x\n"),
        &|| drop(repo.git(&["add", "src/b.ts"])),
        &|| drop(repo.git(&["commit", "-q", "-m", "b"])),
        &|| drop(repo.git(&["checkout", "-q", "--detach", "HEAD~1"])),
    ];
    for change in moves {
        let read = client.ok("snapshot.file", json!({ "path": "src/a.ts" }));
        change();
        let error = client.fails(
            "STALE_LEASE",
            "snapshot.list",
            json!({ "lease_id": read["lease_id"] }),
        );
        assert_eq!(error["details"]["reason"], "fingerprint");
        assert_eq!(error["details"]["changed_paths"], json!([]));
        assert_ne!(error["details"]["fingerprint"], read["fingerprint"]);
        assert_eq!(
            error["details"]["fingerprint"],
            client.ok("snapshot.list", json!({}))["fingerprint"]
        );
    }
}

#[test]
fn foreign_unknown_and_lost_leases_differ() {
    let (repo, other) = (Repo::r1(), Repo::r1());
    let mut client = repo.with(&["--root", other.root.to_str().unwrap()]);
    let foreign = client.ok(
        "snapshot.list",
        json!({ "repo_root": other.root.to_str().unwrap() }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.list",
        json!({ "lease_id": foreign["lease_id"] }),
    );
    for id in ["L", "nonsense", &format!("L{}", "0".repeat(48))] {
        client.fails("NOT_FOUND", "snapshot.list", json!({ "lease_id": id }));
    }
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.list",
        json!({ "repo_root": "/" }),
    );
    let lease = client.ok("snapshot.list", json!({}))["lease_id"].clone();
    assert!(client.server.end().success());
    let mut client = repo.client();
    let error = client.fails("STALE_LEASE", "snapshot.list", json!({ "lease_id": lease }));
    assert_eq!(error["details"]["reason"], "not_held");
    let s0 = client.create(&["src"]);
    let ignored = client.ok(
        "snapshot.list",
        json!({ "lease_id": "nonsense", "snapshot_id": s0 }),
    );
    assert_eq!(ignored["cache_hint"], "immutable");
}

#[test]
fn a_lease_on_touched_files_only_survives_other_peoples_commits() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let read = client.ok("snapshot.file", json!({ "path": "src/a.ts" }));
    repo.git(&["add", "new.txt"]);
    repo.git(&["commit", "-q", "-m", "new"]);
    let scoped =
        json!({ "path": "src/a.ts", "lease_id": read["lease_id"], "stale_scope": "touched" });
    let next = client.ok("snapshot.file", scoped.clone());
    assert_eq!(next["rebased"], true);
    assert_ne!(next["lease_id"], read["lease_id"]);
    assert_ne!(next["fingerprint"], read["fingerprint"]);
    client.ok("snapshot.list", json!({ "lease_id": next["lease_id"] }));
    repo.write("src/a.ts", "export const a = 9;\n");
    let error = client.fails("STALE_LEASE", "snapshot.file", scoped);
    assert_eq!(error["details"]["changed_paths"], json!(["src/a.ts"]));
}

#[test]
fn leases_are_looked_at_refreshed_and_released() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let lease = text(&client.ok("snapshot.grep", json!({ "pattern": "x" }))["lease_id"]);
    let act = |client: &mut Client, id: &str, action: &str| {
        client.ok(
            "workspace.lease",
            json!({ "lease_id": id, "action": action }),
        )
    };
    assert_eq!(act(&mut client, &lease, "inspect")["valid"], true);
    repo.write("new.txt", "other\n");
    let state = act(&mut client, &lease, "inspect");
    assert_eq!(
        (&state["valid"], &state["changed_paths"]),
        (&json!(false), &json!(["new.txt"]))
    );
    let fresh = act(&mut client, &lease, "refresh");
    assert_eq!(fresh["changed_paths"], json!(["new.txt"]));
    let fresh = text(&fresh["lease_id"]);
    client.ok("snapshot.list", json!({ "lease_id": fresh }));
    act(&mut client, &fresh, "release");
    let error = client.fails("STALE_LEASE", "snapshot.list", json!({ "lease_id": fresh }));
    assert_eq!(error["details"]["reason"], "not_held");
}

#[test]
fn touched_files_are_captured() {
    let repo = Repo::r1();
    repo.write("bin", "a\0b");
    let mut client = repo.client();
    let found = client.ok("snapshot.grep", json!({ "pattern": "x" }));
    let made = client.ok("snapshot.create", json!({ "lease_id": found["lease_id"] }));
    assert_eq!(
        made["manifest_stats"]["files"], 5,
        "the binary is not a candidate"
    );
    let list = client.ok("snapshot.list", json!({ "path": "src", "limit": 1 }));
    let made = client.ok("snapshot.create", json!({ "lease_id": list["lease_id"] }));
    assert_eq!(
        made["manifest_stats"]["files"], 1,
        "only returned entries are touched"
    );
    let list = client.ok(
        "snapshot.list",
        json!({ "lease_id": list["lease_id"], "path": "src", "offset": 1 }),
    );
    let made = client.ok("snapshot.create", json!({ "lease_id": list["lease_id"] }));
    assert_eq!(made["manifest_stats"]["files"], 2);
}

#[test]
fn links_that_lead_to_what_was_listed_or_written_are_guarded() {
    let repo = Repo::r1();
    repo.write("other/a.ts", "export const a = 1;\n");
    let link = repo.root.join("link");
    let turn = |to: &str| {
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(to, &link).unwrap();
    };
    let patch = "--- a/link/a.ts\n+++ b/link/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 2;\n";
    let edit = json!({ "path": "link/a.ts", "old": "2", "new": "3" });
    for (tool, arguments) in [
        ("snapshot.list", json!({ "path": "link" })),
        ("workspace.apply_patch", json!({ "patch": patch })),
        ("workspace.edit", json!({ "edits": [edit] })),
        (
            "workspace.write_file",
            json!({ "path": "link/a.ts", "content": "4\n" }),
        ),
        ("workspace.delete", json!({ "path": "link/a.ts" })),
    ] {
        turn("src");
        let mut client = repo.client();
        let lease = client.ok(tool, arguments)["lease_id"].clone();
        turn("other");
        let call = json!({ "path": ".", "lease_id": lease, "stale_scope": "touched" });
        let error = client.call("snapshot.list", call).0;
        let details = &error["error"]["details"];
        let moved = match details["changed_paths"].is_array() {
            true => &details["changed_paths"],
            false => &details["paths"],
        };
        let is_there = moved
            .as_array()
            .is_some_and(|all| all.contains(&json!("link")));
        assert!(is_there, "{tool}: {error}");
    }
}

#[test]
fn a_list_does_not_weaken_the_guard_of_a_read() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let lease = |reply: &serde_json::Value| reply["lease_id"].clone();
    let path = repo.root.join("src/b.ts");
    let reads = [
        ("snapshot.file", json!({ "path": "src/b.ts" })),
        ("snapshot.grep", json!({ "pattern": "b", "paths": ["src"] })),
        ("snapshot.export", json!({ "paths": ["src"] })),
        ("snapshot.diff", json!({ "path": "src" })),
        (
            "workspace.write_file",
            json!({ "path": "src/b.ts", "content": "export const b = 5;\n" }),
        ),
    ];
    for (tool, arguments) in reads {
        let own = lease(&client.ok(tool, arguments));
        client.ok("snapshot.list", json!({ "path": "src", "lease_id": own }));
        sleep(Duration::from_millis(30));
        let before = repo.text("src/b.ts");
        repo.write("src/b.ts", &before);
        // A bare touch is not a change.
        let go_on = json!({ "path": "src/a.ts", "lease_id": own });
        client.ok("snapshot.file", go_on.clone());
        let time = std::fs::metadata(&path).unwrap().modified().unwrap();
        repo.write("src/b.ts", before.replace("b =", "c ="));
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        let error = client.fails("REPO_CHANGED", "snapshot.file", go_on);
        assert_eq!(error["details"]["paths"], json!(["src/b.ts"]), "{tool}");
        repo.write("src/b.ts", &before);
    }
}
