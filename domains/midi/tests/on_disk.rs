//! The program and its files: none outside the root is accessible, none is lost, none is
//! overwritten unasked.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::time::Duration;

use crate::support::piped::{NOTE, PROGRAM, digest, many_notes, notes, server};
use crate::support::smf_build::single;
#[cfg(unix)]
use fcp::testing::Sample;
use fcp::testing::{Server, line};
use serde_json::json;
use tempfile::tempdir;

#[test]
fn files_outside_of_the_root_are_out_of_reach() {
    let outer = tempdir().unwrap();
    let root = outer.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(outer.path().join("secret.mid"), single(NOTE)).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path().join("secret.mid"), root.join("link.mid")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outer.path(), root.join("out")).unwrap();
    let mut server = Server::new(PROGRAM, &root);
    server.act("new");
    let secret = outer.path().join("secret.mid");
    for path in [
        "../secret.mid",
        "link.mid",
        "out/secret.mid",
        "a/../../secret.mid",
        secret.to_str().unwrap(),
    ] {
        let text = server.no_act(&format!("open {path}"));
        assert!(text.starts_with("! "), "{text}");
        server.no_act(&format!("save as:{path}"));
        server.no_act(&format!("save as:{path} force"));
        server.no_act(&format!("export as:{path}"));
    }
    server.no_act("save as:../new.mid");
    assert!(!outer.path().join("new.mid").exists());
    assert_eq!(fs::read(secret).unwrap(), single(NOTE));
    fs::write(root.join("own.mid"), single(NOTE)).unwrap();
    // An absolute path that leads inside is allowed.
    let (text, _) = server.call(
        "midi_session",
        json!({ "action": format!("open {}", root.join("own.mid").display()) }),
    );
    assert!(
        text.starts_with("+ Opened") || text.starts_with("! "),
        "{text}"
    );
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten_unless_forced() {
    let (root, mut server) = server();
    let path = root.path().join("song.mid");
    fs::write(&path, single(NOTE)).unwrap();
    server.act("open song.mid");
    server.run(&["note 1 E4 at:2.1"]);
    let theirs = [single(NOTE), b"x".to_vec()].concat();
    fs::write(&path, &theirs).unwrap();
    let text = server.no_act("save");
    assert!(text.contains("\n  try: save as:song-2.mid"), "{text}");
    assert_eq!(fs::read(&path).unwrap(), theirs);
    server.act("save force");
    assert_eq!(notes(&path).len(), 2);
    // Nor is an existing file overwritten under another name.
    fs::write(root.path().join("other.mid"), &theirs).unwrap();
    let text = server.no_act("save as:other.mid");
    assert!(text.contains("try: save as:other-2.mid"), "{text}");
    assert_eq!(fs::read(root.path().join("other.mid")).unwrap(), theirs);
}

#[test]
fn a_new_song_never_goes_into_the_file_that_was_open_before() {
    let (root, mut server) = server();
    let path = root.path().join("song.mid");
    fs::write(&path, single(NOTE)).unwrap();
    server.act("open song.mid");
    server.act("new \"Other\"");
    server.run(&["track add Piano", "note Piano C4"]);
    let text = server.no_act("save");
    assert!(text.contains("\n  try: save as:./other.mid"), "{text}");
    assert_eq!(fs::read(&path).unwrap(), single(NOTE));
    server.act("save as:./other.mid");
    assert_eq!(fs::read(&path).unwrap(), single(NOTE));
    assert_eq!(notes(&root.path().join("other.mid")).len(), 1);
}

#[test]
fn unsaved_songs_are_set_aside_and_come_back() {
    let (_root, mut server) = server();
    server.act("new \"First\"");
    let first = server.run(&["track add Piano", "note Piano C4"]);
    let text = server.no_act("close");
    assert!(
        text.contains("close discard") && text.contains("\n  try: save as:./first.mid"),
        "{text}"
    );
    let text = server.act("new \"Second\"");
    assert!(
        text.contains("\n? the unsaved document was set aside"),
        "{text}"
    );
    let text = server.act("resume");
    assert_eq!(digest(&text), digest(&first));
    let text = server.act("undo 2");
    assert!(digest(&text).starts_with("[0t 0e"), "{text}");
    server.act("redo 2");
    server.act("close discard");
    server.no_query("map");
    // An empty song without any ops is not kept.
    server.no_act("resume");
}

