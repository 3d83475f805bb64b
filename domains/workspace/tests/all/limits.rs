//! Limits of work and of answers: a call over one fails as a whole and names it.

use serde_json::{Value, json};

use crate::kit::{Repo, text};

/// The setting that an error names.
fn setting(error: &Value) -> String {
    text(&error["details"]["setting"])
}

/// A repository with a committed file, and a file with other content in its place.
fn changed(before: &str, after: &str) -> Repo {
    let repo = Repo::new();
    repo.write("a.txt", before);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "init"]);
    repo.write("a.txt", after);
    repo
}

#[test]
fn hunks_that_nearly_fit_in_many_places_take_steps() {
    let repo = Repo::new();
    let block = "a\na\na\na\na\nb\n";
    repo.write("a.txt", block.repeat(2_000));
    let old = block.replace('a', " a").replace('b', " b").repeat(1_000);
    let patch = |old: &str, last: &str, count: usize| {
        format!("--- a/a.txt\n+++ b/a.txt\n@@ -1,{count} +1,{count} @@\n{old}{last}\n+c\n")
    };
    let mut client = repo.with(&["--work-limit", "1"]);
    // The last line is wrong wherever the others are right.
    let hunk = patch(&old, " a\n a\n a\n a\n a\n-a", 6_006);
    let arguments = json!({ "patch": hunk, "allow_offset": "unique", "dry_run": true });
    let error = client.fails("TOO_LARGE", "workspace.apply_patch", arguments);
    assert_eq!(setting(&error), "work-limit");
    // A line that is nowhere takes no comparison.
    let hunk = patch(&old, " a\n a\n a\n a\n a\n-d", 6_006);
    let arguments = json!({ "patch": hunk, "allow_offset": "unique", "dry_run": true });
    let reply = client.ok("workspace.apply_patch", arguments);
    assert_eq!(reply["status"], "rejected");
    assert_eq!(
        reply["rejects"][0]["hunks"][0]["found_at_lines"],
        Value::Null
    );
}

#[test]
fn many_edits_of_a_long_file_take_steps() {
    let repo = Repo::new();
    repo.write("a.txt", "a".repeat(1 << 20));
    let mut client = repo.with(&["--work-limit", "1"]);
    let edit = json!({ "path": "a.txt", "old": "ab", "new": "x" });
    let arguments = json!({ "edits": vec![edit.clone(); 1_000] });
    let error = client.fails("TOO_LARGE", "workspace.edit", arguments);
    assert_eq!(setting(&error), "work-limit");
    let reply = client.ok("workspace.edit", json!({ "edits": [edit] }));
    assert_eq!(reply["status"], "rejected");
}

#[test]
fn an_edit_that_makes_a_file_too_long_fails_before_it_is_made() {
    let repo = Repo::new();
    repo.write("a.txt", "a".repeat(1 << 20));
    let mut client = repo.client();
    let edit = json!({ "path": "a.txt", "old": "a", "new": "b".repeat(1 << 20), "count": "all" });
    let error = client.fails("TOO_LARGE", "workspace.edit", json!({ "edits": [edit] }));
    assert_eq!(setting(&error), "max-file");
}

#[test]
fn many_changes_of_a_long_file_take_steps() {
    let lines = |count: i32, odd: i32| -> String {
        let lines = (0..count).map(|at| format!("line {}\n", at * (1 - at % 2 * odd)));
        lines.collect()
    };
    let repo = changed(&lines(6_000, 0), &lines(6_000, 2));
    let mut client = repo.with(&["--work-limit", "1"]);
    let error = client.fails("TOO_LARGE", "snapshot.diff", json!({ "path": "a.txt" }));
    assert_eq!(setting(&error), "work-limit");
    // More lines than a histogram compares.
    let repo = changed(&lines(30_000, 0), &lines(30_000, 2));
    let mut client = repo.client();
    let diff = client.ok("snapshot.diff", json!({ "path": "a.txt", "context": 0 }));
    assert_eq!(diff["stats"]["added"], 15_000);
    assert_eq!(diff["stats"]["removed"], 15_000);
    let after = repo.read("a.txt");
    repo.write("a.txt", lines(30_000, 0));
    let reply = client.ok("workspace.apply_patch", json!({ "patch": diff["diff"] }));
    assert_eq!(reply["status"], "applied");
    assert_eq!(repo.read("a.txt"), after);
}

#[test]
fn a_large_pattern_takes_steps_by_its_size() {
    let repo = Repo::new();
    repo.write("a.txt", "abc\n".repeat(20_000));
    repo.write("b.txt", "abc\n");
    let mut client = repo.with(&["--work-limit", "1"]);
    let pattern = "[a-z]".repeat(20_000);
    let grep = |path: &str, pattern: &str| json!({ "pattern": pattern, "paths": [path] });
    let error = client.fails("TOO_LARGE", "snapshot.grep", grep("a.txt", &pattern));
    assert_eq!(setting(&error), "work-limit");
    let found = client.ok("snapshot.grep", grep("b.txt", &pattern));
    assert_eq!(found["files_searched"], 1);
    let found = client.ok("snapshot.grep", grep("a.txt", r"\w{1,3}\s*"));
    assert_eq!(found["truncated"], true);
}

