//! Patches: applied, rejected and invalid ones.

use std::process::Command;

use serde_json::{Value, json};

use crate::kit::{Repo, random, text};

fn reasons(reply: &Value) -> String {
    let files = reply["rejects"].as_array().unwrap().iter();
    let file = |file: &Value| {
        let hunks = file["hunks"].as_array().unwrap().iter();
        let hunks = hunks.map(|hunk| format!("{}:{}", hunk["index"], text(&hunk["reason"])));
        format!(
            "{} {}",
            text(&file["path"]),
            hunks.collect::<Vec<_>>().join(" ")
        )
    };
    files.map(file).collect::<Vec<_>>().join(", ")
}

#[test]
fn one_reject_keeps_everything_as_it_was() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let lease = client.ok("snapshot.list", json!({}));
    let before = repo.contents();
    let patch = "--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-export const b = 2;\n+export const b = 4;\n\
                 --- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 10;\n";
    let reply = client.ok(
        "workspace.apply_patch",
        json!({ "patch": patch, "lease_id": lease["lease_id"] }),
    );
    assert_eq!(
        (&reply["status"], &reply["applied"]),
        (&json!("rejected"), &json!([]))
    );
    assert_eq!(reasons(&reply), "src/b.ts 0:context_mismatch");
    let hunk = &reply["rejects"][0]["hunks"][0];
    assert_eq!(
        (&hunk["expected"], &hunk["actual"]),
        (&json!("export const b = 2;"), &json!("export const b = 3;"))
    );
    assert_eq!(
        (&reply["lease_id"], &reply["fingerprint"]),
        (&lease["lease_id"], &lease["fingerprint"])
    );
    assert_eq!(repo.contents(), before);
    let partial = client.ok(
        "workspace.apply_patch",
        json!({ "patch": patch, "reject_on_conflict": false }),
    );
    assert_eq!(partial["status"], "partial");
    assert_eq!(partial["applied"][0]["path"], "src/a.ts");
    assert_eq!(repo.text("src/a.ts"), "export const a = 10;\n");
    assert_eq!(repo.text("src/b.ts"), "export const b = 3;\n");
}

#[test]
fn of_a_partial_patch_no_file_is_written_by_half() {
    let repo = Repo::r1();
    let lines: String = (1..=9).map(|n| format!("{n}\n")).collect();
    repo.write("two", &lines);
    let mut client = repo.client();
    let patch = "--- a/two\n+++ b/two\n@@ -1 +1 @@\n-1\n+one\n@@ -9 +9 @@\n-nine\n+x\n\
                 --- a/new.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-new\n+newer\n";
    let s0 = client.create(&["."]);
    for mut arguments in [json!({ "snapshot_id": s0 }), json!({})] {
        arguments["patch"] = json!(patch);
        arguments["reject_on_conflict"] = json!(false);
        let reply = client.ok("workspace.apply_patch", arguments);
        assert_eq!(reply["status"], "partial");
        assert_eq!(reasons(&reply), "two 1:context_mismatch");
        assert_eq!(reply["applied"][0]["path"], "new.txt");
        assert_eq!(reply["applied"].as_array().unwrap().len(), 1);
    }
    assert_eq!(
        (repo.text("two"), repo.text("new.txt")),
        (lines, "newer\n".to_owned())
    );
}

#[test]
fn every_failing_hunk_is_listed_in_order() {
    let repo = Repo::new();
    let lines: String = (1..=30).map(|n| format!("line {n}\n")).collect();
    repo.write("z", &lines);
    repo.write("a", &lines);
    let mut client = repo.client();
    let file = |name: &str, hunks: &str| format!("--- a/{name}\n+++ b/{name}\n{hunks}");
    let moved = "@@ -11 +11 @@\n-line 10\n+LINE 10\n";
    let patch = file(
        "z",
        &format!(
            "@@ -1 +1 @@\n-line 1\n+one\n@@ -5 +5 @@\n-nope\n+x\n{moved}@@ -40 +40 @@\n-line 40\n+x\n"
        ),
    ) + &file("a", moved)
        + &file("b", moved);
    let reply = client.ok("workspace.apply_patch", json!({ "patch": patch }));
    assert_eq!(
        reasons(&reply),
        "a 0:context_mismatch, b 0:not_found, z 1:context_mismatch 2:context_mismatch 3:out_of_range"
    );
    assert_eq!(
        reply["rejects"][0]["hunks"][0]["found_at_lines"],
        json!([10])
    );
    assert_eq!(repo.text("z"), lines);
    let placed = client.ok(
        "workspace.apply_patch",
        json!({ "patch": file("a", moved), "allow_offset": "unique" }),
    );
    assert_eq!(placed["status"], "applied");
    assert!(repo.text("a").contains("line 9\nLINE 10\nline 11\n"));
    let both = "@@ -3,2 +3,2 @@\n-line 3\n-line 4\n+3\n+4\n@@ -4 +4 @@\n-line 4\n+x\n@@ -1 +1 @@\n-line 1\n+x\n";
    let reply = client.ok("workspace.apply_patch", json!({ "patch": file("z", both) }));
    assert_eq!(reasons(&reply), "z 1:overlap 2:out_of_order");
}

