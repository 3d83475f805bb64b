//! `xtask new-verb` in a temporary copy.

// Helpers of tests are not tests to clippy.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn scratch() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    for (path, text) in [
        (
            "templates/verb.rs.txt",
            fs::read_to_string(templates.join("verb.rs.txt")).unwrap(),
        ),
        (
            "templates/query.rs.txt",
            fs::read_to_string(templates.join("query.rs.txt")).unwrap(),
        ),
        ("Cargo.toml", "[workspace]\n".to_owned()),
        ("domains/toy/Cargo.toml", "[package]\n".to_owned()),
        (
            "domains/toy/src/model.rs",
            "#[fcp(domain = \"toy\", title = \"Toys in boxes\")]\npub struct ToyBox {}\nimpl Domain for ToyBox {}\n"
                .to_owned(),
        ),
        (
            "domains/toy/src/verbs/mod.rs",
            "//! The verbs.\n\nmod lyric_drop;\nmod put;\n".to_owned(),
        ),
        (
            "domains/toy/src/verbs/lyric_drop.rs",
            "#[fcp_verb(category = \"Words\", alias = \"hush\")]\n".to_owned(),
        ),
        (
            "domains/toy/src/verbs/put.rs",
            "#[fcp_verb(category = \"Toys\")]\n".to_owned(),
        ),
    ] {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("--root")
        .arg(root)
        .arg("new-verb")
        .args(arguments)
        .output()
        .unwrap()
}

fn done(root: &Path, arguments: &[&str]) -> String {
    let output = run(root, arguments);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {log}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(root: &Path, arguments: &[&str]) -> String {
    let output = run(root, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn formatted(path: &Path) {
    let check = Command::new("rustfmt")
        .args(["--check", "--edition", "2024"])
        .arg(path)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{log}");
}

#[test]
fn a_verb_gets_a_file_and_a_place_in_the_list() {
    let root = scratch();
    let answer = done(root.path(), &["toy", "lyric add"]);
    assert!(
        answer.contains("domains/toy/src/verbs/lyric_add.rs"),
        "{answer}"
    );
    assert!(
        answer.contains("cargo test -p fcp-toy --lib lyric_add"),
        "{answer}"
    );
    let verbs = root.path().join("domains/toy/src/verbs");
    assert_eq!(
        fs::read_to_string(verbs.join("mod.rs")).unwrap(),
        "//! The verbs.\n\nmod lyric_add;\nmod lyric_drop;\nmod put;\n"
    );
    let file = verbs.join("lyric_add.rs");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "//! `lyric add`, a verb of Toys in boxes.

use fcp::prelude::*;

use crate::model::ToyBox;

/// Answer with a name and a summary of the document.
///
/// ```fcp
/// lyric add Example
/// > = Example: …
/// ```
#[fcp_verb(category = \"Words\")]
pub fn lyric_add(
    toy_box: &mut ToyBox,
    /// The start of the answer.
    #[fcp(positional)]
    name: Name,
) -> Result<Reply> {
    Ok(unchanged!(\"{name}: {}\", toy_box.headline()))
}
"
    );
    formatted(&file);
}

#[test]
fn phrases_unlike_rust_names_are_set_by_the_attribute() {
    let root = scratch();
    done(root.path(), &["toy", "time-sig", "--category", "Time"]);
    done(root.path(), &["toy", "move"]);
    let verbs = root.path().join("domains/toy/src/verbs");
    let time = fs::read_to_string(verbs.join("time_sig.rs")).unwrap();
    assert!(
        time.contains("#[fcp_verb(category = \"Time\", name = \"time-sig\")]\npub fn time_sig(")
    );
    let moves = fs::read_to_string(verbs.join("move.rs")).unwrap();
    assert!(moves.contains("#[fcp_verb(category = \"Move\")]\npub fn r#move("));
    assert_eq!(
        fs::read_to_string(verbs.join("mod.rs")).unwrap(),
        "//! The verbs.\n\nmod lyric_drop;\nmod r#move;\nmod put;\nmod time_sig;\n"
    );
}

#[test]
fn a_query_goes_to_the_queries() {
    let root = scratch();
    let answer = done(root.path(), &["toy", "box-map", "--query"]);
    assert!(answer.contains("mod queries;"), "{answer}");
    let queries = root.path().join("domains/toy/src/queries");
    let text = fs::read_to_string(queries.join("box_map.rs")).unwrap();
    assert!(
        text.contains("#[fcp_query(name = \"box-map\")]\npub fn box_map(\n    toy_box: &ToyBox,")
    );
    assert!(text.contains("/// ? box-map Example\n"));
    assert_eq!(
        fs::read_to_string(queries.join("mod.rs")).unwrap(),
        "//! The queries of Toys in boxes, one a file.\n\nmod box_map;\n"
    );
    formatted(&queries.join("box_map.rs"));
}

#[test]
fn bad_and_taken_phrases_are_refused_and_change_nothing() {
    let root = scratch();
    let list = root.path().join("domains/toy/src/verbs/mod.rs");
    let before = fs::read_to_string(&list).unwrap();
    for (arguments, expected) in [
        (&["toy", "Lyric"][..], "is not a phrase"),
        (&["toy", "a b c"], "is not a phrase"),
        (&["toy", "../../x"], "is not a phrase"),
        (&["toy", "put"], "is taken by domains/toy/src/verbs/put.rs"),
        (
            &["toy", "hush"],
            "is taken by domains/toy/src/verbs/lyric_drop.rs",
        ),
        (&["toy", "lyric-drop"], "is taken by"),
        (
            &["toi", "hush"],
            "there is no domain \"toi\"; there are: toy",
        ),
        (&["toy", "hum", "--category", "songs"], "\"Songs\""),
    ] {
        let error = refused(root.path(), arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read_to_string(&list).unwrap(), before);
    assert_eq!(fs::read_dir(list.parent().unwrap()).unwrap().count(), 3);
}
