//! Paths, lists, files, searches.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::kit::{Repo, text};

fn paths(list: &Value) -> Vec<String> {
    list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| text(&entry["path"]))
        .collect()
}

#[test]
fn spellings_of_one_path_answer_alike() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let plain = |mut reply: Value| {
        reply["lease_id"] = Value::Null;
        reply
    };
    let first = plain(client.ok("snapshot.list", json!({ "path": "src" })));
    for path in ["src/", "./src//", "src/."] {
        assert_eq!(
            plain(client.ok("snapshot.list", json!({ "path": path }))),
            first
        );
    }
    assert_eq!(
        client.create(&["src", "src/a.ts", "./src/"]),
        client.create(&["src"])
    );
    let found = client.ok(
        "snapshot.grep",
        json!({ "pattern": "export", "paths": ["src", "src/a.ts", "src/"] }),
    );
    assert_eq!(found["matches"].as_array().unwrap().len(), 2);
}

#[test]
fn lists_go_down_so_many_levels_and_by_pages() {
    let repo = Repo::r1();
    repo.write("src/deep/er/c.ts", "c\n");
    repo.write("gone/x", "x\n");
    repo.git(&["add", "gone"]);
    std::fs::remove_dir_all(repo.root.join("gone")).unwrap();
    std::os::unix::fs::symlink("src", repo.root.join("link")).unwrap();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    for snapshot in [Value::Null, json!(s0)] {
        let mut list = |path: &str, depth: u32| {
            let mut arguments = json!({ "path": path, "depth": depth });
            if !snapshot.is_null() {
                arguments["snapshot_id"] = snapshot.clone();
            }
            let mut found = paths(&client.ok("snapshot.list", arguments));
            found.retain(|path| path != "link");
            found.join(" ")
        };
        assert_eq!(list(".", 0), ".");
        assert_eq!(list("src", 0), "src");
        assert_eq!(list("src/a.ts", 3), "src/a.ts");
        assert_eq!(list(".", 1), "café.txt new.txt src src-x.ts");
        assert_eq!(list("src", 1), "src/a.ts src/b.ts src/deep");
        assert_eq!(
            list(".", 2),
            "café.txt new.txt src src-x.ts src/a.ts src/b.ts src/deep"
        );
        assert_eq!(list("src", 2), "src/a.ts src/b.ts src/deep src/deep/er");
        assert_eq!(
            list("src", 64),
            "src/a.ts src/b.ts src/deep src/deep/er src/deep/er/c.ts"
        );
    }
    let page = client.ok(
        "snapshot.list",
        json!({ "limit": 2, "offset": 1, "snapshot_id": s0 }),
    );
    assert_eq!(paths(&page), ["new.txt", "src"]);
    assert_eq!(
        (&page["total"], &page["truncated"], &page["next_offset"]),
        (&json!(4), &json!(true), &json!(3))
    );
    let none = client.ok(
        "snapshot.list",
        json!({ "path": "nowhere/at/all", "snapshot_id": s0 }),
    );
    assert_eq!(
        (&none["entries"], &none["truncated"]),
        (&json!([]), &json!(false))
    );
    client.fails("NOT_FOUND", "snapshot.list", json!({ "path": "nowhere" }));
    let live = client.ok("snapshot.list", json!({}));
    let link = live["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["path"] == "link")
        .unwrap();
    assert_eq!(link["type"], "symlink");
}

#[test]
fn odd_names_and_odd_bytes_are_counted_or_encoded() {
    let repo = Repo::r1();
    std::fs::write(repo.root.join(OsStr::from_bytes(b"bad\xff.txt")), "x\n").unwrap();
    repo.write("~tilde", "x\n");
    repo.write("latin.txt", b"caf\xe9 au lait\n");
    repo.write("marked.txt", "base64:abc\n");
    repo.write("empty.txt", "");
    let mut client = repo.client();
    let made = client.ok("snapshot.create", json!({ "paths": ["."] }));
    assert_eq!(
        made["skipped"],
        json!({ "non_utf8": 1, "unaddressable": 1 })
    );
    let found = client.ok("snapshot.grep", json!({ "pattern": "au" }));
    assert_eq!(found["matches"][0]["text"], "base64:Y2Fm6SBhdSBsYWl0");
    assert_eq!(found["matches"][0]["col"], 6);
    let latin = client.ok("snapshot.file", json!({ "path": "latin.txt" }));
    assert_eq!(
        (&latin["encoding"], &latin["kind"]),
        (&json!("base64"), &json!("text"))
    );
    let marked = client.ok("snapshot.file", json!({ "path": "marked.txt" }));
    assert_eq!(marked["content"], "base64:YmFzZTY0OmFiYwo=");
    client.ok(
        "workspace.write_file",
        json!({ "path": "again.txt", "content": marked["content"] }),
    );
    assert_eq!(repo.text("again.txt"), "base64:abc\n");
    assert_eq!(
        client.ok("snapshot.file", json!({ "path": "empty.txt" }))["content"],
        ""
    );
}

#[test]
fn names_that_look_alike_are_different_files() {
    let repo = Repo::new();
    let names = ["\u{e9}.txt", "e\u{301}.txt", "\u{c9}.txt", "E.txt", "e.txt"];
    for name in names {
        repo.write(name, name);
    }
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    for name in names {
        for at in [
            json!({ "path": name }),
            json!({ "path": name, "snapshot_id": s0 }),
        ] {
            assert_eq!(client.ok("snapshot.file", at)["content"], name);
        }
        let blob = client.ok("snapshot.file", json!({ "path": name }))["blob"].clone();
        client.ok(
            "workspace.write_file",
            json!({ "path": name, "content": "other", "expected_blob": blob }),
        );
    }
    let mut sorted = names.map(str::to_owned).to_vec();
    sorted.sort();
    let listed = client.ok("snapshot.list", json!({ "snapshot_id": s0 }));
    assert_eq!(paths(&listed), sorted);
}

#[test]
fn only_text_files_count_for_max_files() {
    let repo = Repo::new();
    for (path, content) in [("a", "x\n"), ("b", "x\0\n"), ("c", "x\n"), ("d", "x\n")] {
        repo.write(path, content);
    }
    let mut client = repo.client();
    let found = client.ok("snapshot.grep", json!({ "pattern": "x", "max_files": 2 }));
    assert_eq!(
        (&found["files_searched"], &found["truncated"]),
        (&json!(2), &json!(true))
    );
    let made = client.ok("snapshot.create", json!({ "lease_id": found["lease_id"] }));
    let list = client.ok(
        "snapshot.list",
        json!({ "snapshot_id": made["snapshot_id"] }),
    );
    assert_eq!(paths(&list), ["a", "c"]);
    let all = client.ok("snapshot.grep", json!({ "pattern": "x", "max_files": 3 }));
    assert_eq!(
        (&all["files_searched"], &all["truncated"]),
        (&json!(3), &json!(false))
    );
    let few = client.ok("snapshot.grep", json!({ "pattern": "x", "max_matches": 2 }));
    assert_eq!(
        (few["matches"].as_array().unwrap().len(), &few["truncated"]),
        (2, &json!(true))
    );
    let most = client.ok("snapshot.grep", json!({ "pattern": "x", "max_matches": 3 }));
    assert_eq!(
        (
            most["matches"].as_array().unwrap().len(),
            &most["truncated"]
        ),
        (3, &json!(false))
    );
}

#[test]
fn patterns_see_lines_without_their_ends() {
    let repo = Repo::new();
    repo.write("t", "one\r\ntwo\n\nthree one");
    let mut client = repo.client();
    let mut grep = |arguments: Value| {
        let found = client.ok("snapshot.grep", arguments);
        let each = found["matches"].as_array().unwrap().iter();
        each.map(|m| {
            format!(
                "{}:{}:{}:{}",
                m["line"],
                m["col"],
                m["len"],
                text(&m["text"])
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
    };
    assert_eq!(
        grep(json!({ "pattern": "e$" })),
        "1:3:1:one 4:9:1:three one"
    );
    assert_eq!(
        grep(json!({ "pattern": "ONE", "case_sensitive": false })),
        "1:1:3:one 4:7:3:three one"
    );
    assert_eq!(
        grep(json!({ "query": "o" })),
        "1:1:1:one 2:3:1:two 4:7:1:three one"
    );
    assert_eq!(
        grep(json!({ "pattern": "x*" })),
        "1:1:0:one 2:1:0:two 3:1:0: 4:1:0:three one"
    );
    assert_eq!(grep(json!({ "pattern": "o.", "regex": false })), "");
    for pattern in ["(", "a\nb", "(?:a{1000}){1000}"] {
        client.fails(
            "INVALID_ARGUMENT",
            "snapshot.grep",
            json!({ "pattern": pattern }),
        );
    }
    client.fails("INVALID_ARGUMENT", "snapshot.grep", json!({}));
}

#[test]
fn numbers_that_no_list_has_are_refused_and_an_empty_snapshot_is_read() {
    let repo = Repo::r1();
    let mut client = repo.client();
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.list",
        json!({ "limit": u64::MAX, "offset": 1 }),
    );
    client.fails("INVALID_ARGUMENT", "snapshot.list", json!({ "limit": 0 }));
    client.fails("INVALID_ARGUMENT", "snapshot.list", json!({ "depht": 1 }));
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.list",
        json!({ "mode": "snapshot" }),
    );
    let read = client.ok(
        "snapshot.file",
        json!({ "path": "src/a.ts", "start_line": 1.0 }),
    );
    assert_eq!(read["content"], "export const a = 1;\n");
    let edit = |count: f64| json!([{ "path": "src/a.ts", "old": "a", "new": "b", "count": count }]);
    let reply = client.ok(
        "workspace.edit",
        json!({ "edits": edit(1.0), "dry_run": true }),
    );
    assert_eq!(reply["status"], "applied");
    client.ok("snapshot.list", json!({ "limit": 1.0, "depth": 0.0 }));
    for (tool, mut arguments, pointer) in [
        (
            "snapshot.file",
            json!({ "path": "src/a.ts", "start_line": 2e64 }),
            "/start_line",
        ),
        (
            "workspace.edit",
            json!({ "edits": edit(2e64) }),
            "/edits/0/count",
        ),
        ("snapshot.list", json!({ "limit": 2e64 }), "/limit"),
        ("snapshot.list", json!({ "limit": 1.5 }), "/limit"),
    ] {
        let error = client.fails("INVALID_ARGUMENT", tool, arguments.clone());
        let details = &error["details"];
        assert_eq!(details["path"], pointer, "{error}");
        let message = text(&error["message"]);
        assert!(
            message.contains(&pointer[1..]) && !message.contains("invalid type"),
            "{message}"
        );
        if details.get("try").is_some() {
            *arguments.pointer_mut(pointer).unwrap() =
                details["try"].pointer(pointer).unwrap().clone();
            assert_eq!(arguments, details["try"]);
        } else {
            assert_eq!(message, "\"limit\" is a number, not an integer");
        }
    }
    let empty = client.create(&[]);
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.list",
        json!({ "mode": "worktree", "snapshot_id": empty }),
    );
    for depth in [0, 1, 64] {
        let list = client.ok(
            "snapshot.list",
            json!({ "snapshot_id": empty, "depth": depth }),
        );
        assert_eq!((&list["entries"], &list["total"]), (&json!([]), &json!(0)));
    }
    let found = client.ok(
        "snapshot.grep",
        json!({ "snapshot_id": empty, "pattern": "x" }),
    );
    assert_eq!(found["files_searched"], 0);
    client.fails(
        "NOT_FOUND",
        "snapshot.file",
        json!({ "snapshot_id": empty, "path": "x" }),
    );
    assert_eq!(
        client.ok(
            "snapshot.diff",
            json!({ "snapshot_id": empty, "path": "." })
        )["diff"],
        ""
    );
    assert_eq!(
        client.ok("snapshot.changes", json!({ "snapshot_id": empty }))["files"],
        json!([])
    );
}

#[test]
fn parts_of_files_join_to_the_whole() {
    let repo = Repo::new();
    let whole: String = (1..=9000).map(|n| format!("line {n} é\n")).collect();
    repo.write("big.txt", &whole);
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    for snapshot in [false, true] {
        let mut ask = |mut arguments: Value| {
            arguments["path"] = json!("big.txt");
            if snapshot {
                arguments["snapshot_id"] = json!(s0);
            }
            client.ok("snapshot.file", arguments)
        };
        let two = ask(json!({ "start_line": 3, "end_line": 4 }));
        assert_eq!(
            (&two["content"], &two["truncated"]),
            (&json!("line 3 é\nline 4 é\n"), &json!(false))
        );
        assert_eq!(two["total_lines"], 9000);
        let (mut joined, mut line) = (String::new(), 1);
        loop {
            let part = ask(json!({ "start_line": line, "max_bytes": 10_000 }));
            joined += part["content"].as_str().unwrap();
            match part["range"]["next_start_line"].as_u64() {
                Some(next) => line = next,
                None => break,
            }
        }
        assert_eq!(joined, whole);
        let (mut joined, mut byte) = (String::new(), 0);
        loop {
            let part = ask(json!({ "start_byte": byte, "max_bytes": 7 }));
            joined += part["content"].as_str().unwrap();
            match part["range"]["next_start_byte"].as_u64() {
                Some(next) if joined.len() < 500 => byte = next,
                _ => break,
            }
        }
        assert!(whole.starts_with(&joined));
        assert_eq!(ask(json!({ "start_line": 9001 }))["content"], "");
    }
    client.fails(
        "INVALID_ARGUMENT",
        "snapshot.file",
        json!({ "path": "big.txt", "start_line": 4, "end_line": 3 }),
    );
    let mut client = repo.with(&["--max-inline", "100"]);
    let error = client.fails("TOO_LARGE", "snapshot.file", json!({ "path": "big.txt" }));
    assert_eq!(error["details"]["limit"], 100);
    assert_eq!(error["details"]["setting"], "max-inline");
}

#[test]
fn a_lone_cr_is_a_character_of_its_line() {
    let repo = Repo::new();
    repo.write("lf.txt", "one\rtwo\nthree\n");
    repo.write("crlf.txt", "one\rtwo\r\nthree\r\n");
    let mut client = repo.client();
    let mut found = |pattern: &str| -> Vec<Value> {
        let reply = client.ok("snapshot.grep", json!({ "pattern": pattern }));
        let matches = reply["matches"].as_array().unwrap().clone();
        let matches = matches.iter();
        matches
            .map(|found| json!([found["path"], found["line"], found["col"], found["text"]]))
            .collect()
    };
    let both = |line: u32, col: u32, text: &str| {
        let paths = ["crlf.txt", "lf.txt"].into_iter();
        let all = paths.map(|path| json!([path, line, col, text]));
        all.collect::<Vec<_>>()
    };
    assert_eq!(found("one.two$"), both(1, 1, "one\rtwo"));
    assert_eq!(found("^three$"), both(2, 1, "three"));
    assert_eq!(found("one$"), both(1, 1, "")[..0]);
    assert_eq!(found("^two"), both(1, 1, "")[..0]);
    assert_eq!(found("three.$"), both(1, 1, "")[..0]);
}

#[test]
fn a_file_of_many_that_is_too_large_is_left_out_of_a_diff() {
    let repo = Repo::r1();
    repo.write("big.txt", "x\n".repeat(1_000));
    let mut client = repo.with(&["--max-file", "1000"]);
    let diff = client.ok("snapshot.diff", json!({ "path": "." }));
    assert_eq!(diff["skipped"], json!({ "too_large": 1 }));
    assert_eq!(diff["truncated"], true);
    assert_eq!(diff["stats"]["files"], 2);
    client.fails("TOO_LARGE", "snapshot.diff", json!({ "path": "big.txt" }));
    let error = client.fails("TOO_LARGE", "snapshot.create", json!({ "paths": ["."] }));
    assert_eq!(
        error["message"],
        "big.txt: 2000 is over the limit of 1000, which --max-file moves; a snapshot has every file at its paths, so \
         name others"
    );
    assert_eq!(error["details"]["setting"], "max-file");
}

/// A file whose bytes may not be read, and a directory whose names may not be seen.
#[test]
fn a_file_of_many_that_may_not_be_read_is_left_out() {
    for (path, of_src) in [("src/a.ts", "src/a.ts src/b.ts"), ("src", "")] {
        let repo = Repo::r1();
        let Some(mut client) = repo.unprivileged() else {
            return crate::kit::skipped("unreadable files", "there is no user without rights");
        };
        let mode = |mode| {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(repo.root.join(path), mode).unwrap();
        };
        mode(0);
        let unreadable = if path == "src" { 2 } else { 1 };
        for (tool, arguments) in [
            ("snapshot.grep", json!({ "pattern": "export" })),
            ("snapshot.diff", json!({ "path": "." })),
        ] {
            let reply = client.ok(tool, arguments);
            assert_eq!(reply["skipped"]["unreadable"], unreadable, "{tool} {path}");
            assert_eq!(reply["truncated"], true, "{tool} {path}");
        }
        let listed = client.ok("snapshot.list", json!({ "depth": 64 }));
        let all = ["café.txt new.txt src src-x.ts", of_src].join(" ");
        assert_eq!(paths(&listed).join(" "), all.trim_end());
        for (tool, arguments) in [
            ("snapshot.create", json!({ "paths": ["."] })),
            ("snapshot.export", json!({})),
        ] {
            let error = client.fails("PERMISSION_DENIED", tool, arguments);
            let message = text(&error["message"]);
            let repair = "src/a.ts; a snapshot has every file at its paths, so name others";
            assert!(message.ends_with(repair), "{message}");
        }
        client.ok("snapshot.create", json!({ "paths": ["src-x.ts"] }));
        mode(0o755);
    }
}

#[test]
fn files_below_directories_that_replace_tracked_files_are_there() {
    let repo = Repo::new();
    for path in ["dirf", "empty", "nested", "src/a"] {
        repo.write(path, "1\n");
    }
    std::os::unix::fs::symlink("src", repo.root.join("link")).unwrap();
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "init"]);
    for path in ["dirf", "link", "empty", "nested", "src/a"] {
        std::fs::remove_file(repo.root.join(path)).unwrap();
        std::fs::create_dir(repo.root.join(path)).unwrap();
    }
    repo.write("dirf/x", "new\n");
    repo.write("dirf/deep/y", "new\n");
    repo.write("link/z", "new\n");
    repo.write("src/a/b", "new\n");
    repo.write("nested/own", "new\n");
    crate::kit::git(&repo.root.join("nested"), &["init", "-q"]);
    let files = ["dirf/deep/y", "dirf/x", "link/z", "src/a/b"];
    let mut client = repo.client();
    let made = client.ok("snapshot.create", json!({ "paths": ["."] }));
    assert_eq!(made["skipped"], json!({ "submodules": 1 }));
    assert_eq!(made["manifest_stats"]["files"], 4);
    assert_eq!(client.create(&files), text(&made["snapshot_id"]));
    assert_eq!(
        client.create(&["dirf", "link", "src"]),
        text(&made["snapshot_id"])
    );
    let list = client.ok("snapshot.list", json!({ "depth": 64 }));
    let shown: Vec<String> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| format!("{} {}", text(&entry["type"]), text(&entry["path"])))
        .collect();
    let expected = "dir dirf, dir dirf/deep, file dirf/deep/y, file dirf/x, dir link, file link/z, \
         submodule nested, dir src, dir src/a, file src/a/b";
    assert_eq!(shown.join(", "), expected);
    let found = client.ok("snapshot.grep", json!({ "pattern": "new" }));
    let found = found["matches"].as_array().unwrap().iter();
    assert_eq!(
        found.map(|found| text(&found["path"])).collect::<Vec<_>>(),
        files
    );
    let diff = client.ok("snapshot.diff", json!({ "path": "." }));
    client.ok("snapshot.list", json!({ "lease_id": diff["lease_id"] }));
    let diff = text(&diff["diff"]);
    for path in files {
        assert!(diff.contains(&format!("+++ b/{path}\n")), "{diff}");
    }
    for path in ["dirf", "empty", "nested", "src/a"] {
        assert!(
            diff.contains(&format!("--- a/{path}\n+++ /dev/null\n")),
            "{diff}"
        );
    }
}

