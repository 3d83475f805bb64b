//! Saves that a signal or the system interrupts, of any domain's program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::play::{Scratch, scratch};
use super::server::Server;

/// A document of a domain, and an op that changes it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The name of its file.
    pub name: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// The op.
    pub op: &'a str,
}

impl Sample<'_> {
    fn folder(&self) -> Scratch {
        let root = scratch();
        fs::write(root.path().join(self.name), self.bytes).unwrap();
        root
    }

    /// Opens the file and changes the document.
    fn edit(&self, server: &mut Server) {
        server.act(&format!("open {}", self.name));
        server.run(&[self.op]);
    }
}

/// Checks that a save during which the server is asked to end leaves the old file or the new one, as its answer says, and
/// that the server answers all that it has read, exits with 0 and leaves no other file.
///
/// # Panics
/// The check fails.
pub fn saves_whole_at_signals(program: &str, sample: Sample<'_>) {
    const ROUNDS: u64 = 15;
    let root = sample.folder();
    let path = root.path().join(sample.name);
    let mut server = Server::new(program, root.path());
    sample.edit(&mut server);
    server.act("save");
    let new = fs::read(&path).unwrap();
    assert_ne!(new, sample.bytes);
    for round in 0..ROUNDS {
        fs::write(&path, sample.bytes).unwrap();
        let mut server = Server::new(program, root.path());
        sample.edit(&mut server);
        let save = server.line(1, "_session", json!({ "action": "save" }));
        server.write(save.as_bytes());
        // A ping is answered when all before it is read.
        server.say(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }));
        let mut replies: Vec<Value> = Vec::new();
        let is_read = round % 2 == 0;
        while is_read && !replies.iter().any(|reply| reply["id"] == 2) {
            replies.push(server.hear());
        }
        thread::sleep(Duration::from_micros(round * 20_000 / (ROUNDS - 1)));
        server.signal(round % 4 < 2);
        assert_eq!(server.ended().code(), Some(0), "round {round}");
        replies.extend(server.rest());
        let mut saves = replies.iter().filter(|reply| reply["id"] == 1);
        let reply = saves.next();
        assert_eq!(saves.next(), None, "round {round}: two answers");
        let is_saved = reply.is_some_and(|reply| reply["result"]["isError"] == false);
        assert!(reply.is_some() || !is_read, "round {round}: no answer");
        let expected = if is_saved { &new } else { sample.bytes };
        let found = fs::read(&path).unwrap();
        assert!(found == expected, "round {round}: {reply:?}");
        assert_eq!(names(root.path()), [sample.name], "round {round}");
    }
}

/// Checks that a save that the system ends, by its limit of a file's size or because the folder is gone, keeps the old
/// file and the changes, leaves no other file and is reported, and that a later save succeeds.
///
/// The sample takes over 200 KiB.
///
/// # Panics
/// The check fails.
pub fn keeps_the_old_file_if_a_save_fails(program: &str, sample: Sample<'_>, small: Sample<'_>) {
    let root = sample.folder();
    let limited = scratch();
    let script = limited.path().join("limited");
    // The unit is 512 bytes in some shells and 1024 in others.
    let text = format!("#!/bin/sh\nulimit -f 200\nexec '{program}' \"$@\"\n");
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut server = Server::new(script.to_str().unwrap(), root.path());
    sample.edit(&mut server);
    let refused = server.no_act("save");
    assert!(refused.contains("file too large"), "{refused}");
    assert!(fs::read(root.path().join(sample.name)).unwrap() == sample.bytes);
    assert_eq!(names(root.path()), [sample.name]);
    assert!(server.query("status").contains("unsaved changes: yes"));

    fs::write(root.path().join(small.name), small.bytes).unwrap();
    small.edit(&mut server);
    let saved = server.act("save");
    assert!(saved.starts_with("* Saved"), "{saved}");
    assert_ne!(fs::read(root.path().join(small.name)).unwrap(), small.bytes);

    let folder = root.path().join("inner");
    fs::create_dir(&folder).unwrap();
    server.act(&format!("save as:inner/{}", small.name));
    server.act("undo");
    fs::remove_dir_all(&folder).unwrap();
    let refused = server.no_act("save");
    assert!(
        refused.starts_with("! ") && refused.contains("inner"),
        "{refused}"
    );
    assert!(server.query("status").contains("unsaved changes: yes"));
    assert!(!folder.exists());
    fs::create_dir(&folder).unwrap();
    server.act(&format!("save as:inner/{} force", small.name));
    assert_eq!(names(&folder), [small.name]);
}

/// Checks that of two servers that save one file at the same time one succeeds, and the other reports the change.
///
/// # Panics
/// The check fails.
pub fn saves_of_two_servers_are_not_lost(program: &str, sample: Sample<'_>, other: &str) {
    let root = sample.folder();
    let path = root.path().join(sample.name);
    let mut servers = [(); 2].map(|()| Server::new(program, root.path()));
    let news = [sample.op, other].map(|op| {
        fs::write(&path, sample.bytes).unwrap();
        Sample { op, ..sample }.edit(&mut servers[0]);
        servers[0].act("save");
        fs::read(&path).unwrap()
    });
    assert_ne!(news[0], news[1]);
    for round in 0..30 {
        fs::write(&path, sample.bytes).unwrap();
        for (server, op) in servers.iter_mut().zip([sample.op, other]) {
            Sample { op, ..sample }.edit(server);
        }
        // The first to write has an advantage.
        for at in [round % 2, 1 - round % 2] {
            let save = servers[at].line(1, "_session", json!({ "action": "save" }));
            servers[at].write(save.as_bytes());
        }
        let texts = servers.each_mut().map(|server| {
            let reply = server.hear();
            let text = reply["result"]["content"][0]["text"].as_str();
            match text.unwrap_or_else(|| panic!("{reply}")) {
                // The other save took long.
                text if text.contains("locked the folder") => server.no_act("save"),
                text => text.to_owned(),
            }
        });
        let saved = texts.each_ref().map(|text| text.starts_with("* Saved"));
        let winner = usize::from(saved[1]);
        assert_ne!(saved[0], saved[1], "round {round}: {texts:?}");
        let refused = &texts[1 - winner];
        assert!(
            refused.contains("changed on disk"),
            "round {round}: {refused}"
        );
        assert!(fs::read(&path).unwrap() == news[winner], "round {round}");
    }
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