#[test]
fn white_space_and_line_ends_count() {
    let repo = Repo::new();
    repo.write("crlf", "one\r\ntwo\r\n");
    repo.write("open", "one\ntwo");
    repo.write("blank", "one \ntwo\n");
    let mut client = repo.client();
    for (name, hunk) in [
        ("crlf", "@@ -1 +1 @@\n-one\n+ONE\n"),
        ("open", "@@ -2 +2 @@\n-two\n+TWO\n"),
        ("blank", "@@ -1 +1 @@\n-one\n+ONE\n"),
        (
            "blank",
            "@@ -2 +2 @@\n-two\n\\ No newline at end of file\n+TWO\n",
        ),
    ] {
        let reply = client.ok(
            "workspace.apply_patch",
            json!({ "patch": format!("--- {name}\n+++ {name}\n{hunk}") }),
        );
        assert_eq!(reasons(&reply), format!("{name} 0:context_mismatch"));
    }
    let good = "--- a/open\r\n+++ b/open\r\n@@ -2 +2 @@\r\n-two\n\\ No newline at end of file\n+TWO\n--- a/crlf\n+++ b/crlf\n@@ -1 +1 @@\n-one\r\n+ONE\r\n";
    client.ok("workspace.apply_patch", json!({ "patch": good }));
    assert_eq!(
        (repo.text("open"), repo.text("crlf")),
        ("one\nTWO\n".to_owned(), "ONE\r\ntwo\r\n".to_owned())
    );
}

#[test]
fn files_come_go_move_and_change_mode() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let s0 = client.create(&["."]);
    let patch = "diff --git a/src/a.ts b/lib/deep/a.ts\nsimilarity index 50%\nrename from src/a.ts\nrename to lib/deep/a.ts\n\
                 --- a/src/a.ts\n+++ b/lib/deep/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 2;\n\
                 diff --git a/src/b.ts b/copy b.ts\ncopy from src/b.ts\ncopy to copy b.ts\n\
                 diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+#!/bin/sh\n\
                 diff --git a/empty b/empty\nnew file mode 100644\n\
                 diff --git a/src-x.ts b/src-x.ts\ndeleted file mode 100644\n--- a/src-x.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-// x\n\
                 diff --git a/new.txt b/new.txt\nold mode 100644\nnew mode 100755\n\
                 --- /dev/null\n+++ \"b/qu\\\"o te\\303\\251\"\n@@ -0,0 +1 @@\n+q\n\
                 -- \n2.47\n";
    for snapshot in [true, false] {
        let mut arguments = json!({ "patch": patch });
        if snapshot {
            arguments["snapshot_id"] = json!(s0);
        }
        let reply = client.ok("workspace.apply_patch", arguments);
        assert_eq!(reply["status"], "applied", "{reply}");
        let ops: Vec<String> = reply["applied"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| format!("{} {}", text(&file["op"]), text(&file["path"])))
            .collect();
        assert_eq!(
            ops,
            [
                "copy copy b.ts",
                "create empty",
                "rename lib/deep/a.ts",
                "modify new.txt",
                "create qu\"o teé",
                "create run",
                "delete src-x.ts",
            ]
        );
    }
    assert_eq!(repo.text("lib/deep/a.ts"), "export const a = 2;\n");
    assert_eq!(repo.text("copy b.ts"), "export const b = 3;\n");
    assert_eq!(
        (repo.text("empty"), repo.text("qu\"o teé")),
        (String::new(), "q\n".to_owned())
    );
    for path in ["src/a.ts", "src-x.ts"] {
        assert!(!repo.root.join(path).exists());
    }
    use std::os::unix::fs::PermissionsExt;
    for (path, mode) in [("run", 0o111), ("new.txt", 0o111), ("empty", 0)] {
        assert_eq!(
            repo.root
                .join(path)
                .metadata()
                .unwrap()
                .permissions()
                .mode()
                & 0o111,
            mode,
            "{path}"
        );
    }
}

