//! The memory of SQL is limited for a whole process, so these tests start their own.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use fcp::testing::Server;
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-midi");

/// A song of one track with some notes.
fn song(notes: usize) -> Vec<u8> {
    let events = [0, 0x90, 60, 64, 120, 0x80, 60, 64].repeat(notes);
    let len = u32::try_from(events.len() + 4).unwrap();
    let mut file = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk".to_vec();
    file.extend(len.to_be_bytes());
    file.extend(events);
    file.extend([0, 0xff, 0x2f, 0]);
    file
}

#[test]
fn a_table_that_needs_too_much_memory_spoils_no_other_statement() {
    let root = tempdir().unwrap();
    fs::write(root.path().join("many.mid"), song(20_000)).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open many.mid");
    server.act("set sql-memory:1");
    for _ in 0..2 {
        let error = server.no_query("SELECT * FROM notes, events LIMIT 1");
        assert!(
            error.contains("takes more than 1 MiB (set sql-memory:MIB moves it)"),
            "{error}"
        );
    }
    let count = server.query("SELECT count(*) FROM tracks");
    assert!(count.contains("\n1\n(1 row)"), "{count}");
    server.act("set sql-memory:512");
    let count = server.query("SELECT count(*), count(seconds) FROM notes");
    assert!(count.contains("20000 | 20000"), "{count}");
}
