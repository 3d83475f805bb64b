//! Influences that must not change a fingerprint, and state that taking one must not change.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use fcp::testing::Server;
use serde_json::{Value, json};

use crate::kit::{Client, PROGRAM, Repo, everything, is_root, skipped, text};

fn fingerprint(repo: &Repo) -> Value {
    repo.client().ok("snapshot.list", json!({}))["fingerprint"].clone()
}

/// Names, contents and times of all files in a directory.
fn seen(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut all = Vec::new();
    everything(dir, &mut all);
    all.sort();
    let time = |path: &Path| fs::symlink_metadata(path).unwrap().modified().unwrap();
    all.into_iter()
        .map(|(path, bytes)| (path.clone(), bytes, time(&path)))
        .collect()
}

#[test]
fn a_users_configuration_and_variables_of_git_change_nothing() {
    let repo = Repo::r1();
    let plain = fingerprint(&repo);
    let home = repo.dir.path().join("hostile");
    fs::create_dir(&home).unwrap();
    fs::write(home.join("ignore"), "*.txt\n").unwrap();
    let config = format!(
        "[status]\nshowUntrackedFiles = no\nrenames = false\n[core]\nexcludesFile = {}/ignore\nautocrlf = true\n",
        home.display()
    );
    fs::write(home.join(".gitconfig"), config).unwrap();
    // The server inherits the shell's variables.
    let line = format!(
        "HOME={home} XDG_CONFIG_HOME={home} GIT_DIR=/nowhere GIT_WORK_TREE=/ LC_ALL=de_DE.UTF-8 exec {PROGRAM} --root {root} --state {state}",
        home = home.display(),
        root = repo.root.display(),
        state = repo.state.display(),
    );
    let mut client = Client::of(Server::with(
        "sh",
        repo.dir.path(),
        &["-c", &format!("umask 077; {line}")],
    ));
    assert_eq!(client.ok("snapshot.list", json!({}))["fingerprint"], plain);
    assert_eq!(client.create(&["."]), repo.client().create(&["."]));
}

#[test]
fn a_copy_elsewhere_with_other_times_gives_the_same_bytes() {
    let (one, other) = (Repo::r1(), Repo::bare());
    fs::remove_dir(&other.root).unwrap();
    // Files are created in another order, and at another time.
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(&one.root)
        .arg(&other.root)
        .status()
        .unwrap();
    assert!(copied.success());
    let touched = std::process::Command::new("find")
        .arg(&other.root)
        .args(["-exec", "touch", "-d", "2001-02-03", "{}", "+"])
        .status()
        .unwrap();
    assert!(touched.success());
    let (mut a, mut b) = (one.client(), other.client());
    let id = a.create(&["."]);
    assert_eq!(b.create(&["."]), id);
    for (tool, arguments) in [
        ("snapshot.list", json!({ "depth": 9, "snapshot_id": id })),
        (
            "snapshot.grep",
            json!({ "pattern": "e", "snapshot_id": id }),
        ),
        ("snapshot.diff", json!({ "path": ".", "snapshot_id": id })),
        ("snapshot.changes", json!({ "snapshot_id": id })),
        ("snapshot.export", json!({ "snapshot_id": id })),
        ("snapshot.info", json!({ "snapshot_id": id })),
    ] {
        assert_eq!(
            a.ok(tool, arguments.clone()),
            b.ok(tool, arguments),
            "{tool}"
        );
    }
}

#[test]
fn a_held_index_lock_does_no_harm() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let before = client.ok("snapshot.list", json!({}));
    repo.write(".git/index.lock", "");
    let after = client.ok("snapshot.list", json!({ "lease_id": before["lease_id"] }));
    assert_eq!(after["fingerprint"], before["fingerprint"]);
}