#[test]
fn files_in_the_directory_of_a_submodule_that_lost_its_repository_are_no_candidates() {
    let repo = Repo::new();
    repo.write("sub/f.ts", "f\n");
    let git = |arguments: &[&str]| crate::kit::git(&repo.root.join("sub"), arguments);
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "init"]);
    repo.write("a.ts", "a\n");
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "init"]);
    std::fs::remove_dir_all(repo.root.join("sub/.git")).unwrap();
    repo.write("sub/new.ts", "new\n");
    // Git lists the submodule, and none of the files.
    assert_eq!(repo.git(&["status", "--porcelain", "-uall"]), "");
    assert_eq!(
        repo.git(&["ls-files", "-c", "-o", "--exclude-standard"]),
        "a.ts\nsub\n"
    );
    let mut client = repo.client();
    for paths in [json!(["."]), json!(["a.ts", "sub"])] {
        let made = client.ok("snapshot.create", json!({ "paths": paths }));
        assert_eq!(made["manifest_stats"]["files"], 1);
        assert_eq!(made["skipped"], json!({ "submodules": 1 }));
    }
    let list = client.ok("snapshot.list", json!({ "depth": 64 }));
    assert_eq!(list["entries"][1]["type"], "submodule");
    assert_eq!(list["total"], 2);
    let found = client.ok("snapshot.grep", json!({ "pattern": "." }));
    assert_eq!(found["files_searched"], 1);
    let diff = client.ok("snapshot.diff", json!({ "path": "." }));
    assert_eq!(diff["diff"], "");
    // One that is named is read, and a lease guards it, although no status shows its changes.
    let file = client.ok("snapshot.file", json!({ "path": "sub/new.ts" }));
    assert_eq!(file["content"], "new\n");
    repo.write("sub/new.ts", "newer\n");
    let lease = json!({ "path": "a.ts", "lease_id": file["lease_id"] });
    let error = client.fails("REPO_CHANGED", "snapshot.file", lease);
    assert_eq!(error["details"]["paths"], json!(["sub/new.ts"]));
    client.create(&["sub/new.ts"]);
}

