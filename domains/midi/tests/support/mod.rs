//! Common parts of the tests of the whole domain: files of all kinds, and a session to edit them.
#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

#[path = "../smf_build/mod.rs"]
pub mod smf_build;

pub mod corpus;
pub mod data;
pub mod piped;
pub mod scores;

use fcp::endpoint::{Config, Endpoint};
use fcp::session::Session;
use fcp_midi::Song;
use fcp_midi::smf::{self, File};
use tempfile::TempDir;

/// A session in a folder of its own.
pub struct Desk {
    pub root: TempDir,
    pub session: Session<Song>,
}

impl Desk {
    /// A session without a document.
    pub fn new() -> Self {
        let root = TempDir::new().unwrap();
        let session = Session::new(&Config::at(root.path())).unwrap();
        Self { root, session }
    }

    /// A session on a new song.
    pub fn blank() -> Self {
        let mut desk = Self::new();
        desk.act("new");
        desk
    }

    /// A session with these bytes as a file.
    pub fn on(bytes: &[u8]) -> Self {
        let mut desk = Self::new();
        desk.open(bytes);
        desk
    }

    /// Opens these bytes as a file; returns the reply.
    pub fn open(&mut self, bytes: &[u8]) -> String {
        std::fs::write(self.root.path().join("song.mid"), bytes).unwrap();
        self.act("open song.mid")
    }

    /// Runs an op, which must succeed.
    pub fn run(&mut self, op: &str) -> String {
        let answer = self.session.run(&[op.to_owned()], None);
        assert!(!answer.is_error, "{op}\n{}", answer.text);
        answer.text
    }

    /// Runs an op, which must be rejected.
    pub fn refused(&mut self, op: &str) -> String {
        let answer = self.session.run(&[op.to_owned()], None);
        assert!(answer.is_error, "{op}\n{}", answer.text);
        answer.text
    }

    /// Runs an action, which must succeed.
    pub fn act(&mut self, action: &str) -> String {
        let answer = self.session.act(action);
        assert!(!answer.is_error, "{action}\n{}", answer.text);
        answer.text
    }

    /// Runs a query, which must succeed.
    pub fn ask(&mut self, query: &str) -> String {
        let answer = self.session.query(query);
        assert!(!answer.is_error, "{query}\n{}", answer.text);
        answer.text
    }

    /// The song.
    pub fn song(&self) -> &Song {
        self.session.model().unwrap()
    }

    /// The bytes that a save would write.
    pub fn bytes(&self) -> Vec<u8> {
        fcp_midi::format::write(self.song()).unwrap()
    }

    /// The parsed bytes that a save would write.
    pub fn file(&self) -> File {
        smf::read(&self.bytes()).unwrap()
    }

    /// The events that a save would write, one per line.
    pub fn events(&self) -> String {
        smf::export_events(&self.file())
    }

    /// The digest.
    pub fn digest(&self) -> String {
        self.session.digest().unwrap()
    }

    /// Checks that the saved file opens with the same content.
    pub fn settles(&self, what: &str) {
        let mut other = Self::new();
        let bytes = self.bytes();
        other.open(&bytes);
        assert_eq!(
            other.digest(),
            self.digest(),
            "{what}: saved and opened again it is another song:\n{}",
            self.events()
        );
        assert!(
            other.bytes() == bytes,
            "{what}: saved, opened and saved again it has other bytes"
        );
    }
}

/// The lines of `after` that are missing in `before`, and vice versa, counting repetitions.
pub fn differences(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let mut gone: Vec<String> = before.lines().map(str::to_owned).collect();
    let mut new = Vec::new();
    let mut at = std::collections::HashMap::<String, usize>::new();
    for line in &gone {
        *at.entry(line.clone()).or_default() += 1;
    }
    for line in after.lines() {
        match at.get_mut(line) {
            Some(n) if *n > 0 => *n -= 1,
            _ => new.push(line.to_owned()),
        }
    }
    gone.retain(|line| match at.get_mut(line) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    });
    (gone, new)
}
