//! The state directory: several servers, damage, and the cache of unchanged files.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::kit::{Client, PROGRAM, Repo, skipped, text};

/// Creates, labels, reads and removes snapshots in turns.
fn create_and_collect(client: &mut Client, s0: &str, name: &str) {
    for round in 0..30 {
        let content = format!("{name} {round}\n");
        let arguments = json!({ "snapshot_id": s0, "path": "src/a.ts", "content": content });
        let made = text(&client.ok("workspace.write_file", arguments)["snapshot_id"]);
        let label = json!({ "snapshot_id": made, "set_label": content });
        // The other client's removal may come before the label, but it never takes a labeled
        // snapshot.
        if !client.call("snapshot.catalog", label).1 {
            let mut read = |path: &str| {
                let arguments = json!({ "snapshot_id": made, "path": path });
                client.ok("snapshot.file", arguments)
            };
            assert_eq!(read("src/a.ts")["content"], content);
            assert_eq!(read("src/b.ts")["size"], 20);
        }
        if round % 5 == 0 {
            // The work tree has the content of the pinned snapshot.
            assert_eq!(client.create(&["."]), s0);
        }
        client.ok("snapshot.gc", json!({ "keep_days": 0, "keep_bytes": 0 }));
    }
}

#[test]
fn two_servers_create_and_collect_at_once_and_lose_nothing() {
    let repo = Repo::r1();
    let mut first = repo.client();
    let s0 = first.create(&["."]);
    first.ok(
        "snapshot.catalog",
        json!({ "snapshot_id": s0, "pin": true }),
    );
    thread::scope(|scope| {
        scope.spawn(|| create_and_collect(&mut repo.client(), &s0, "other"));
        create_and_collect(&mut first, &s0, "first");
    });
    let catalog = first.ok("snapshot.catalog", json!({}));
    let kept = catalog["snapshots"].as_array().unwrap();
    for name in ["first", "other"] {
        let labelled = |snapshot: &&Value| text(&snapshot["label"]).starts_with(name);
        let own = kept.iter().filter(|snapshot| snapshot["label"].is_string());
        assert!(own.filter(labelled).count() > 0, "{catalog}");
    }
    for snapshot in kept {
        first.ok(
            "snapshot.export",
            json!({ "snapshot_id": snapshot["snapshot_id"] }),
        );
    }
}

#[test]
fn a_flipped_byte_is_an_error_and_a_lost_index_is_made_again() {
    let repo = Repo::r1();
    let s0 = repo.client().create(&["."]);
    let packs = || {
        fs::read_dir(repo.state.join("packs"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    for index in packs().filter(|path| path.extension().is_some_and(|ending| ending == "idx")) {
        fs::write(index, "damaged").unwrap();
    }
    let mut client = repo.client();
    client.ok("snapshot.export", json!({ "snapshot_id": s0 }));
    let pack = packs()
        .find(|path| path.extension().is_some_and(|ending| ending == "pack"))
        .unwrap();
    let mut bytes = fs::read(&pack).unwrap();
    let at = bytes
        .windows(8)
        .position(|window| window == b"const a ")
        .unwrap();
    bytes[at] ^= 1;
    fs::write(&pack, bytes).unwrap();
    let error = client.fails(
        "INTERNAL",
        "snapshot.file",
        json!({ "snapshot_id": s0, "path": "src/a.ts" }),
    );
    assert_eq!(
        error["details"]["blob"],
        "sha256:037ecd1db38c230c248787e60fd7bfc0cb0101b187b59535b6e7483be762d350"
    );
    client.fails("INTERNAL", "snapshot.export", json!({ "snapshot_id": s0 }));
    client.ok(
        "snapshot.file",
        json!({ "snapshot_id": s0, "path": "src/b.ts" }),
    );

    let path = repo.state.join("snapshots").join(&s0[7..]);
    fs::write(
        &path,
        fs::read_to_string(&path)
            .unwrap()
            .replace("src/a.ts", "src/c.ts"),
    )
    .unwrap();
    let mut client = repo.client();
    client.fails("INTERNAL", "snapshot.info", json!({ "snapshot_id": s0 }));
}

#[test]
fn the_state_directory_is_private_and_outside() {
    let repo = Repo::r1();
    drop(repo.client());
    assert_eq!(
        fs::metadata(&repo.state).unwrap().permissions().mode() & 0o777,
        0o700
    );
    for (root, state) in [
        (repo.root.clone(), repo.root.join("state")),
        (repo.root.clone(), repo.root.join("src/../state")),
        (repo.root.join("nowhere"), repo.state.clone()),
    ] {
        let output = Command::new(PROGRAM)
            .arg("--root")
            .arg(&root)
            .arg("--state")
            .arg(&state)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let log = String::from_utf8(output.stderr).unwrap();
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(!repo.root.join("state").exists());
    }
}

/// The work-tree files that the program itself reads while it answers; git's own reads for the
/// status are left out. `None` if system calls cannot be traced here.
fn reads(repo: &Repo, run: impl FnOnce(&mut Client)) -> Option<Vec<String>> {
    let log = repo.traced(&["-y", "-e", "trace=execve,read,pread64,readv,mmap"], run)?;
    let process = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let git: HashSet<String> = log
        .lines()
        .filter(|line| line.contains("/git\""))
        .map(process)
        .collect();
    // A traced read shows the path of its file next to the descriptor.
    let below = format!("<{}/", repo.root.display());
    let reads = log.lines().filter(|line| {
        line.contains(&below) && !line.contains("/.git/") && !git.contains(&process(line))
    });
    Some(reads.map(str::to_owned).collect())
}

/// Checked by the system calls of the second capture.
#[test]
fn a_capture_of_what_did_not_move_reads_no_content() {
    let repo = Repo::r1();
    thread::sleep(Duration::from_millis(60));
    let mut ids = Vec::new();
    let mut create = || reads(&repo, |client| ids.push(client.create(&["."])));
    let (Some(first), Some(second)) = (create(), create()) else {
        return skipped(
            "a_capture_of_what_did_not_move_reads_no_content",
            "strace does not work here",
        );
    };
    assert!(
        ["src/a.ts", "src/b.ts", "src-x.ts", "caf", "new.txt"]
            .iter()
            .all(|file| first.iter().any(|read| read.contains(file))),
        "the first capture reads every file: {}",
        first.join("\n")
    );
    assert!(second.is_empty(), "{}", second.join("\n"));
    assert_eq!(ids[0], ids[1]);
}
