//! A session that returns to its state after each op, for trying ops.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Domain;
use crate::endpoint::{Answer, Endpoint};
use crate::model::Row;
use crate::session::Session;
use crate::testing::play::{Scratch, play, scratch, session};

/// The queries compared before and after a refused op.
const LOOKS: &[&str] = &[
    "status",
    "history 1000",
    "list @recent:5",
    "list limit:1000",
];

/// A document made by a script, and a session that returns to it after each op.
pub struct Stage<M: Domain> {
    script: String,
    session: Session<M>,
    seen: Seen,
    /// The results of intended ops sent so far.
    goals: BTreeMap<String, Sent>,
    _root: Scratch,
}

/// Everything that a refused op must leave unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    /// The bytes that a save writes.
    bytes: Vec<u8>,
    digest: String,
    looks: Vec<String>,
    /// The next id.
    id: u32,
}

/// The result of an op.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    pub taken: bool,
    pub text: String,
    /// The digest after it.
    pub digest: String,
    /// The rows that it added, changed or removed.
    pub rows: BTreeSet<Row>,
    /// The change that it made although it was refused, if any.
    pub trace: Option<String>,
}

impl<M: Domain> Stage<M> {
    /// A new document after a script.
    pub fn new(script: &str) -> Self {
        let root = scratch();
        let mut session = session::<M>(root.path());
        if !script.trim_start().starts_with("! ") {
            let new = session.act("new");
            assert!(!new.is_error, "{}", new.text);
        }
        if let Err((line, failure)) = play(&mut session, script) {
            panic!("the set-up fails in its line {line}:\n{failure}\n{script}");
        }
        let mut stage = Self {
            script: script.to_owned(),
            session,
            seen: Seen::default(),
            goals: BTreeMap::new(),
            _root: root,
        };
        stage.seen = stage.look();
        stage
    }

    pub const fn session(&self) -> &Session<M> {
        &self.session
    }

    fn look(&mut self) -> Seen {
        let format = M::FORMATS.first().map_or("", |format| format.name);
        let model = self.session.model();
        let written = model.and_then(|model| model.file(format).ok());
        let id = model.map_or(0, |model| model.ids().peek());
        let looks = LOOKS.iter().map(|query| self.session.query(query).text);
        Seen {
            looks: looks.collect(),
            bytes: written.unwrap_or_default(),
            digest: self.session.digest().unwrap_or_default(),
            id,
        }
    }

    /// Sends an op and takes it back.
    pub fn send(&mut self, op: &str) -> Sent {
        let answer = self.session.run(&[op.to_owned()], None);
        let mut sent = Sent {
            taken: !answer.is_error,
            text: answer.text,
            digest: self.session.digest().unwrap_or_default(),
            ..Sent::default()
        };
        if sent.taken {
            // An op that changed nothing is not in the log, so there is nothing to take back.
            if self.session.query(LOOKS[1]).text != self.seen.looks[1] {
                sent.rows = self.session.last_rows();
                let undone = self.session.act("undo");
                assert!(!undone.is_error, "{op}\n{}", undone.text);
            }
            let now = self.look();
            assert_eq!(
                now.digest, self.seen.digest,
                "{op}: undo leaves another digest"
            );
            assert!(
                now.bytes == self.seen.bytes,
                "{op}: undo leaves other bytes"
            );
            // There is something to redo now, which the status shows.
            self.seen = now;
        } else {
            let now = self.look();
            if now != self.seen {
                sent.trace = Some(difference(&self.seen, &now));
                self.reset();
            }
        }
        sent
    }

    /// The result of an intended op.
    pub fn goal(&mut self, op: &str) -> Sent {
        if let Some(known) = self.goals.get(op) {
            return known.clone();
        }
        let sent = self.send(op);
        self.goals.insert(op.to_owned(), sent.clone());
        sent
    }

    /// Sends the text of a `try:` line to its tool.
    pub fn follow(&mut self, tried: &str) -> Sent {
        let sent_as = |answer: Answer, digest| Sent {
            taken: !answer.is_error,
            text: answer.text,
            digest,
            ..Sent::default()
        };
        if let Some(query) = tried.strip_prefix("? ") {
            return sent_as(self.session.query(query), self.seen.digest.clone());
        }
        let Some(action) = tried.strip_prefix("! ") else {
            return self.send(tried);
        };
        let answer = self.session.act(action);
        let sent = sent_as(answer, self.session.digest().unwrap_or_default());
        self.reset();
        sent
    }

    /// Restores the initial state.
    fn reset(&mut self) {
        let goals = std::mem::take(&mut self.goals);
        *self = Self::new(&self.script.clone());
        self.goals = goals;
    }
}

/// The first difference.
fn difference(before: &Seen, now: &Seen) -> String {
    if now.digest != before.digest {
        return format!("the digest is {}", now.digest);
    }
    if now.bytes != before.bytes {
        return "a save writes other bytes".to_owned();
    }
    if now.id != before.id {
        return format!("the next id is {}, and was {}", now.id, before.id);
    }
    let looks = LOOKS.iter().zip(now.looks.iter().zip(&before.looks));
    let other = looks.into_iter().find(|(_, (now, then))| now != then);
    other.map_or_else(String::new, |(query, (now, _))| format!("{query}: {now}"))
}
