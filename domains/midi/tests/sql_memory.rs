//! The memory of SQL is limited for a whole process, so these tests start their own.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::testing::Server;
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-midi");

#[test]
fn a_table_that_needs_too_much_memory_spoils_no_other_statement() {
    let root = tempdir().unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("new");
    server.run(&["track add A"]);
    let ops: Vec<String> = (0..3_000)
        .map(|at| format!("note A C4 at:{}.{} dur:q", at / 4 + 1, at % 4 + 1))
        .collect();
    let ops: Vec<&str> = ops.iter().map(String::as_str).collect();
    server.run(&ops);
    server.act("set sql-memory:1");
    for _ in 0..2 {
        let error = server.no_query("SELECT * FROM notes, events LIMIT 1");
        assert!(
            error.contains("takes more than 1 MiB (set sql-memory:MIB moves it)"),
            "{error}"
        );
    }
    let count = server.query("SELECT count(*) FROM tracks");
    assert!(count.contains("1\n(1 row)"), "{count}");
    server.act("set sql-memory:512");
    let count = server.query("SELECT count(*), count(seconds) FROM notes");
    assert!(count.contains("3000 | 3000"), "{count}");
}