#[test]
fn matches_and_entries_are_cut_to_what_an_answer_holds() {
    let repo = Repo::new();
    let line = format!("{}\n", "x".repeat(400));
    repo.write("a.txt", line.repeat(500));
    for at in 0..200 {
        repo.write(&format!("dir/{at:0>100}"), "");
    }
    let mut client = repo.with(&["--reply-limit", "16"]);
    let found = client.ok("snapshot.grep", json!({ "pattern": "^x" }));
    assert_eq!(found["truncated"], true);
    assert!(found["matches"].as_array().unwrap().len() > 10);
    let (mut names, mut offset) = (Vec::new(), json!(0));
    while !offset.is_null() {
        let list = client.ok("snapshot.list", json!({ "path": "dir", "offset": offset }));
        assert_eq!(list["total"], 200);
        names.extend(list["entries"].as_array().unwrap().clone());
        offset = list["next_offset"].clone();
    }
    assert_eq!(names.len(), 200);
}

#[test]
fn a_change_whose_answer_is_too_long_is_not_made() {
    let repo = Repo::new();
    for at in 0..200 {
        repo.write(&format!("dir/{at:0>100}"), "old\n");
    }
    let mut client = repo.with(&["--reply-limit", "16"]);
    let before = repo.contents();
    let delete = json!({ "path": "dir", "recursive": true });
    let error = client.fails("TOO_LARGE", "workspace.delete", delete);
    assert_eq!(setting(&error), "reply-limit");
    let hunks: String = (1..500)
        .map(|at| format!("@@ -{at} +{at} @@\n-old{at}\n+new\n"))
        .collect();
    let patch = format!("--- a/dir/{0}\n+++ b/dir/{0}\n{hunks}", "0".repeat(100));
    let error = client.fails(
        "TOO_LARGE",
        "workspace.apply_patch",
        json!({ "patch": patch }),
    );
    assert_eq!(setting(&error), "reply-limit");
    assert_eq!(repo.contents(), before);
}

/// The peak memory of the server of a repository, in MiB.
#[cfg(target_os = "linux")]
fn peak(repo: &Repo) -> u64 {
    let state = repo.state.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let server = processes.map(|entry| entry.path()).find(|place| {
        let line = std::fs::read(place.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        line.starts_with(crate::kit::PROGRAM) && line.contains(state)
    });
    let status = std::fs::read_to_string(server.unwrap().join("status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let figure = line.unwrap().split_whitespace().nth(1).unwrap();
    figure.parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn contents_of_many_files_are_not_in_memory_at_once() {
    const FILES: usize = 30;
    let repo = Repo::new();
    let write = |last: u8| {
        for at in 0..FILES {
            let mut content = vec![0; 6 << 20];
            content.extend([u8::try_from(at).unwrap(), last]);
            repo.write(&format!("{at}.bin"), content);
        }
    };
    write(1);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "init"]);
    write(2);
    let mut client = repo.client();
    let id = client.create(&["."]);
    let before = peak(&repo);
    let diff = client.ok("snapshot.diff", json!({ "path": "." }));
    assert_eq!(diff["stats"]["binary"], FILES);
    let diff = client.ok("snapshot.diff", json!({ "path": ".", "snapshot_id": id }));
    assert_eq!(diff["stats"]["binary"], FILES);
    let changes = client.ok("snapshot.changes", json!({ "snapshot_id": id }));
    assert_eq!(changes["stats"]["modified"], FILES);
    write(3);
    let restored = client.ok("snapshot.restore", json!({ "snapshot_id": id }));
    assert_eq!(restored["restored"].as_array().unwrap().len(), FILES);
    assert!(repo.read("7.bin").ends_with(&[7, 2]));
    let after = peak(&repo);
    assert!(after - before < 90, "{before} MiB, then {after}");
}

#[test]
fn flags_move_the_sizes_of_files_that_are_read_in_parts_or_searched() {
    let repo = Repo::new();
    repo.write("a.txt", "line\n".repeat(400));
    let part = json!({ "path": "a.txt", "end_line": 1 });
    let search = json!({ "pattern": "line", "paths": ["a.txt"] });
    let mut client = repo.with(&["--max-ranged", "1999", "--max-searched", "1999"]);
    let error = client.fails("TOO_LARGE", "snapshot.file", part.clone());
    assert_eq!(setting(&error), "max-ranged");
    let reply = client.ok("snapshot.grep", search.clone());
    assert_eq!(reply["skipped"]["too_large"], 1);
    assert_eq!(reply["matches"], json!([]));
    let mut client = repo.with(&["--max-ranged", "2000", "--max-searched", "2000"]);
    assert_eq!(client.ok("snapshot.file", part)["content"], "line\n");
    let reply = client.ok("snapshot.grep", search);
    assert_eq!(reply["files_searched"], 1);
}
