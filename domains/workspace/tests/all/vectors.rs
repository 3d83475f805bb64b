//! Bytes that must never change, and another program that computes them, too.

use std::process::Command;

use serde_json::{Value, json};

use crate::kit::{Client, PROGRAM, Repo, decoded, text};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/vectors.json")).unwrap()
}

fn id(name: &str) -> String {
    text(&vectors()["snapshots"][name])
}

const A10: &str =
    "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 10;\n";

#[test]
fn another_program_computes_the_committed_vectors() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/vectors.py");
    let output = Command::new("python3").arg(script).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let computed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(computed, vectors());
}

#[test]
fn the_fingerprint_is_that_of_three_plain_git_commands() {
    let repo = Repo::r1();
    let found = repo.client().ok("snapshot.list", json!({}))["fingerprint"].clone();
    assert_eq!(found, vectors()["fingerprints"]["F0"]);
    assert_eq!(found["head_oid"], repo.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(found["index_oid"], repo.git(&["write-tree"]).trim());
    let status = crate::kit::git(&repo.root, &["status", "--porcelain=v1", "-z"]).stdout;
    let hex: String = status.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, vectors()["status_hex"]["F0"]);
}

#[test]
fn snapshots_have_the_ids_of_the_vectors() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let made = client.ok("snapshot.create", json!({ "paths": ["."] }));
    assert_eq!(
        made["manifest_stats"],
        json!({ "files": 5, "total_bytes": 56 })
    );
    let s0 = text(&made["snapshot_id"]);
    assert_eq!(s0, id("S0"));
    assert_eq!(client.create(&["src/"]), id("src"));
    assert_eq!(client.create(&[]), id("empty"));

    let edited = client.ok(
        "workspace.apply_patch",
        json!({ "snapshot_id": s0, "patch": A10 }),
    );
    assert_eq!(edited["snapshot_id"], id("S1"));
    let write = |client: &mut Client, path: &str, content: &str| {
        client.ok(
            "workspace.write_file",
            json!({ "snapshot_id": id("S0"), "path": path, "content": content }),
        )["snapshot_id"]
            .clone()
    };
    assert_eq!(write(&mut client, "d/e.txt", "hi\n"), id("S0+d/e.txt"));
    assert_eq!(write(&mut client, "e", ""), id("S0+e"));
    let less = client.ok(
        "workspace.delete",
        json!({ "snapshot_id": s0, "path": "new.txt" }),
    );
    assert_eq!(less["snapshot_id"], id("S0-new.txt"));

    let preimage = std::fs::read_to_string(repo.state.join("snapshots").join(&s0[7..])).unwrap();
    assert_eq!(preimage.len(), 710);
    let (fingerprint, manifest) = preimage.split_once('\n').unwrap();
    assert_eq!(vectors()["canonical_fingerprint"], fingerprint);
    assert_eq!(vectors()["manifest"]["bytes"], manifest.len());
    let manifest: Value = serde_json::from_str(manifest).unwrap();
    let blobs = manifest["entries"].as_array().unwrap().iter();
    let blobs = blobs.map(|entry| (text(&entry["path"]), json!(&text(&entry["blob"])[7..])));
    assert_eq!(Value::Object(blobs.collect()), vectors()["blobs"]);

    repo.write("src/a.ts", "export const a = 10;\n");
    assert_eq!(client.create(&["."]), id("F1"));
    assert_eq!(client.create(&["src/a.ts", "src/b.ts"]), id("F1 src"));
}

#[test]
fn a_new_repository_has_an_empty_head_and_the_empty_tree() {
    let repo = Repo::new();
    let made = repo.client().ok("snapshot.create", json!({ "paths": [] }));
    assert_eq!(made["fingerprint"], vectors()["fingerprints"]["unborn"]);
    assert_eq!(made["snapshot_id"], id("unborn"));
}

