//! The program from a client's view.

use std::path::Path;

use fcp::testing::Server;
use serde_json::json;

#[test]
fn counts_last_until_reset() {
    let mut server = Server::new(env!("CARGO_BIN_EXE_fcp-tally"), Path::new("."));
    for (tool, arguments, answer) in [
        (
            "count",
            json!({ "name": "bolts" }),
            json!({ "name": "bolts", "count": 1 }),
        ),
        (
            "total",
            json!({}),
            json!({ "of": "all", "counters": 1, "count": 1 }),
        ),
        ("reset", json!({}), json!({ "counters": 1 })),
        (
            "total",
            json!({}),
            json!({ "of": "all", "counters": 0, "count": 0 }),
        ),
    ] {
        assert_eq!(server.answer(tool, arguments), answer, "{tool}");
    }
    assert!(server.end().success());
}
