//! Any text as an SQL statement.

use std::cell::RefCell;
use std::fs;
use std::time::{Duration, Instant};

use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::op::spell_param;
use crate::session::Session;
use crate::testing::play::{Scratch, play, scratch, session};

/// The time limit of a statement, generous enough for a debug build on a busy machine.
const SOON: Duration = Duration::from_secs(30);

/// The most bytes of an answer.
const ANSWER: usize = 64 * 1024;

/// A document that receives any statement.
pub struct Statements<M: Domain> {
    session: RefCell<Session<M>>,
    root: Scratch,
}

impl<M: Domain> Statements<M> {
    /// Statements are sent to a new document after a script.
    ///
    /// # Panics
    /// The script fails.
    #[must_use]
    pub fn new(set_up: &str) -> Self {
        let root = scratch();
        let mut session = session::<M>(root.path());
        session.act("new");
        if let Err((line, failure)) = play(&mut session, set_up) {
            panic!("the set-up fails in its line {line}:\n{failure}");
        }
        Self {
            session: RefCell::new(session),
            root,
        }
    }

    /// Sends a text as a query, and as a condition. Checks that it changes nothing, writes no file,
    /// ends soon, and gets the same answer the second time.
    ///
    /// # Panics
    /// A check fails.
    pub fn holds(&self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let mut session = self.session.borrow_mut();
        let before = session.digest();
        let condition = spell_param("@where", &text);
        for query in [
            format!("SELECT {text}"),
            format!("list {condition}"),
            text.to_string(),
        ] {
            let start = Instant::now();
            let (one, other) = (session.query(&query), session.query(&query));
            let took = start.elapsed();
            assert_eq!(one.text, other.text, "two answers to {query:?}");
            assert!(
                one.text.len() <= ANSWER,
                "{} bytes for {query:?}",
                one.text.len()
            );
            assert!(took < SOON, "{took:?} for {query:?}");
            assert_eq!(session.digest(), before, "{query:?} changed the document");
        }
        let files = fs::read_dir(self.root.path()).map_or(0, Iterator::count);
        assert_eq!(files, 0, "{text:?} wrote a file");
    }
}