#[test]
fn targets_that_no_patch_may_have_are_rejected() {
    let repo = Repo::r1();
    repo.write("bin", "a\0b\n");
    std::os::unix::fs::symlink("src/a.ts", repo.root.join("link")).unwrap();
    let mut client = repo.client();
    for (patch, expected) in [
        (
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n",
            "l 0:unsupported_mode",
        ),
        (
            "diff --git a/l b/l\nnew file mode 160000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n",
            "l 0:unsupported_mode",
        ),
        (
            "--- a/link\n+++ b/link\n@@ -1 +1 @@\n-export const a = 1;\n+x\n",
            "link 0:unsupported_mode",
        ),
        (
            "--- a/bin\n+++ b/bin\n@@ -1 +1 @@\n-a\n+x\n",
            "bin 0:not_text",
        ),
        (
            "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n",
            "new.txt 0:already_exists",
        ),
        (
            "--- a/café.txt\n+++ /dev/null\n@@ -0,0 +0,0 @@\n",
            "café.txt 0:not_empty_after_delete",
        ),
        (
            "--- a/src\n+++ b/src\n@@ -1 +1 @@\n-x\n+y\n",
            "src 0:permission_denied",
        ),
    ] {
        let reply = client.ok("workspace.apply_patch", json!({ "patch": patch }));
        assert_eq!(
            (reasons(&reply), &reply["status"]),
            (expected.to_owned(), &json!("rejected"))
        );
    }
}

#[test]
fn invalid_patches_are_rejected_with_their_line() {
    let repo = Repo::r1();
    let mut client = repo.client();
    let heads = "--- a/src/a.ts\n+++ b/src/a.ts\n";
    for (patch, line) in [
        (String::new(), 1),
        ("words\n".to_owned(), 1),
        ("@@ -1 +1 @@\n-a\n+b\n".to_owned(), 1),
        (heads.to_owned(), 1),
        (
            format!("{heads}@@ -1,2 +1 @@\n-export const a = 1;\n+x\n"),
            6,
        ),
        (
            format!("{heads}@@ -1 +1 @@\n-export const a = 1;\n+x\n+y\n"),
            6,
        ),
        (format!("{heads}@@ nonsense @@\n"), 3),
        (format!("{heads}@@ -0,1 +1 @@\n-a\n+x\n"), 3),
        (
            "--- a/src/a.ts\n+++ b/src/b.ts\n@@ -1 +1 @@\n-a\n+b\n".to_owned(),
            1,
        ),
        (
            "diff --git a/x b/x\nindex 1..2\nGIT binary patch\n".to_owned(),
            3,
        ),
    ] {
        let error = client.fails(
            "INVALID_ARGUMENT",
            "workspace.apply_patch",
            json!({ "patch": patch }),
        );
        assert_eq!(error["details"]["line"], line, "{patch:?} {error}");
    }
    let twice = format!("{heads}@@ -1 +1 @@\n-export const a = 1;\n+x\n").repeat(2);
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.apply_patch",
        json!({ "patch": twice }),
    );
    client.fails(
        "INVALID_ARGUMENT",
        "workspace.apply_patch",
        json!({ "patch": "base64:***" }),
    );
}

#[test]
fn exact_texts_are_replaced_or_rejected() {
    let repo = Repo::new();
    repo.write("t", "one two one\n");
    let mut client = repo.client();
    let mut edit = |edits: Value| client.ok("workspace.edit", json!({ "edits": edits }));
    let reply = edit(
        json!([{ "path": "t", "old": "one", "new": "1" }, { "path": "u", "old": "x", "new": "y" }]),
    );
    assert_eq!(reasons(&reply), "t 0:ambiguous, u 1:not_found");
    assert_eq!(
        reply["rejects"][0]["hunks"][0]["found_at_lines"],
        json!([1, 1])
    );
    edit(
        json!([{ "path": "t", "old": "one", "new": "1", "count": "all" }, { "path": "t", "old": "1 two", "new": "2", "count": 1 }, { "path": "n", "old": "", "new": "new\n" }]),
    );
    assert_eq!(
        (repo.text("t"), repo.text("n")),
        ("2 1\n".to_owned(), "new\n".to_owned())
    );
    let reply = edit(json!([{ "path": "t", "old": "", "new": "x" }]));
    assert_eq!(reasons(&reply), "t 0:already_exists");
    // Places that overlap are several.
    repo.write("t", "a\nbaaa");
    let reply = edit(json!([{ "path": "t", "old": "aa", "new": "b" }]));
    let hunk = &reply["rejects"][0]["hunks"][0];
    assert_eq!(
        (&hunk["reason"], &hunk["found_at_lines"]),
        (&json!("ambiguous"), &json!([2, 2]))
    );
    repo.write("t", "a".repeat(1 << 16));
    let long = json!({ "path": "t", "old": "a", "new": "b".repeat(1 << 12), "count": "all" });
    let error = client.fails("TOO_LARGE", "workspace.edit", json!({ "edits": [long] }));
    assert_eq!(error["details"]["actual"], 1 << 28);
}