#[test]
fn a_directory_that_became_a_link_lost_its_files() {
    let repo = Repo::new();
    for path in ["z/a.ts", "z/b.ts", "src/a.ts"] {
        repo.write(path, "1\n");
    }
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "init"]);
    std::fs::remove_dir_all(repo.root.join("z")).unwrap();
    std::os::unix::fs::symlink("src", repo.root.join("z")).unwrap();
    let mut client = repo.client();
    for path in [".", "z"] {
        let diff = client.ok("snapshot.diff", json!({ "path": path }));
        assert_eq!(diff["truncated"], false, "{diff}");
        assert_eq!(
            (&diff["stats"]["files"], &diff["stats"]["removed"]),
            (&json!(2), &json!(2))
        );
        let shown = text(&diff["diff"]);
        assert!(
            shown.contains("--- a/z/a.ts\n") && shown.contains("--- a/z/b.ts\n"),
            "{shown}"
        );
    }
}

#[test]
fn nothing_is_below_a_file() {
    let repo = Repo::r1();
    std::os::unix::fs::symlink("src/a.ts", repo.root.join("link")).unwrap();
    let mut client = repo.client();
    for path in ["src/a.ts/x", "src/a.ts/x/y", "link/x"] {
        for tool in [
            "snapshot.file",
            "snapshot.list",
            "snapshot.diff",
            "workspace.delete",
        ] {
            client.fails("NOT_FOUND", tool, json!({ "path": path }));
        }
        for tool in ["snapshot.create", "snapshot.export", "snapshot.grep"] {
            let mut arguments = json!({ "paths": ["src", path] });
            if tool == "snapshot.grep" {
                arguments["pattern"] = json!("a");
            }
            let error = client.fails("NOT_FOUND", tool, arguments);
            assert_eq!(error["details"]["paths"], json!([path]));
        }
    }
}

