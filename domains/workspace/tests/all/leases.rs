//! Changes that a lease notices.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::kit::{Client, Repo, skipped, text};

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
        fs::remove_file(repo.root.join(path)).unwrap();
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
        let _ = fs::remove_file(&link);
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
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        repo.write("src/b.ts", before.replace("b =", "c ="));
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        let error = client.fails("REPO_CHANGED", "snapshot.file", go_on);
        assert_eq!(error["details"]["paths"], json!(["src/b.ts"]), "{tool}");
        repo.write("src/b.ts", &before);
    }
}

/// Own edits that make a file a directory, or a directory a file, leave the lease as it is.
#[test]
fn own_changes_of_kind_are_no_changes_of_others() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let rename = |from: &str, to: &str| {
        let patch = format!(
            "diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n"
        );
        ("workspace.apply_patch", json!({ "patch": patch }))
    };
    let write = |path: &str| {
        let content = json!({ "path": path, "content": "1\n", "create_dirs": true });
        ("workspace.write_file", content)
    };
    let delete = |path: &str| {
        let path = json!({ "path": path, "recursive": true });
        ("workspace.delete", path)
    };
    let rounds = [
        vec![write("x"), delete("x"), write("x/y/z"), delete("x/y/z")],
        vec![write("w/z"), delete("w"), write("w")],
        vec![write("v"), rename("v", "v/v"), rename("v/v", "v")],
    ];
    for round in rounds {
        let mut lease = client.ok("snapshot.list", json!({}))["lease_id"].clone();
        for (tool, mut arguments) in round {
            arguments["lease_id"] = lease.clone();
            lease = client.ok(tool, arguments)["lease_id"].clone();
        }
        client.ok("snapshot.list", json!({ "lease_id": lease }));
    }
}

/// Another program undoes a write before its lease is made.
#[test]
fn a_new_lease_guards_what_was_written() {
    type Undo = fn(&Repo);
    let gone: Undo = |repo| fs::remove_file(repo.root.join("m")).unwrap();
    let link: Undo = |repo| {
        fs::remove_file(repo.root.join("m")).unwrap();
        std::os::unix::fs::symlink("new.txt", repo.root.join("m")).unwrap();
    };
    let dir: Undo = |repo| {
        fs::remove_file(repo.root.join("m")).unwrap();
        repo.write("m/x", "x\n");
    };
    let again: Undo = |repo| repo.write("m", "foreign\n");
    let made: Undo = |repo| repo.write("m/x", "x\n");
    let write = json!({ "path": "m", "content": "mine\n" });
    let patch = json!({ "patch": "--- a/m\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n" });
    let cases = [
        ("workspace.write_file", &write, gone),
        ("workspace.write_file", &write, link),
        ("workspace.write_file", &write, dir),
        ("workspace.write_file", &write, again),
        ("workspace.apply_patch", &patch, again),
        ("workspace.apply_patch", &patch, made),
    ];
    for (tool, arguments, undo) in cases {
        let repo = Repo::r1();
        repo.write("m", "one\n");
        let Some(mut client) = repo.interfered("fsync", "delay_enter=1000000:when=1") else {
            skipped("a_new_lease", "strace does not run");
            return;
        };
        let lease = std::thread::scope(|scope| {
            let call = scope.spawn(|| client.ok(tool, arguments.clone())["lease_id"].clone());
            while fs::read_to_string(repo.root.join("m")).is_ok_and(|text| text == "one\n") {
                sleep(Duration::from_millis(5));
            }
            undo(&repo);
            call.join().unwrap()
        });
        let error = client.fails(
            "REPO_CHANGED",
            "snapshot.list",
            json!({ "lease_id": lease }),
        );
        assert_eq!(error["details"]["paths"], json!(["m"]), "{tool}");
    }
}
