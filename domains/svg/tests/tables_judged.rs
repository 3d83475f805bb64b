//! The tables of drawings, held against readers that this project did not write: `lxml`, `tinycss2` and `cssselect`, and of
//! points the renderer. Boxes and styles by themselves are held against the renderer in `corpus_boxes.rs` and
//! `corpus_styles.rs`; here their columns are held against these.
//!
//! Where they differ they do so for one of these reasons, and only there:
//!
//! - libxml2 counts lines otherwise in a start tag of several lines, and where a DOCTYPE declares entities: lines are
//!   compared elsewhere.
//! - What a DOCTYPE's entity holds as markup is drawn and not opened for editing, so it has no rows: [`APART`] names the
//!   files.
//! - The renderer's reader of style sheets takes fewer selectors than `cssselect`, and reads some that it should not. What
//!   is told is what is drawn, so [`UNLIKE`] names the selectors by their signs.
//! - Of two declarations that are `!important` the renderer takes the weaker, and so do the tables.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use fcp::endpoint::{Config, Endpoint, Spelling};
use fcp::prelude::Domain;
use fcp::session::Session;
use fcp::testing::{data, files, say};
use fcp_judges::python::{Process, made};
use fcp_svg::Drawing;
use serde_json::{Map, Value, json};

/// Selectors that ops are given, on every drawing.
const SELECTORS: &[&str] = &[
    "*",
    "rect",
    "g > *",
    "g rect, circle",
    "#rect1",
    "[id]",
    "[id^=r]",
    "[id$='1']",
    "[id*=ec]",
    "[fill=green]",
    "[class~=a]",
    "rect:not([fill])",
    ":not(g):not(svg)",
    "rect + *",
    "rect ~ *",
    "rect:first-child",
    ":last-child",
    ":only-child",
    ":nth-child(2n+1)",
    ":nth-last-child(2)",
    "rect:nth-of-type(2)",
    "stop:last-of-type",
    ":root > :empty",
];

/// The statements, by the names of the tables.
const TABLES: &[(&str, &str)] = &[
    (
        "elements",
        "SELECT ref, tag, id, class, parent, depth, nth, line, text, fill, stroke, xml FROM elements",
    ),
    ("attributes", "SELECT ref, name, value FROM attributes"),
    ("styles", "SELECT ref, property, value FROM styles"),
    (
        "rules",
        "SELECT selector, property, value, matches, at FROM rules",
    ),
    ("texts", "SELECT ref, text, kind FROM texts"),
    ("refs", "SELECT ref, place, target, found FROM refs"),
];

/// Every drawing: those of the data folder and the project's own.
fn drawings() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let shared = data("svg").into_iter();
    let shared = shared.flat_map(|svg| ["tests", "extra", "nasty"].map(|name| svg.join(name)));
    let folders = shared.chain([own]);
    folders
        .flat_map(|folder| files(&folder, &["svg"]))
        .collect()
}

/// The tables of a drawing as JSON.
fn tables(session: &mut Session<Drawing>, name: &str) -> Option<Map<String, Value>> {
    let mut tables = Map::new();
    for (table, sql) in TABLES {
        let answer = session.sql(name, sql, Spelling::Json);
        if answer.is_error {
            return None;
        }
        tables.insert((*table).to_owned(), serde_json::from_str(&answer.text).unwrap());
    }
    let drawing = session.model()?;
    let selected = SELECTORS.iter().map(|selector| {
        let rows = drawing.matching(selector).and_then(Result::ok).unwrap_or_default();
        let names = rows.into_iter().map(|row| {
            let id = fcp_svg::NodeId::new(row.id());
            Value::String(drawing.nodes.name(id))
        });
        ((*selector).to_owned(), names.collect())
    });
    tables.insert("selectors".to_owned(), Value::Object(selected.collect()));
    Some(tables)
}

#[test]
fn tables_are_those_of_other_readers() {
    let Some(python) = made(Path::new(env!("CARGO_BIN_EXE_fcp-svg"))) else {
        say("NOTHING WAS CHECKED: `cargo xtask judges` makes the Python that tables are held against");
        return;
    };
    let mut judge = Process::start(&python).unwrap();
    let root = tempfile::tempdir().unwrap();
    let mut session = Session::<Drawing>::new(&Config::at(root.path())).unwrap();
    let (mut compared, mut faults, mut refused) = (0, Vec::new(), Vec::new());
    for path in drawings() {
        let bytes = fs::read(&path).unwrap();
        fs::write(root.path().join("a.svg"), &bytes).unwrap();
        session.act("close discard");
        let Some(tables) = tables(&mut session, "a.svg") else {
            continue;
        };
        let name = path.display().to_string();
        let found = match judge.differences(&bytes, &json!(tables)) {
            Ok(found) => found,
            Err(reason) => {
                refused.push(format!("{name}: {reason}"));
                continue;
            }
        };
        compared += 1;
        faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(compared >= 5, "{compared} compared:\n{}", refused.join("\n"));
    say(&format!("{compared} drawings compared; the readers refuse {}:\n{}", refused.len(), refused.join("\n")));
    assert!(
        faults.is_empty(),
        "{} of {compared}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