#[test]
fn paths_of_the_greatest_length_are_invalid_or_missing() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let name = "n".repeat(100);
    for length in [4080, 4090, 4091, 4092, 4093, 4094, 4095, 4096] {
        let mut path = [name.as_str(); 41].join("/")[..length].to_owned();
        if path.ends_with('/') {
            path.pop();
            path.push_str("nn");
        }
        for (tool, arguments) in [
            ("snapshot.file", json!({ "path": path })),
            ("snapshot.list", json!({ "path": path })),
            ("snapshot.diff", json!({ "path": path })),
            ("snapshot.create", json!({ "paths": [path] })),
            ("snapshot.grep", json!({ "paths": [path], "pattern": "x" })),
            ("workspace.delete", json!({ "path": path })),
            (
                "workspace.write_file",
                json!({ "path": path, "content": "" }),
            ),
            (
                "workspace.write_file",
                json!({ "path": path, "content": "", "create_dirs": true, "dry_run": true }),
            ),
            (
                "workspace.write_file",
                json!({ "path": path, "content": "", "create_dirs": true }),
            ),
        ] {
            let (reply, error) = client.call(tool, arguments.clone());
            if !error && tool == "workspace.write_file" {
                continue;
            }
            let code = text(&reply["error"]["code"]);
            assert!(
                ["NOT_FOUND", "INVALID_ARGUMENT"].contains(&&*code),
                "{length} {tool} {reply}"
            );
            let pointer = reply["error"]["details"]["path"].as_str();
            let expected = if arguments["paths"].is_array() {
                "/paths/0"
            } else {
                "/path"
            };
            assert!(
                code == "NOT_FOUND" || pointer == Some(expected),
                "{tool} {reply}"
            );
        }
    }
}