#[test]
fn an_unresolved_merge_has_no_tree_and_a_corrupt_index_is_an_error() {
    let repo = Repo::r1();
    repo.git(&["stash", "-q", "-u"]);
    repo.git(&["checkout", "-q", "-b", "other"]);
    repo.write("src/a.ts", "export const a = 7;\n");
    repo.git(&["commit", "-q", "-a", "-m", "seven"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("src/a.ts", "export const a = 8;\n");
    repo.git(&["commit", "-q", "-a", "-m", "eight"]);
    let merged = std::process::Command::new("git")
        .arg("-C")
        .arg(&repo.root)
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b",
            "merge",
            "-q",
            "other",
        ])
        .output()
        .unwrap();
    assert!(!merged.status.success());
    let mut client = repo.client();
    assert_eq!(
        client.ok("snapshot.list", json!({}))["fingerprint"]["index_oid"],
        ""
    );
    repo.write(".git/index", "nonsense");
    client.fails("INTERNAL", "snapshot.list", json!({}));
}

#[test]
fn reading_writes_nothing_below_git() {
    let repo = Repo::r1();
    let before = seen(&repo.root.join(".git"));
    let mut client = repo.client();
    for (tool, arguments) in [
        ("snapshot.list", json!({})),
        ("snapshot.file", json!({ "path": "src/a.ts" })),
        ("snapshot.grep", json!({ "pattern": "a" })),
        ("snapshot.diff", json!({ "path": "." })),
        ("snapshot.export", json!({})),
        ("snapshot.create", json!({ "paths": ["."] })),
        (
            "workspace.write_file",
            json!({ "path": "x", "content": "", "dry_run": true }),
        ),
    ] {
        client.ok(tool, arguments);
    }
    assert_eq!(seen(&repo.root.join(".git")), before);
}

#[test]
fn work_trees_of_every_form_are_served_and_others_refused() {
    let repo = Repo::r1();
    let linked = repo.dir.path().canonicalize().unwrap().join("linked");
    repo.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let serve = |root: &Path| {
        Client::start(
            repo.dir.path(),
            &[
                "--root",
                root.to_str().unwrap(),
                "--state",
                repo.state.to_str().unwrap(),
            ],
        )
    };
    let mut client = serve(&linked);
    assert_eq!(client.ok("snapshot.list", json!({}))["total"], 3);
    client.fails(
        "PERMISSION_DENIED",
        "snapshot.file",
        json!({ "path": ".git" }),
    );
    for root in [repo.root.join("src"), repo.dir.path().join("empty")] {
        let error = serve(&root).fails("INVALID_ARGUMENT", "snapshot.list", json!({}));
        let inside = root.starts_with(&repo.root);
        let toplevel = format!("{}", repo.root.display());
        assert_eq!(
            text(&error["message"]).contains(&toplevel),
            inside,
            "{error}"
        );
    }
    let bare = repo.dir.path().join("bare");
    fs::create_dir(&bare).unwrap();
    crate::kit::git(&bare, &["init", "-q", "--bare"]);
    serve(&bare).fails("INVALID_ARGUMENT", "snapshot.list", json!({}));

    let sha256 = Repo::bare();
    sha256.git(&["init", "-q", "--object-format=sha256"]);
    sha256.write("a", "a\n");
    sha256.git(&["add", "."]);
    sha256.git(&["commit", "-q", "-m", "a"]);
    let found = fingerprint(&sha256);
    assert_eq!(found["head_oid"].as_str().unwrap().len(), 64);
    assert_eq!(found["index_oid"].as_str().unwrap().len(), 64);

    let before = fingerprint(&repo);
    repo.git(&["update-index", "--split-index"]);
    assert_eq!(fingerprint(&repo), before);
    if !is_root() {
        skipped(
            "work_trees_of_every_form_are_served_and_others_refused",
            "only root can give the repository to another owner; the other forms are tested",
        );
    } else {
        let owned = std::process::Command::new("chown")
            .args(["-R", "65534"])
            .arg(&repo.root)
            .status()
            .unwrap();
        assert!(owned.success());
        assert_eq!(fingerprint(&repo), before);
    }
}

