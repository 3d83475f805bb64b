//! The account of a save matches the files on disk, through the real program.

use std::fs;
use std::path::Path;

use fcp::testing::Proof;

use crate::support::piped::server;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(name)
}

/// Calls on a song, each of which results in a different file.
const CALLS: &[&[&str]] = &[
    &[],
    &["modify @range:2 vel:+3"],
    &["note Piano C4 at:2.1", "remove @range:3"],
    &["transpose @all +2"],
    &["bars insert 1 at:3"],
    &["UPDATE notes SET vel=round(vel*0.8)"],
    &["track rename Piano \"Grand piano\"", "tempo 84 at:5"],
];

#[test]
fn the_account_of_a_save_agrees_with_the_files() {
    for name in ["waltz.mid", "patterns.mid"] {
        let (root, mut server) = server();
        let path = |name: &str| root.path().join(name);
        fs::copy(file(name), path("in.mid")).unwrap();
        for (ix, ops) in CALLS.iter().enumerate() {
            server.act("open in.mid");
            let out = format!("out{ix}.mid");
            if !ops.is_empty() {
                let (text, error) = server.call("midi", serde_json::json!({ "ops": ops }));
                if error {
                    assert_eq!(name, "patterns.mid", "{text}");
                    continue;
                }
            }
            let saved = server.act(&format!("save as:{out}"));
            Proof::of(&saved).holds(&path("in.mid"), &path(&out));
            // The account has the content of `diff`, in fewer lines.
            if ops.is_empty() {
                assert!(saved.contains("\n  nothing changed: all "), "{saved}");
            } else {
                assert!(
                    saved.contains("\n  changed since in.mid was opened:\n"),
                    "{saved}"
                );
            }
        }
    }
}

#[test]
fn one_velocity_is_one_byte_and_is_shown_whole() {
    let (root, mut server) = server();
    let path = |name: &str| root.path().join(name);
    fs::copy(file("waltz.mid"), path("in.mid")).unwrap();
    server.act("open in.mid");
    let first = server.query("SELECT ref, vel FROM notes LIMIT 1");
    let row = first.lines().nth(1).unwrap().to_owned();
    let (name, vel) = row.split_once(" | ").unwrap();
    server.run(&[&format!("modify {name} vel:101")]);
    let saved = server.act("save as:out.mid");
    let proof = Proof::of(&saved);
    proof.holds(&path("in.mid"), &path("out.mid"));
    assert_eq!((proof.gone, proof.new), (1, 1), "{saved}");
    assert!(saved.contains(&format!(": vel {vel} -> 101\n")), "{saved}");
    let (old, new) = (
        fs::read(path("in.mid")).unwrap(),
        fs::read(path("out.mid")).unwrap(),
    );
    let differ = old
        .iter()
        .zip(&new)
        .filter(|(one, other)| one != other)
        .count();
    assert_eq!((differ, old.len()), (1, new.len()));
    // An undo restores the same bytes, and the reply says so.
    server.act("undo");
    let saved = server.act("save as:same.mid");
    assert!(saved.contains("\n  nothing changed: all "), "{saved}");
    assert_eq!(fs::read(path("same.mid")).unwrap(), old);
}

#[test]
fn a_failed_edit_answers_no_account() {
    let (root, mut server) = server();
    fs::copy(file("waltz.mid"), root.path().join("in.mid")).unwrap();
    let text = server.refused(&["! open in.mid", "modify Nobody vel:3", "! save as:out.mid"]);
    assert!(text.contains("1 line not run"), "{text}");
    assert!(
        !text.contains("Saved") && !root.path().join("out.mid").exists(),
        "{text}"
    );
}

#[test]
fn many_changes_are_folded_into_twenty_lines_and_paged() {
    let (root, mut server) = server();
    let path = |name: &str| root.path().join(name);
    fs::copy(file("waltz.mid"), path("in.mid")).unwrap();
    let text = server.run(&[
        "! open in.mid",
        "UPDATE notes SET vel = 1 + (tick * 7 + pitch) % 120",
        "! save as:out.mid",
    ]);
    let saved = text.split("* Saved").nth(1).unwrap();
    Proof::of(saved).holds(&path("in.mid"), &path("out.mid"));
    assert!(
        saved.contains("each row on its line: ? diff open rows:on"),
        "{saved}"
    );
    let paged = server.query("diff open rows:on limit:5");
    assert!(
        paged
            .lines()
            .last()
            .unwrap()
            .contains("more (diff open rows:on limit:5 from:6)"),
        "{paged}"
    );
}

#[test]
fn rows_that_moved_in_a_copy_are_paired_with_those_they_were() {
    let (root, mut server) = server();
    fs::copy(file("waltz.mid"), root.path().join("in.mid")).unwrap();
    fs::copy(file("waltz.mid"), root.path().join("first.mid")).unwrap();
    for (ops, changed) in [
        (&["bars insert 2 at:2"][..], "notes: at +2 bars"),
        (&["transpose @all -2"][..], "notes: pitch -2"),
        (
            &["transpose @all -2", "bars insert 2 at:2"][..],
            "notes: at +2 bars, pitch -2",
        ),
    ] {
        server.act("open in.mid");
        server.run(ops);
        let shown = server.query("diff first.mid");
        assert!(shown.contains(changed), "{ops:?}: {shown}");
        assert!(
            !shown.contains("\n- ") && !shown.contains("\n+ "),
            "{ops:?}: {shown}"
        );
    }
}
