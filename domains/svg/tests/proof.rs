//! The account of a save agrees with the files on disk, with the real program.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use fcp::testing::{Proof, Server};
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-svg");

/// Calls for any drawing, each with a different resulting file.
const CALLS: &[&[&str]] = &[
    &[],
    &["add rect new at:1,1 size:3x3 fill:red"],
    &["style @all stroke:#123456"],
    &["remove @type:text"],
    &["canvas background:white", "move @all by:3,4"],
    &["replace '</svg>' '<!-- the end --></svg>'"],
];

/// Lines, with their counts.
fn lines(path: &Path) -> HashMap<String, usize> {
    let mut lines = HashMap::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        *lines.entry(line.to_owned()).or_default() += 1;
    }
    lines
}

#[test]
fn the_account_of_a_save_agrees_with_the_files() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut saved_some = 0;
    for name in ["arranged.svg", "chart.svg", "logo.svg", "warned.svg"] {
        let root = tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::copy(files.join(name), path("in.svg")).unwrap();
        let mut server = Server::new(PROGRAM, root.path());
        for (ix, ops) in CALLS.iter().enumerate() {
            server.act("open in.svg");
            if !ops.is_empty() {
                let (_, error) = server.call("svg", serde_json::json!({ "ops": ops }));
                if error {
                    continue;
                }
            }
            let out = format!("out{ix}.svg");
            let saved = server.act(&format!("save as:{out}"));
            Proof::of(&saved).holds(&path("in.svg"), &path(&out));
            saved_some += 1;
        }
    }
    assert!(saved_some >= 16, "{saved_some} saves");
}

#[test]
fn every_line_that_differs_is_in_the_account() {
    let given = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 90 90\">\n  <!-- old -->\n  \
        <rect id=\"a\" width=\"4\" height=\"2\" fill=\"green\"/>\n  <rect id=\"b\" width=\"4\" height=\"2\"/>\n  \
        <circle id=\"c\" r=\"2\" fill=\"url(#g)\"/>\n  <linearGradient id=\"g\"/>\n</svg>\n";
    let root = tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    fs::write(path("in.svg"), given).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open in.svg");
    server.run(&[
        "style a fill:blue",
        "remove b",
        "rename g paint",
        "replace old new",
    ]);
    let saved = server.act("save as:out.svg");
    Proof::of(&saved).holds(&path("in.svg"), &path("out.svg"));
    let (old, new) = (lines(&path("in.svg")), lines(&path("out.svg")));
    let gone = old
        .iter()
        .filter(|(line, _)| !new.contains_key(*line))
        .count();
    assert_eq!(gone, 5, "lines of the old file that differ");
    for row in [
        "~ rect a ",
        "- rect b ",
        "~ circle c ",
        "~ comment ",
        "~ gradient g ",
    ] {
        let of_row = saved
            .lines()
            .filter(|line| line.contains(row.trim_end()))
            .count();
        assert_eq!(of_row, 1, "{row}\n{saved}");
    }
    assert!(saved.contains("fill green -> blue"), "{saved}");
}

#[test]
fn a_packed_file_reports_both_lengths() {
    let root = tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    fs::write(
        path("in.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"a\" width=\"4\" height=\"2\"/></svg>\n",
    )
    .unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open in.svg");
    server.run(&["style a fill:blue"]);
    let saved = server.act("save as:out.svgz");
    let has = fs::metadata(path("out.svgz")).unwrap().len();
    assert!(
        saved.contains(&format!("out.svgz has {has}, unpacked ")),
        "{saved}"
    );
}
