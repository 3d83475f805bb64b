//! The runtime's services for every domain, shown on a small board of lanes and cards.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

#[path = "support/board.rs"]
mod board;

#[path = "runtime/batches.rs"]
mod batches;
#[path = "runtime/computed.rs"]
mod computed;
#[path = "runtime/errors.rs"]
mod errors;
#[path = "runtime/files.rs"]
mod files;
#[path = "runtime/guesses.rs"]
mod guesses;
#[path = "runtime/names.rs"]
mod names;
#[path = "runtime/properties.rs"]
mod properties;
#[path = "runtime/queries.rs"]
mod queries;
#[path = "runtime/replies.rs"]
mod replies;
#[path = "runtime/selectors.rs"]
mod selectors;
#[path = "runtime/sessions.rs"]
mod sessions;
#[path = "runtime/tables.rs"]
mod tables;
#[path = "runtime/verbs.rs"]
mod verbs;
#[path = "runtime/warnings.rs"]
mod warnings;
#[path = "runtime/work.rs"]
mod work;

use board::Board;
use fcp::endpoint::{Answer, Config, Endpoint, Policy};
use fcp::session::Session;

/// A session in its own folder.
struct Play {
    session: Session<Board>,
    dir: tempfile::TempDir,
}

impl Play {
    /// A session without a document.
    fn closed() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = Config::at(dir.path());
        let session = Session::new(&config).unwrap();
        Self { session, dir }
    }

    /// A session with an empty board.
    fn empty() -> Self {
        let mut play = Self::closed();
        play.act("new");
        play
    }

    /// A session with lanes Todo and Done, people Ann and Bob, cards Paint (5, Ann's) and Hang (8)
    /// in Todo, Buy (20, red) in Done, and a link from Paint to Hang.
    fn new() -> Self {
        let mut play = Self::empty();
        play.ops(&[
            "add lane Todo",
            "add lane Done",
            "add person Ann",
            "add person Bob",
            "add card Paint in:Todo pts:5 owner:Ann",
            "add card Hang in:Todo pts:8",
            "add card Buy in:Done pts:20 color:red",
            "link Paint Hang",
        ]);
        play
    }

    fn run(&mut self, ops: &[&str], policy: Option<Policy>) -> Answer {
        let ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
        self.session.run(&ops, policy)
    }

    /// Runs ops that must work.
    fn ops(&mut self, ops: &[&str]) -> String {
        let answer = self.run(ops, None);
        assert!(!answer.is_error, "{}", answer.text);
        answer.text
    }

    /// The reply to an op that must work, without its warnings and digest.
    fn ok(&mut self, op: &str) -> String {
        let text = self.ops(&[op]);
        let (reply, digest) = text.rsplit_once('\n').expect("a digest");
        assert!(digest.starts_with('[') && digest.ends_with(']'), "{text}");
        let lines = reply.lines().filter(|line| !line.starts_with("? "));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The reply to an op that must fail, without its digest, which must be unchanged.
    fn err(&mut self, op: &str) -> String {
        let before = self.session.digest().expect("a document");
        let answer = self.run(&[op], None);
        assert!(answer.is_error, "{}", answer.text);
        let (reply, digest) = answer.text.rsplit_once('\n').expect("a digest");
        assert_eq!(digest, before);
        assert!(reply.starts_with("! "), "{reply}");
        reply.to_owned()
    }

    /// Runs an op that must fail: returns its message, and its repair, which must work.
    fn mend(&mut self, op: &str) -> (String, String) {
        let reply = self.err(op);
        let (message, repair) = reply
            .split_once("\n  try: ")
            .unwrap_or_else(|| panic!("no try: in {reply}"));
        assert!(!repair.contains('\n'), "{reply}");
        (message.to_owned(), repair.to_owned())
    }

    fn act(&mut self, action: &str) -> String {
        let answer = self.session.act(action);
        assert!(!answer.is_error, "{action}: {}", answer.text);
        answer.text
    }

    /// The error of a session action, without the digest.
    fn act_err(&mut self, action: &str) -> String {
        let answer = self.session.act(action);
        assert!(answer.is_error, "{action}: {}", answer.text);
        match answer.text.rsplit_once('\n') {
            Some((text, digest)) if digest.starts_with('[') && digest.ends_with(']') => {
                text.to_owned()
            }
            _ => answer.text,
        }
    }

    fn ask(&mut self, query: &str) -> String {
        let answer = self.session.query(query);
        assert!(!answer.is_error, "{query}: {}", answer.text);
        answer.text
    }

    fn ask_err(&mut self, query: &str) -> String {
        let answer = self.session.query(query);
        assert!(answer.is_error, "{query}: {}", answer.text);
        answer.text
    }

    fn digest(&self) -> String {
        self.session.digest().expect("a document")
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }
}

/// The `#9f3a1c` of a digest.
fn hash(digest: &str) -> &str {
    digest.rsplit(' ').next().unwrap()
}
