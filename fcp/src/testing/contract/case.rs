//! The tools for proving a row.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use crate::script::Call;
use crate::testing::play::{Scratch, lay, scratch};

use super::known::{Example, Known, Named};
use super::pipe::Target;
use super::talk::{Exchange, Record, Reply, Talk, sign_of};
use super::verdict::{Proved, Stop, fail, holds, unproved};

/// The proof of one row: its own folder, and connections to servers that work in it.
pub(super) struct Case<'a> {
    pub target: &'a dyn Target,
    pub known: &'a Known,
    folder: Scratch,
    record: Record,
}

impl<'a> Case<'a> {
    pub fn new(target: &'a dyn Target, known: &'a Known) -> Self {
        let folder = scratch();
        lay(folder.path(), known.example_files());
        Self {
            target,
            known,
            folder,
            record: Rc::new(RefCell::new(Vec::new())),
        }
    }

    /// The folder in which servers work.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// All exchanges.
    pub fn exchanges(self) -> Vec<Exchange> {
        self.record.take()
    }

    /// A server started with arguments, without a document.
    pub fn with(&self, arguments: &[&str]) -> Result<Talk, Stop> {
        let peer = self.target.start(self.folder(), arguments).map_err(fail)?;
        Talk::begin(peer, &self.known.domain, Rc::clone(&self.record))
    }

    /// A server without a document.
    pub fn bare(&self) -> Result<Talk, Stop> {
        self.with(&[])
    }

    /// A server with a new document, and the reply to the action that started it.
    pub fn started(&self) -> Result<(Talk, Reply), Stop> {
        let mut talk = self.bare()?;
        let reply = talk.acts(&self.known.new)?;
        Ok((talk, reply))
    }

    /// A server with a new document.
    pub fn fresh(&self) -> Result<Talk, Stop> {
        self.started().map(|(talk, _)| talk)
    }

    /// The ops that succeed in turn on a new document; fails if there are fewer than `least`.
    pub fn good(&self, least: usize) -> Result<&'a [String], Stop> {
        match self.known.good.get(..least) {
            Some(_) => Ok(&self.known.good),
            None => Err(unproved(format!(
                "needs {least} ops that succeed on a new document; the server's examples show {}",
                self.known.good.len()
            ))),
        }
    }

    /// A server with a document after `done` ops, and all those ops with the `next` ones.
    pub fn grown(&self, done: usize, next: usize) -> Result<(Talk, &'a [String]), Stop> {
        let ops = self.good(done + next)?;
        let mut talk = self.fresh()?;
        if done > 0 {
            talk.does(&ops[..done])?;
        }
        Ok((talk, &ops[done..]))
    }

    /// The ops that make rows of any name.
    pub fn named(&self) -> Result<&'a Named, Stop> {
        self.known.named.as_ref().ok_or_else(|| {
            unproved(
                "the server's examples show no op that makes a row of a name that can be chosen",
            )
        })
    }

    /// A server with the rows that naming requires.
    pub fn naming(&self) -> Result<(Talk, &'a Named), Stop> {
        let named = self.named()?;
        let mut talk = self.fresh()?;
        if !named.before.is_empty() {
            talk.does(&named.before)?;
        }
        Ok((talk, named))
    }

    /// A server after all steps that precede an example.
    pub fn before(&self, example: &Example) -> Result<Talk, Stop> {
        let mut talk = self.bare()?;
        for call in &example.before {
            send(&mut talk, call)?;
        }
        Ok(talk)
    }

    /// The examples of single ops whose expected reply begins with a sign.
    pub fn shown(&self, sign: char) -> impl Iterator<Item = (&'a Example, &'a str)> {
        self.known.examples.iter().filter_map(move |example| {
            let Call::Ops(ops) = &example.call else {
                return None;
            };
            let [op] = ops.as_slice() else { return None };
            let first = example.expected.first()?;
            (sign_of(first) == Some(sign)).then_some((example, op.as_str()))
        })
    }

    /// Those of them whose op has an arrow.
    pub fn arrowed(&self, sign: char) -> impl Iterator<Item = (&'a Example, &'a str)> {
        let drawn = |op: &str| {
            op.split_whitespace()
                .any(|word| ["->", "<->", "--"].contains(&word))
        };
        self.shown(sign).filter(move |(_, op)| drawn(op))
    }

    /// Checks that the reply to the first example of each of these signs begins with it.
    pub fn answers_by(&self, signs: &[char]) -> Proved {
        for sign in signs {
            let Some((example, op)) = self.shown(*sign).next() else {
                continue;
            };
            let reply = self.before(example)?.op(op)?;
            let first = reply.text.lines().next().and_then(sign_of);
            holds!(
                first == Some(*sign),
                "{op} should answer {sign} and a blank: {}",
                reply.text
            );
        }
        Ok(())
    }

    /// A server on which an op led to a warning, with that op and the steps before it.
    pub fn warned(&self) -> Result<Warned, Stop> {
        let new = || Call::Action(self.known.new.clone());
        let workflow = self.known.good.iter().enumerate().map(|(at, op)| {
            let done = self.known.good.iter().take(at);
            let done = done.map(|op| Call::Ops(vec![op.clone()]));
            (std::iter::once(new()).chain(done).collect(), op.clone())
        });
        let shown = self
            .known
            .examples
            .iter()
            .filter_map(|example| match &example.call {
                Call::Ops(ops) => Some((example.before.clone(), ops.first()?.clone())),
                _ => None,
            });
        let all: Vec<(Vec<Call>, String)> = workflow.chain(shown).collect();
        for (before, op) in all {
            let mut talk = self.bare()?;
            for call in &before {
                send(&mut talk, call)?;
            }
            let reply = talk.op(&op)?;
            if !reply.error && !reply.lines('?').is_empty() {
                return Ok(Warned {
                    talk,
                    before,
                    op,
                    reply,
                });
            }
        }
        Err(unproved(
            "no op of the workflow or the examples leads to a warning",
        ))
    }

    /// The same op after every code of a warning was hidden.
    pub fn codeless(&self, warned: &Warned, codes: &[&str]) -> Result<Reply, Stop> {
        let mut talk = self.bare()?;
        for call in &warned.before {
            send(&mut talk, call)?;
        }
        for code in codes {
            talk.query_ok(&format!("warnings {code}"))?;
            talk.acts(&format!("set warn:-{code}"))?;
        }
        talk.does(&[&warned.op])
    }

    /// Checks that the codebook exists.
    pub fn booked(&self) -> Result<(), Stop> {
        match self.known.codebook {
            Some(_) => Ok(()),
            None => Err(unproved("the server has no codebook to compare with")),
        }
    }
}

/// An op that led to a warning.
pub(super) struct Warned {
    /// The server on which it did.
    pub talk: Talk,
    /// The steps before it.
    pub before: Vec<Call>,
    /// The op.
    pub op: String,
    /// Its reply.
    pub reply: Reply,
}

/// Sends a step of a script.
pub(super) fn send(talk: &mut Talk, call: &Call) -> Result<Reply, Stop> {
    match call {
        Call::Ops(ops) => talk.ops(ops),
        Call::Query(query) => talk.query(query),
        Call::Action(action) => talk.act(action),
    }
}
