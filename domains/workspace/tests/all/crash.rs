//! A server that is killed while it writes.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::kit::Repo;

#[test]
fn a_killed_server_leaves_the_old_bytes_or_the_new_ones() {
    let kills: u64 = std::env::var("FCP_WORKSPACE_KILLS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(25);
    let repo = Repo::new();
    let content = |round: u64| format!("{round}\n").repeat(20_000);
    repo.write("f", content(0));
    let mut now = 0;
    for round in 1..=kills {
        let mut client = repo.client();
        let line = fcp::testing::line(
            i64::try_from(round).unwrap(),
            "workspace.write_file",
            json!({ "path": "f", "content": content(round) }),
        );
        client.server.write(line.as_bytes());
        // Long enough for none, some or all of the write.
        sleep(Duration::from_millis(round % 20));
        client.server.child.kill().unwrap();
        client.server.child.wait().unwrap();
        let found = repo.text("f");
        if found == content(round) {
            now = round;
        }
        assert!(
            found == content(now),
            "round {round} left neither the old bytes nor the new ones"
        );
    }
    // What was left beside the target goes when the next server starts.
    drop(repo.client());
    let names: Vec<String> = fs::read_dir(&repo.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names.iter().all(|name| !name.starts_with(".fcp-")),
        "{names:?}"
    );
}