#[test]
fn a_repaired_count_is_the_number_that_was_sent() {
    let repo = Repo::new();
    repo.write("t", "one one\n");
    let mut client = repo.client();
    for (count, repaired) in [
        (json!("1"), json!(1)),
        (json!("al"), json!("all")),
        (json!("one"), Value::Null),
        (json!(0), json!(1)),
        (json!(-1), Value::Null),
    ] {
        let edit = json!([{ "path": "t", "old": "one", "new": "1", "count": count }]);
        let error = client.fails(
            "INVALID_ARGUMENT",
            "workspace.edit",
            json!({ "edits": edit }),
        );
        let repair = &error["details"]["try"];
        assert_eq!(repair["edits"][0]["count"], repaired, "{error}");
    }
    let error = client.fails(
        "INVALID_ARGUMENT",
        "snapshot.gc",
        json!({ "keep_bytes": -1 }),
    );
    assert_eq!(error["details"]["try"], Value::Null);
    for (name, value, repaired) in [
        (
            "case_insensitive",
            json!(true),
            json!({ "case_sensitive": false }),
        ),
        ("no_regex", json!(true), json!({ "regex": false })),
        (
            "case_sensitiv",
            json!(true),
            json!({ "case_sensitive": true }),
        ),
        ("case_insensitive", json!("yes"), Value::Null),
    ] {
        let sent = json!({ "pattern": "One", name: value });
        let error = client.fails("INVALID_ARGUMENT", "snapshot.grep", sent);
        let mut repair = error["details"]["try"].clone();
        if let Some(fields) = repair.as_object_mut() {
            fields.remove("pattern");
        }
        assert_eq!(repair, repaired, "{error}");
    }
}

#[test]
fn names_are_stripped_as_git_does() {
    let repo = Repo::new();
    for (path, content) in [("old.txt", "TOP\n"), ("sub/old.txt", "SUB\n"), ("e", "")] {
        repo.write(path, content);
    }
    repo.git(&["add", "."]);
    let clean = |repo: &Repo| {
        repo.git(&["checkout", "-q", "--", "."]);
        repo.git(&["clean", "-q", "-f"]);
    };
    let mut client = repo.client();
    for (strip, patch) in [
        (
            2,
            "diff --git a/sub/old.txt b/sub/new.txt\nsimilarity index 100%\nrename from sub/old.txt\nrename to sub/new.txt\n",
        ),
        (
            0,
            "diff --git e e\nold mode 100644\nnew mode 100755\ndiff --git f g f g\nnew file mode 100644\n",
        ),
    ] {
        let file = repo.dir.path().join("patch");
        std::fs::write(&file, patch).unwrap();
        let reply = client.ok(
            "workspace.apply_patch",
            json!({ "patch": patch, "strip": strip }),
        );
        assert_eq!(reply["status"], "applied", "{reply}");
        let ours = repo.contents();
        clean(&repo);
        let strip = format!("-p{strip}");
        repo.git(&["apply", &strip, file.to_str().unwrap()]);
        assert_eq!(ours, repo.contents());
        clean(&repo);
    }
}

#[test]
fn a_hunk_that_moves_keeps_to_the_end_of_the_file() {
    let repo = Repo::new();
    repo.write("a.txt", "1\n2\n3\n");
    let mut client = repo.client();
    let patch = "--- a/a.txt\n+++ b/a.txt\n@@ -3 +3 @@\n-2\n+X\n\\ No newline at end of file\n";
    let reply = client.ok(
        "workspace.apply_patch",
        json!({ "patch": patch, "allow_offset": "unique" }),
    );
    assert_eq!(reasons(&reply), "a.txt 0:context_mismatch");
    assert_eq!(
        reply["rejects"][0]["hunks"][0]["found_at_lines"],
        Value::Null
    );
}