#[test]
fn a_kill_in_the_middle_of_a_save_leaves_the_old_file_or_the_new_one() {
    let root = tempdir().unwrap();
    let path = root.path().join("song.mid");
    let old = many_notes(20_000);
    let mut seen = [0, 0];
    for round in 0..12_u64 {
        fs::write(&path, &old).unwrap();
        let mut server = Server::new(PROGRAM, root.path());
        server.act("open song.mid");
        server.run(&["modify #3 vel:99"]);
        server.write(line(1, "midi_session", json!({ "action": "save" })).as_bytes());
        std::thread::sleep(Duration::from_micros(round * round * 700));
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        let found = fs::read(&path).unwrap();
        assert_eq!(found.len(), old.len(), "round {round}");
        let differing = found.iter().zip(&old).filter(|(a, b)| a != b).count();
        assert!(differing <= 1, "round {round}: {differing} bytes differ");
        seen[differing] += 1;
    }
    fcp::testing::say(&format!(
        "killed while saving: {} times the old file, {} times the new one",
        seen[0], seen[1]
    ));
}

#[cfg(unix)]
#[test]
fn a_call_in_hand_is_answered_when_the_server_is_asked_to_end() {
    const LONG: usize = 20_000;
    let (_root, mut server) = server();
    server.act("new");
    server.run(&["track add Piano instrument:piano"]);
    let ops = vec!["note Piano C4 at:1.1 dur:q"; LONG];
    server.write(line(1, "midi", json!({ "ops": ops })).as_bytes());
    server.write(line(2, "midi", json!({ "ops": ["note Piano D4 at:1.1 dur:q"] })).as_bytes());
    std::thread::sleep(Duration::from_millis(300));
    server.signal(true);
    let reply = server.hear();
    assert_eq!(reply["id"], 1, "{reply}");
    assert_eq!(reply["result"]["isError"], false);
    let behind = server.hear();
    assert_eq!(behind["id"], 2, "{behind}");
    assert!(
        behind
            .to_string()
            .contains("the server ends; this was not applied"),
        "{behind}"
    );
    assert_eq!(server.ended().code(), Some(0));
}

/// A note, and a message of its maker of this many bytes.
#[cfg(unix)]
fn with_message(bytes: u32) -> Vec<u8> {
    let sevens = [14, 7, 0].map(|place| u8::try_from(bytes >> place & 0x7f).unwrap());
    let length = [sevens[0] | 0x80, sevens[1] | 0x80, sevens[2]];
    let content = vec![0x43; bytes as usize - 1];
    single(&[&[0, 0xf0], &length[..], &content, &[0xf7], NOTE].concat())
}

#[cfg(unix)]
#[test]
fn a_save_is_whole_when_the_server_is_asked_to_end() {
    let bytes = with_message(2_000_000);
    let sample = Sample {
        name: "song.mid",
        bytes: &bytes,
        op: "note 1 E4 at:2.1",
    };
    fcp::testing::saves_whole_at_signals(PROGRAM, sample);
}

#[cfg(unix)]
#[test]
fn a_save_that_the_system_ends_keeps_the_old_file() {
    let sample = |name, bytes| Sample {
        name,
        bytes,
        op: "note 1 E4 at:2.1",
    };
    let (large, small) = (with_message(500_000), single(NOTE));
    fcp::testing::keeps_the_old_file_if_a_save_fails(
        PROGRAM,
        sample("song.mid", &large),
        sample("small.mid", &small),
    );
}

#[cfg(unix)]
#[test]
fn of_two_servers_that_save_one_song_one_succeeds() {
    let bytes = with_message(2_000_000);
    let sample = Sample {
        name: "song.mid",
        bytes: &bytes,
        op: "note 1 E4 at:2.1",
    };
    fcp::testing::saves_of_two_servers_are_not_lost(PROGRAM, sample, "note 1 G4 at:2.1");
}