/// A program that records its name when it runs.
fn trap(dir: &Path, name: &str) -> String {
    let path = dir.join(name);
    let script = format!("#!/bin/sh\necho {name} >> {}/ran\ncat\n", dir.display());
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn nothing_that_a_repository_configures_is_run() {
    let repo = Repo::r1();
    let inner = Repo::r1();
    repo.git(&[
        "submodule",
        "--quiet",
        "add",
        inner.root.to_str().unwrap(),
        "sub",
    ]);
    repo.git(&["commit", "-q", "-m", "sub"]);
    let traps = repo.dir.path().join("traps");
    fs::create_dir(&traps).unwrap();
    for (which, tree) in [("root", repo.root.clone()), ("sub", repo.root.join("sub"))] {
        let set = |key: &str, value: &str| drop(crate::kit::git(&tree, &["config", key, value]));
        fs::write(
            tree.join(".gitattributes"),
            "*.ts filter=evil diff=evil\nsrc-x.ts -filter diff=words\n*.txt filter=a=b\n",
        )
        .unwrap();
        fs::write(tree.join("src/a.ts"), "other\n").unwrap();
        fs::write(tree.join("src-x.ts"), "other\n").unwrap();
        fs::write(tree.join("café.txt"), "other\n").unwrap();
        let hooks = traps.join(format!("{which}-hooks"));
        fs::create_dir(&hooks).unwrap();
        for hook in [
            "post-index-change",
            "pre-commit",
            "post-checkout",
            "reference-transaction",
            "fsmonitor-watchman",
        ] {
            let program = trap(&traps, &format!("{which}-hook-{hook}"));
            symlink(program, hooks.join(hook)).unwrap();
        }
        set("core.hooksPath", hooks.to_str().unwrap());
        for (key, name) in [
            ("filter.evil.clean", "clean"),
            ("filter.evil.smudge", "smudge"),
            ("filter.a=b.process", "process"),
            ("core.fsmonitor", "fsmonitor"),
            ("diff.evil.command", "command"),
            ("diff.words.textconv", "textconv"),
        ] {
            set(key, &trap(&traps, &format!("{which}-{name}")));
        }
        set("filter.a=b.required", "true");
    }
    let ran = || fs::read_to_string(traps.join("ran")).unwrap_or_default();
    fs::write(traps.join("ran"), "").unwrap();
    let mut client = repo.client();
    client.ok("snapshot.list", json!({}));
    client.ok("snapshot.diff", json!({ "path": "." }));
    client.ok("snapshot.grep", json!({ "pattern": "a" }));
    let id = client.create(&["."]);
    client.ok("snapshot.changes", json!({ "snapshot_id": id }));
    client.ok(
        "workspace.write_file",
        json!({ "path": "src/b.ts", "content": "x" }),
    );
    client.ok("snapshot.restore", json!({ "snapshot_id": id }));
    assert_eq!(ran(), "");

    // The traps work: plain git, without isolation, runs each kind.
    for tree in [repo.root.join("sub"), repo.root.clone()] {
        for arguments in [
            &["status"][..],
            &["diff", "--", "src/a.ts"],
            &["diff", "--", "src-x.ts"],
            &["add", "src"],
            &["add", "café.txt"],
        ] {
            std::process::Command::new("git")
                .arg("-C")
                .arg(&tree)
                .args(arguments)
                .output()
                .unwrap();
        }
    }
    let ran = ran();
    for tree in ["root", "sub"] {
        for kind in [
            "clean",
            "process",
            "fsmonitor",
            "command",
            "textconv",
            "hook-post-index-change",
        ] {
            let name = format!("{tree}-{kind}");
            assert!(
                ran.lines().any(|line| line == name),
                "{name} is not a trap: {ran}"
            );
        }
    }
}

#[test]
fn an_index_that_was_cut_off_is_an_error_at_any_length() {
    let repo = Repo::r1();
    let index = repo.root.join(".git/index");
    let mut client = repo.client();
    for version in ["2", "3", "4"] {
        repo.git(&["update-index", "--index-version", version]);
        let whole = fs::read(&index).unwrap();
        for end in [
            0,
            11,
            40,
            whole.len() / 2,
            whole.len() - 30,
            whole.len() - 1,
        ] {
            fs::write(&index, &whole[..end]).unwrap();
            let error = client.fails("INTERNAL", "snapshot.list", json!({}));
            let message = text(&error["message"]);
            assert!(message.contains("is damaged: it was cut off"), "{message}");
        }
        fs::write(&index, &whole).unwrap();
        client.ok("snapshot.list", json!({}));
    }
}