fn random_text(state: &mut u64) -> Vec<u8> {
    let words: [&[u8]; 8] = [
        b"a",
        b"b",
        b"a b",
        b"\r",
        b"x\ry",
        b"\xff\xfe",
        "é".as_bytes(),
        b"",
    ];
    let mut out = Vec::new();
    for _ in 0..random(state) % 12 {
        out.extend_from_slice(words[(random(state) % 8) as usize]);
        out.extend_from_slice([&b"\n"[..], b"\r\n", b"\n"][(random(state) % 3) as usize]);
    }
    if random(state).is_multiple_of(3) {
        out.extend_from_slice(words[(random(state) % 7) as usize]);
    }
    out
}

fn git_apply(repo: &Repo, patch: &std::path::Path) {
    let git = Command::new("git")
        .arg("-C")
        .arg(&repo.root)
        .args(["apply", "--whitespace=nowarn"])
        .arg(patch)
        .output()
        .unwrap();
    assert!(
        git.status.success(),
        "{}",
        String::from_utf8_lossy(&git.stderr)
    );
}

#[test]
fn a_diff_that_is_applied_gives_the_other_content() {
    let (repo, other) = (Repo::new(), Repo::new());
    let mut state = 0x1234_5678_9abc_def1;
    let pairs: Vec<(Vec<u8>, Vec<u8>)> = (0..2000)
        .map(|_| (random_text(&mut state), random_text(&mut state)))
        .collect();
    let name = |at: usize| format!("d{}/f{at}", at % 20);
    for (at, (before, _)) in pairs.iter().enumerate() {
        repo.write(&name(at), before);
        other.write(&name(at), before);
    }
    let mut client = repo.with(&["--max-inline", "10000000"]);
    let a = client.create(&["."]);
    for (at, (_, after)) in pairs.iter().enumerate() {
        repo.write(&name(at), after);
    }
    let b = client.create(&["."]);
    for context in [0, 1, 3] {
        let diff = client.ok(
            "snapshot.diff",
            json!({ "snapshot_id": b, "base_snapshot_id": a, "path": ".", "context": context }),
        );
        let applied = client.ok(
            "workspace.apply_patch",
            json!({ "snapshot_id": a, "patch": diff["diff"] }),
        );
        assert_eq!(applied["status"], "applied", "{}", applied["rejects"]);
        let changes = client.ok(
            "snapshot.changes",
            json!({ "snapshot_id": applied["snapshot_id"], "base_snapshot_id": b }),
        );
        assert_eq!(changes["files"], json!([]));
        if context == 3 {
            let patch = other.dir.path().join("patch");
            let bytes = match diff["diff"].as_str().unwrap().starts_with("base64:") {
                true => crate::kit::decoded(&diff["diff"]),
                false => text(&diff["diff"]).into_bytes(),
            };
            std::fs::write(&patch, bytes).unwrap();
            git_apply(&other, &patch);
            for (at, (_, after)) in pairs.iter().enumerate() {
                assert_eq!(&other.read(&name(at)), after);
            }
        }
    }
}

#[test]
fn git_applies_a_diff_with_empty_files_between_others() {
    let (repo, other) = (Repo::new(), Repo::new());
    for repo in [&repo, &other] {
        for (path, content) in [
            ("a", "1\n"),
            ("c", ""),
            ("d", "1\n"),
            ("e", "1\n"),
            ("g x", "1\n"),
        ] {
            repo.write(path, content);
        }
        repo.git(&["add", "."]);
        repo.git(&["commit", "-q", "-m", "init"]);
    }
    for path in ["a", "d", "e", "g x"] {
        repo.write(path, "2\n");
    }
    for path in ["b", "f"] {
        repo.write(path, "");
    }
    std::fs::remove_file(repo.root.join("c")).unwrap();
    let mut client = repo.client();
    let diff = text(&client.ok("snapshot.diff", json!({ "path": "." }))["diff"]);
    // Other lines stay as they are.
    let lines = diff.lines().filter(|line| line.starts_with("diff --git "));
    let expected = ["a/b b/b", "a/c b/c", "a/d b/d", "a/f b/f", "a/g x b/g x"];
    assert_eq!(
        lines.collect::<Vec<_>>(),
        expected.map(|names| format!("diff --git {names}"))
    );
    let patch = other.dir.path().join("patch");
    std::fs::write(&patch, &diff).unwrap();
    git_apply(&other, &patch);
    assert_eq!(other.contents().len(), 7 - 1);
    let strip = |repo: &Repo| {
        repo.contents()
            .into_iter()
            .map(|(path, content)| (path.strip_prefix(&repo.root).unwrap().to_owned(), content))
            .collect::<Vec<_>>()
    };
    assert_eq!(strip(&other), strip(&repo));
}