#[test]
fn files_that_a_sparse_checkout_leaves_out_are_not_deleted() {
    let repo = Repo::new();
    for path in ["in/a", "out/b", "out/c", "top"] {
        repo.write(path, "1\n");
    }
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "init"]);
    repo.git(&["sparse-checkout", "set", "in"]);
    assert!(!repo.root.join("out").exists());
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let mut client = repo.client();
    for path in [".", "out", "out/b"] {
        let diff = client.ok("snapshot.diff", json!({ "path": path }));
        assert_eq!(
            (&diff["diff"], &diff["truncated"]),
            (&json!(""), &json!(false))
        );
    }
    client.fails("NOT_FOUND", "snapshot.diff", json!({ "path": "nowhere" }));
    // One that is there after all is compared.
    repo.write("out/b", "2\n");
    std::fs::remove_file(repo.root.join("in/a")).unwrap();
    let diff = client.ok("snapshot.diff", json!({ "path": "." }));
    let shown = text(&diff["diff"]);
    assert!(
        shown.contains("+++ b/out/b\n") && shown.contains("--- a/in/a\n"),
        "{shown}"
    );
    assert_eq!(diff["stats"]["files"], 2, "{shown}");
}

#[test]
fn a_search_is_over_the_bytes_of_a_file() {
    let repo = Repo::new();
    repo.write("bom", b"\xef\xbb\xbfusing X;\n");
    let wide: Vec<u8> = "\u{feff}日本"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    repo.write("wide", wide);
    repo.write("long", "12,".repeat(1 << 20));
    let mut client = repo.client();
    for (pattern, matches) in [
        ("using", json!([["bom", 4, 5]])),
        ("(?-u)^\\xEF\\xBB\\xBF", json!([["bom", 1, 3]])),
        ("日本", json!([])),
        ("(?-u)\\xE5\\x65", json!([["wide", 3, 2]])),
    ] {
        let found = client.ok("snapshot.grep", json!({ "pattern": pattern }));
        let found = found["matches"].as_array().unwrap().iter();
        let found: Vec<Value> = found
            .map(|at| json!([at["path"], at["col"], at["len"]]))
            .collect();
        assert_eq!(json!(found), matches, "{pattern}");
    }
    // A line is looked at once, however many matches it has.
    let sent = json!({ "pattern": "1", "paths": ["long"], "max_matches": 5000 });
    let found = client.ok("snapshot.grep", sent);
    assert_eq!(found["matches"].as_array().unwrap().len(), 5000);
    assert_eq!(found["matches"][4999]["col"], 3 * 4999 + 1);
    assert_eq!(found["truncated"], true);
}
