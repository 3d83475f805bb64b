//! The contract's table is published as it is.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use fcp::testing::contract::rows;

/// The table as a page.
fn page() -> String {
    let mut page = String::from(
        "# The contract, row by row\n\n\
         `cargo xtask conformance -- COMMAND [ARGUMENTS]` starts a server, speaks MCP with it, and proves each row. It knows no\n\
         domain: ops come from the workflow and the examples in the server's codebook, or from a script (`--samples`). A row is\n\
         `pass`, `FAIL`, `n/a` where the server has nothing of the kind, or `unproved` where its examples do not suffice. The\n\
         program ends with 0 if all rows pass or are not applicable. `--json` gives every exchange; `--rows M1,D7` proves some.\n\n\
         M, S and O are what a server must, should and may do; F the sections of the draft of 2026-02-26; D what was decided where\n\
         these leave room. A server that breaks a row may also fail those that restate it, and no others: the tests break a server\n\
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
        "docs/conformance.md is stale: FCP_BLESS=1 cargo test -p fcp --test conformance"
    );
}

#[test]
fn rows_are_told_apart_and_restate_rows_that_are_there() {
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