#[test]
fn bundles_have_the_bytes_of_the_vectors() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    for (format, name) in [("tar", "tar S0"), ("json", "json S0")] {
        let bundle = client.ok(
            "snapshot.export",
            json!({ "snapshot_id": s0, "format": format }),
        );
        let vector = &vectors()["bundles"][name];
        assert_eq!(bundle["bytes"], vector["bytes"]);
        assert_eq!(bundle["sha256"], vector["sha256"]);
        assert_eq!(
            decoded(&bundle["bundle"]).len() as u64,
            vector["bytes"].as_u64().unwrap()
        );
    }
    let empty = client.create(&[]);
    let size_and_hash =
        |bundle: &Value| json!({ "bytes": bundle["bytes"], "sha256": bundle["sha256"] });
    let bundle = client.ok("snapshot.export", json!({ "snapshot_id": empty }));
    assert_eq!(size_and_hash(&bundle), vectors()["bundles"]["tar empty"]);
    let long = format!("d/{}/f.txt", "x".repeat(120));
    let made = client.ok(
        "workspace.write_file",
        json!({ "snapshot_id": empty, "path": long, "content": "1\n" }),
    );
    let bundle = client.ok(
        "snapshot.export",
        json!({ "snapshot_id": made["snapshot_id"] }),
    );
    assert_eq!(size_and_hash(&bundle), vectors()["bundles"]["tar long"]);
    // Another program unpacks it.
    let unpacked = Command::new("python3")
        .args(["-c", "import sys, io, tarfile; print(tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read())).getnames()[0])"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    use std::io::Write;
    unpacked
        .stdin
        .as_ref()
        .unwrap()
        .write_all(&decoded(&bundle["bundle"]))
        .unwrap();
    let out = unpacked.wait_with_output().unwrap().stdout;
    assert_eq!(String::from_utf8(out).unwrap().trim(), long);
}

#[test]
fn diffs_have_the_bytes_of_the_vectors() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let live = client.ok("snapshot.diff", json!({ "path": "." }));
    assert_eq!(live["diff"], vectors()["diffs"]["R1"]);
    let s0 = client.create(&["."]);
    let captured = client.ok("snapshot.diff", json!({ "path": ".", "snapshot_id": s0 }));
    assert_eq!(captured["diff"], vectors()["diffs"]["R1"]);
    let s1 = client.ok(
        "workspace.apply_patch",
        json!({ "snapshot_id": s0, "patch": A10 }),
    )["snapshot_id"]
        .clone();
    let diff = client.ok(
        "snapshot.diff",
        json!({ "snapshot_id": s1, "base_snapshot_id": s0, "path": "." }),
    );
    assert_eq!(diff["diff"], vectors()["diffs"]["S0 S1"]);
    assert_eq!(
        diff["stats"],
        json!({ "files": 1, "added": 1, "removed": 1, "binary": 0 })
    );
}

#[test]
fn lists_and_matches_are_those_of_the_vectors() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    for at in [
        json!({ "depth": 64 }),
        json!({ "depth": 64, "snapshot_id": s0 }),
    ] {
        let list = client.ok("snapshot.list", at);
        let paths: Vec<String> = list["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| text(&entry["path"]))
            .collect();
        assert_eq!(
            paths.join(" "),
            "café.txt new.txt src src-x.ts src/a.ts src/b.ts"
        );
    }
    for (pattern, path, col, len) in [("llo", "café.txt", 4, 3), ("const a", "src/a.ts", 8, 7)] {
        let found = client.ok(
            "snapshot.grep",
            json!({ "pattern": pattern, "snapshot_id": s0 }),
        );
        let found = &found["matches"][0];
        assert_eq!(
            (&found["path"], &found["line"], &found["col"], &found["len"]),
            (&json!(path), &json!(1), &json!(col), &json!(len))
        );
    }
}

