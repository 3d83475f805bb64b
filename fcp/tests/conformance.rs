//! The contract's table is published as it is, and each row can fail: for each, a server is broken
//! in one way.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

#[path = "support/board.rs"]
mod board;
#[path = "conformance/decided.rs"]
mod decided;
#[path = "conformance/faults.rs"]
mod faults;
#[path = "conformance/line.rs"]
mod line;
#[path = "conformance/more.rs"]
mod more;
#[path = "support/shelf.rs"]
mod shelf;
#[path = "conformance/structured.rs"]
mod structured;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use decided::FAULTS as DECIDED;
use faults::FAULTS;
use fcp::testing::contract::{Report, judge, rows};
use line::{Fault, Server, Shelves};
use structured::FAULTS as STRUCTURED;

/// The table as a page.
fn page() -> String {
    let mut page = String::from(
        "# The contract, row by row\n\n\
         `cargo xtask conformance -- COMMAND [ARGUMENTS]` starts a server, speaks MCP with it, and proves each row. It knows no\n\
         domain: ops come from the workflow and the examples in the server's codebook, or from a script (`--samples`). A row is\n\
         `pass`, `FAIL`, `n/a` where the server has nothing of the kind, or `unproved` where its examples do not suffice. The\n\
         program ends with 0 if all rows pass or are not applicable. `--json` gives every exchange; `--rows M1,D7` proves some.\n\n\
         M, S and O are what a server must, should and may do; F the sections of the draft of 2026-02-26; D what was decided where\n\
         these leave room; T what structured tools must, where a server has these in place of the four. A server that breaks a row may also fail those that restate it, and no others: the tests break a server\n\
         in a way for each row, and look (`fcp/tests/conformance.rs`).\n\n\
         | Row | Rule | Proof | Restated by |\n|---|---|---|---|\n",
    );
    for row in rows() {
        let cell = |text: &str| text.replace('|', "\\|");
        let restated = row.restated.join(", ");
        page.push_str(&format!(
            "| {} | {} | {} | {restated} |\n",
            row.id,
            cell(row.rule),
            cell(row.proof)
        ));
    }
    page
}

#[test]
fn the_table_is_published_as_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/conformance.md");
    if std::env::var_os("FCP_BLESS").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let published = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == page(),
        "docs/conformance.md is stale: FCP_BLESS=1 cargo test -p fcp-framework --test conformance"
    );
}

#[test]
fn rows_differ_and_restate_existing_rows() {
    let ids: Vec<&str> = rows().map(|row| row.id).collect();
    let known: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len(), "two rows have one id");
    for wanted in ["M7", "S7", "O6", "F7", "D28"] {
        assert!(known.contains(wanted), "{wanted} is missing");
    }
    for row in rows() {
        let lost: Vec<_> = row
            .restated
            .iter()
            .filter(|id| !known.contains(**id))
            .collect();
        assert!(lost.is_empty(), "{} is restated by {lost:?}", row.id);
    }
}

/// Ops for rows that need more than the board's own short workflow.
const SAMPLES: &str = "
! new \"Plan\"
add lane Todo
add card Paint in:Todo pts:3
add card Hang in:Todo pts:95
modify Paint color:red
link Paint Hang
! save as:plan.board
";

fn judged(fault: Option<&'static Fault>) -> Report {
    let structured = fault.is_some_and(|fault| fault.row.starts_with('T'));
    if structured {
        return judge(&Shelves(fault), None, &[]).unwrap();
    }
    judge(&Server(fault), Some(SAMPLES), &[]).unwrap()
}

fn all() -> impl Iterator<Item = &'static Fault> {
    FAULTS.iter().chain(DECIDED).chain(STRUCTURED)
}

#[test]
fn a_sound_server_keeps_every_row() {
    let broken: HashSet<&str> = all().map(|fault| fault.row).collect();
    for (report, structured) in [
        (judged(None), false),
        (judge(&Shelves(None), None, &[]).unwrap(), true),
    ] {
        assert!(report.passes(), "{report}");
        let report = report.json();
        assert_eq!(report["passes"], true);
        for row in report["rows"].as_array().unwrap() {
            let id = row["row"].as_str().unwrap();
            assert!(broken.contains(id), "no fault breaks {id}");
            // Rows about the other kind of server are not applicable.
            let own = id.starts_with('T') == structured;
            assert!(own || row["verdict"] == "n/a", "{row}");
        }
    }
}

#[test]
fn a_broken_server_fails_its_row_and_those_that_restate_it() {
    let all: Vec<&'static Fault> = all().collect();
    // Servers wait for the disk most of the time.
    let threads = 4 * std::thread::available_parallelism().map_or(2, usize::from);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(fault) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = judged(Some(fault));
                    let row = rows().find(|row| row.id == fault.row).unwrap();
                    let failed = report.failed();
                    let more: Vec<_> = failed
                        .iter()
                        .filter(|id| **id != row.id && !row.restated.contains(id))
                        .collect();
                    if !failed.contains(&row.id) || !more.is_empty() {
                        let shown = report
                            .findings
                            .iter()
                            .filter(|finding| more.contains(&&finding.row.id));
                        let why: Vec<_> = shown
                            .map(|finding| {
                                finding
                                    .verdict
                                    .why()
                                    .unwrap_or_default()
                                    .chars()
                                    .take(200)
                                    .collect::<String>()
                            })
                            .collect();
                        wrong.lock().unwrap().push(format!(
                            "{} ({}): fails {failed:?}, too many are {more:?} {why:#?}",
                            fault.row, fault.how
                        ));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without a codebook or samples nothing is guessed: rows that need ops are unproved, which is not
/// a pass.
#[test]
fn without_a_codebook_nothing_is_guessed() {
    static BLIND: Fault = Fault {
        row: "F2",
        how: "there is no codebook",
        tamper: |line, message| {
            (message["method"] == "resources/read").then(|| line.pass(&serde_json::json!({ "jsonrpc": "2.0", "id": message["id"], "method": "resources/read", "params": { "uri": "fcp://board/none" } })))
        },
    };
    let report = judge(&Server(Some(&BLIND)), None, &[]).unwrap();
    assert!(!report.passes());
    let of = |id: &str| {
        report
            .findings
            .iter()
            .find(|finding| finding.row.id == id)
            .unwrap()
            .verdict
            .word()
    };
    for (id, word) in [
        ("M1", "pass"),
        ("M4", "unproved"),
        ("S5", "unproved"),
        ("D3", "unproved"),
        ("D28", "unproved"),
        ("O4", "unproved"),
        ("D15", "unproved"),
        ("D19", "pass"),
    ] {
        assert_eq!(of(id), word, "{id}");
    }
}
