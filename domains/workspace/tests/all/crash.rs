//! A server killed while it writes.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::kit::{Repo, random, rounds};

/// The long run has 500 writes. Each is killed at a random moment within the time of a whole write.
#[test]
fn a_killed_server_leaves_the_old_bytes_or_the_new_ones() {
    let kills = rounds("FCP_WORKSPACE_KILLS", 25);
    let repo = Repo::new();
    let content = |round: usize| format!("{round}\n").repeat(100_000);
    repo.write("f", content(0));
    let write = |round: usize| json!({ "path": "f", "content": content(round) });

    let mut client = repo.client();
    client.ok("workspace.write_file", write(0));
    let start = Instant::now();
    client.ok("workspace.write_file", write(0));
    // A little longer than a write, so that some writes complete.
    let whole = u64::try_from(start.elapsed().as_micros()).unwrap() * 5 / 4;
    drop(client);

    let mut state = 0x0dd0_5eed_1234_5678;
    let (mut now, mut kept, mut written) = (0, 0, 0);
    for round in 1..=kills {
        let mut client = repo.client();
        let line = fcp::testing::line(
            i64::try_from(round).unwrap(),
            "workspace.write_file",
            write(round),
        );
        client.server.write(line.as_bytes());
        sleep(Duration::from_micros(random(&mut state) % whole));
        client.server.child.kill().unwrap();
        client.server.child.wait().unwrap();
        let found = repo.text("f");
        if found == content(round) {
            (now, written) = (round, written + 1);
        } else {
            kept += 1;
        }
        assert!(
            found == content(now),
            "round {round} left neither the old bytes nor the new ones"
        );
    }
    assert!(
        kept > 0 && written > 0,
        "{kept} of {kills} writes were stopped, {written} came through: the kills were not random"
    );
    // Leftovers next to the target are removed when the next server starts.
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