/// The first session of the documentation, except for its lease ids.
#[test]
fn a_session_on_the_work_tree_answers_as_documented() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let (f0, f1) = (
        vectors()["fingerprints"]["F0"].clone(),
        vectors()["fingerprints"]["F1"].clone(),
    );
    let list = client.ok("snapshot.list", json!({ "path": "src" }));
    let l1 = text(&list["lease_id"]);
    assert_eq!(
        list,
        json!({
            "cache_hint": "until_dirty",
            "entries": [
                { "path": "src/a.ts", "size": 20, "type": "file" },
                { "path": "src/b.ts", "size": 20, "type": "file" },
            ],
            "fingerprint": f0, "lease_id": l1, "mode": "worktree", "path": "src", "total": 2, "truncated": false,
        })
    );
    let file = client.ok(
        "snapshot.file",
        json!({ "path": "src/b.ts", "lease_id": l1 }),
    );
    assert_eq!(
        file,
        json!({
            "blob": "sha256:1d73f2a69c6b260ef690e6989a585e84839bbe1e62ca6c24ff102777284cc44c",
            "cache_hint": "until_dirty", "content": "export const b = 3;\n", "encoding": "utf-8", "eol": "lf",
            "fingerprint": f0, "kind": "text", "lease_id": l1, "mode": "worktree", "path": "src/b.ts", "size": 20,
            "total_lines": 1, "truncated": false,
        })
    );
    let applied = client.ok(
        "workspace.apply_patch",
        json!({ "lease_id": l1, "patch": A10 }),
    );
    let l2 = text(&applied["lease_id"]);
    assert_ne!(l1, l2);
    assert_eq!(
        applied,
        json!({
            "applied": [{
                "blob": "sha256:96648318c8f6611de01b3af503a63139c67ad599aefb22c3816c06e42a17983d",
                "hunks": 1, "op": "modify", "path": "src/a.ts", "size": 21,
            }],
            "cache_hint": "until_dirty", "dry_run": false, "fingerprint": f1, "lease_id": l2, "mode": "worktree",
            "rejects": [], "status": "applied",
        })
    );
    let stale = client.fails(
        "STALE_LEASE",
        "snapshot.grep",
        json!({ "pattern": "export", "lease_id": l1 }),
    );
    assert_eq!(
        stale["details"],
        json!({
            "changed_paths": ["src/a.ts"], "fingerprint": f1, "lease_id": l1, "reason": "superseded",
        })
    );
    let made = client.ok("snapshot.create", json!({ "lease_id": l2 }));
    assert_eq!(
        made,
        json!({
            "cache_hint": "immutable", "fingerprint": f1, "manifest_stats": { "files": 2, "total_bytes": 41 },
            "skipped": {}, "snapshot_id": id("F1 src"),
        })
    );
}

#[test]
fn a_session_on_snapshots_answers_as_documented() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let before = repo.contents();
    let s0 = client.create(&["."]);
    let applied = client.ok(
        "workspace.apply_patch",
        json!({ "snapshot_id": s0, "patch": A10 }),
    );
    assert_eq!(
        applied,
        json!({
            "applied": [{
                "blob": "sha256:96648318c8f6611de01b3af503a63139c67ad599aefb22c3816c06e42a17983d",
                "hunks": 1, "op": "modify", "path": "src/a.ts", "size": 21,
            }],
            "base_snapshot_id": s0, "cache_hint": "immutable", "dry_run": false, "mode": "snapshot", "rejects": [],
            "snapshot_id": id("S1"), "status": "applied",
        })
    );
    assert_eq!(
        repo.contents(),
        before,
        "an edit of a snapshot leaves the disk as it is"
    );
    let copy = client.ok("snapshot.materialize", json!({ "snapshot_id": id("S1") }));
    let path = std::path::PathBuf::from(text(&copy["path"]));
    assert!(path.starts_with(&repo.state));
    assert_eq!(
        std::fs::read_to_string(path.join("src/a.ts")).unwrap(),
        "export const a = 10;\n"
    );
    let restored = client.ok("snapshot.restore", json!({ "snapshot_id": id("S1") }));
    assert_eq!(restored["restored"], json!(["src/a.ts"]));
    assert_eq!(repo.text("src/a.ts"), "export const a = 10;\n");
    assert!(std::path::Path::new(PROGRAM).is_file());
}
