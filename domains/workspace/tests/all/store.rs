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

fn files_in(repo: &Repo, dir: &str) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(repo.state.join(dir)).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn pack_of(repo: &Repo) -> std::path::PathBuf {
    let is_pack = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "pack");
    files_in(repo, "packs").into_iter().find(is_pack).unwrap()
}

/// Damage of a store that a running server knows, or the next one finds.
#[test]
fn a_capture_stores_again_what_is_damaged() {
    type Damage = fn(&Repo);
    let flip: Damage = |repo| {
        let mut bytes = fs::read(pack_of(repo)).unwrap();
        let at = bytes.len() - 3;
        bytes[at] ^= 1;
        fs::write(pack_of(repo), bytes).unwrap();
    };
    let cut: Damage = |repo| {
        let bytes = fs::read(pack_of(repo)).unwrap();
        fs::write(pack_of(repo), &bytes[..bytes.len() / 2]).unwrap();
    };
    let gone: Damage = |repo| fs::remove_file(pack_of(repo)).unwrap();
    let manifest: Damage = |repo| {
        let path = files_in(repo, "snapshots").remove(0);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("new.txt", "nex.txt")).unwrap();
    };
    for (damage, runs_on) in [flip, cut, gone, manifest]
        .into_iter()
        .flat_map(|damage| [(damage, false), (damage, true)])
    {
        let repo = Repo::r1();
        let mut client = repo.client();
        let s0 = client.create(&["."]);
        assert_eq!(client.create(&["."]), s0);
        damage(&repo);
        if !runs_on {
            client = repo.client();
        }
        assert_eq!(client.create(&["."]), s0);
        for mut client in [client, repo.client()] {
            client.ok("snapshot.info", json!({ "snapshot_id": s0 }));
            let bundle = json!({ "snapshot_id": s0 });
            let bundle = client.ok("snapshot.export", bundle);
            assert_eq!(
                bundle["sha256"],
                "sha256:1616cb84e9e9e4a114b8604f689652e93fa946570b4f4d51f834807ff51c45c7"
            );
        }
    }
}

#[test]
fn leftovers_of_a_killed_server_are_not_listed_and_are_collected() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let part = client.create(&["src"]);
    fs::remove_file(repo.state.join("snapshots").join(&part[7..])).unwrap();
    let alone = "0".repeat(64);
    let left = [
        format!("snapshots/{alone}"),
        "snapshots/.0123".to_owned(),
        "meta/.0123".to_owned(),
        "packs/.0123.new".to_owned(),
        "packs/.0123".to_owned(),
        "packs/0123.idx".to_owned(),
    ];
    for path in &left {
        fs::write(repo.state.join(path), "left").unwrap();
    }
    let listed = client.ok("snapshot.catalog", json!({}));
    assert_eq!(listed["total"], 1, "{listed}");
    assert_eq!(listed["snapshots"][0]["snapshot_id"], s0);
    client.ok("snapshot.gc", json!({ "dry_run": true }));
    assert!(left.iter().all(|path| repo.state.join(path).exists()));
    let gone = client.ok("snapshot.gc", json!({}));
    assert_eq!((&gone["removed"], &gone["kept"]), (&json!([]), &json!(1)));
    for path in left.iter().chain([&format!("meta/{}", &part[7..])]) {
        assert!(!repo.state.join(path).exists(), "{path}");
    }
    client.ok("snapshot.export", json!({ "snapshot_id": s0 }));
}

#[test]
fn a_snapshot_is_there_before_its_metadata() {
    let repo = Repo::r1();
    let options = ["-e", "trace=rename,renameat,renameat2"];
    let Some(log) = repo.traced(&options, |client| drop(client.create(&["."]))) else {
        skipped("a_snapshot_is_there", "strace does not run");
        return;
    };
    let at = |dir: &str| log.find(&format!("state/{dir}/")).unwrap();
    assert!(
        at("packs") < at("snapshots") && at("snapshots") < at("meta"),
        "{log}"
    );
}
