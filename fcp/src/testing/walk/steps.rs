//! The steps of a walk: actions are random, checks are not.

use super::random::Walk;
use super::seen::{digest, file_name};
use super::walker::{Walker, order};
use crate::domain::Domain;
use crate::endpoint::{Endpoint, Policy};
use crate::script::Call;
use crate::session::Session;
use crate::testing::play::session;

/// A generator of a walk's calls.
pub(in crate::testing) trait Author<M: Domain> {
    /// An op, valid or not.
    fn op(&mut self, random: &mut Walk, session: &Session<M>) -> String;

    /// A query or an action, if it has some.
    fn other(&mut self, _random: &mut Walk, _session: &Session<M>) -> Option<Call> {
        None
    }
}

impl<M: Domain, F: FnMut(&mut Walk) -> String> Author<M> for F {
    fn op(&mut self, random: &mut Walk, _: &Session<M>) -> String {
        self(random)
    }
}

/// The number of checkpoint names.
const NAMES: usize = 4;

impl<M: Domain> Walker<M> {
    /// Takes a step.
    pub fn step(&mut self, author: &mut impl Author<M>) {
        self.next();
        let done = match self.random.below(16) {
            0..=6 => self.one(author),
            7 => self.failing(author),
            8 => self.batch(author, Policy::Atomic),
            9 => self.batch(author, Policy::Isolate),
            10 => self.batch(author, Policy::Stop),
            11 => self.undo(),
            12 => self.redo(),
            13 => self.checkpoint(),
            14 => self.save(),
            _ => self.other(author),
        };
        self.settled(&done);
    }

    fn op(&mut self, author: &mut impl Author<M>) -> String {
        author.op(&mut self.random, &self.session)
    }

    fn several(&mut self, author: &mut impl Author<M>) -> Vec<String> {
        (0..=self.random.below(6))
            .map(|_| self.op(author))
            .collect()
    }

    /// One op, sometimes planned before: a plan shows the reply and the effect.
    fn one(&mut self, author: &mut impl Author<M>) -> String {
        let op = self.op(author);
        // A plan with `;` contains several ops.
        let planned = match self.random.below(4) {
            0 if !op.contains(';') => Some(self.query(&format!("plan {op}"))),
            _ => None,
        };
        let answer = self.ops(std::slice::from_ref(&op), None);
        if let Some(planned) = planned {
            self.tally.plans += 1;
            let at = || format!("{}: {op}\n{}\n{}", self.at(), planned.text, answer.text);
            assert_eq!(planned.is_error, answer.is_error, "{}", at());
            let leaves = format!("would leave {}", self.session.digest().unwrap_or_default());
            assert!(
                answer.is_error || planned.text.ends_with(&leaves),
                "a plan leaves another state: {}",
                at()
            );
        }
        op
    }

    /// A batch that must be rolled back, and sometimes its amendment, which is the batch with one
    /// op replaced.
    fn failing(&mut self, author: &mut impl Author<M>) -> String {
        let mut ops = self.several(author);
        let wrong = self.random.below(ops.len() + 1);
        ops.insert(wrong, "no such verb".to_owned());
        let answer = self.ops(&ops, Some(Policy::Atomic));
        assert!(answer.is_error, "{}: {ops:?} was not refused", self.at());
        self.tally.rolled_back += 1;
        if self.session.model().is_none() || self.random.below(2) == 0 {
            return ops.join("; ");
        }
        ops[wrong] = self.op(author);
        self.tally.amended += 1;
        let amendment = format!("amend {} {}", wrong + 1, ops[wrong]);
        let start = self.position();
        let call = [order(Policy::Atomic), amendment];
        let amended = self.ops(&call, None);
        // An amendment of only whitespace is refused itself.
        if amended.is_error {
            return ops.join("; ");
        }
        let state = digest(&self.session);
        if self.position() > start {
            self.act("undo batch");
            self.remember();
        }
        let whole = self.ops(&ops, Some(Policy::Atomic));
        let at = || format!("{}: {ops:?}\n{}\n{}", self.at(), amended.text, whole.text);
        assert_eq!(digest(&self.session), state, "{}", at());
        assert_eq!(whole.text, amended.text, "{}", at());
        ops.join("; ")
    }

    /// A batch, which must do what its ops do one by one.
    fn batch(&mut self, author: &mut impl Author<M>, policy: Policy) -> String {
        let ops = self.several(author);
        let start = self.position();
        let answer = self.ops(&ops, Some(policy));
        match policy {
            Policy::Atomic => self.tally.rolled_back += usize::from(answer.is_error),
            Policy::Isolate => self.tally.isolated += 1,
            Policy::Stop => self.tally.stopped += 1,
        }
        let done = self.position().saturating_sub(start);
        if done == 0 || self.random.below(2) == 0 {
            return ops.join("; ");
        }
        let ids = |session: &Session<M>| session.model().map(|model| model.ids().peek());
        let state = (digest(&self.session), ids(&self.session));
        self.act("undo batch");
        self.remember();
        let mut taken = 0;
        for op in &ops {
            let alone = self.send(std::slice::from_ref(op));
            if alone.is_error && policy != Policy::Isolate {
                break;
            }
            taken += 1;
        }
        self.came_to(start, done);
        let at = || format!("{}: {ops:?}\n{}", self.at(), answer.text);
        assert_eq!(
            (digest(&self.session), ids(&self.session)),
            state,
            "one by one the ops do something else: {}",
            at()
        );
        assert!(
            taken == ops.len() || policy == Policy::Stop,
            "an op of a batch that was kept fails alone: {}",
            at()
        );
        ops.join("; ")
    }

    /// Undoes some ops, a batch, or back to a checkpoint, and usually redoes them.
    fn undo(&mut self) -> String {
        let action = match self.random.below(8) {
            0 => "undo".to_owned(),
            1 | 2 => "undo batch".to_owned(),
            3 | 4 => format!("undo to:c{}", self.random.below(NAMES)),
            _ => format!("undo {}", self.random.below(30)),
        };
        let (before, start) = (self.look_at(), self.position());
        let answer = self.act(&action);
        let undone = start.saturating_sub(self.position());
        self.remember();
        let at = format!("{}: {action}", self.at());
        if answer.is_error {
            let seen = self.look_at();
            seen.same(&before, &|| format!("{at}: refused, and left a trace"));
            return action;
        }
        self.tally.undone += undone;
        if undone > 0 && self.random.below(8) > 0 {
            self.act(&format!("redo {undone}"));
            self.tally.redone += undone;
            let again = self.look_at().come_back_to(&before);
            again.same(&before, &|| format!("{at}, and redo: another state"));
        }
        action
    }

    fn redo(&mut self) -> String {
        let action = format!("redo {}", self.random.below(30));
        let start = self.position();
        self.act(&action);
        self.tally.redone += self.position().saturating_sub(start);
        self.remember();
        action
    }

    fn checkpoint(&mut self) -> String {
        let action = format!("checkpoint c{}", self.random.below(NAMES));
        let before = self.look_at();
        self.act(&action);
        self.tally.checkpoints += 1;
        let at = self.at();
        let after = self.look_at().come_back_to(&before);
        after.same(&before, &|| format!("{at}: a checkpoint changed something"));
        action
    }

    /// A save writes the present content, and another session opens it as the same.
    fn save(&mut self) -> String {
        let name = file_name::<M>("walk");
        let action = format!("save as:{name} force");
        if self.session.model().is_none() {
            return action;
        }
        let before = self.look_at();
        let answer = self.act(&action);
        let at = format!("{}: {action}\n{}", self.at(), answer.text);
        assert!(!answer.is_error, "{at}");
        self.tally.saves += 1;
        let after = self.look_at().come_back_to(&before);
        after.same(&before, &|| format!("{at}: a save changed something"));
        let mut other: Session<M> = session(self.root());
        let opened = other.act(&format!("open {name}"));
        assert!(!opened.is_error, "{at}\n{}", opened.text);
        assert_eq!(
            digest(&other),
            digest(&self.session),
            "{at}: what was saved opens as something else"
        );
        action
    }

    /// The author's calls other than ops.
    fn other(&mut self, author: &mut impl Author<M>) -> String {
        match author.other(&mut self.random, &self.session) {
            Some(Call::Query(query)) => {
                self.query(&query);
                query
            }
            Some(Call::Action(action)) => {
                self.action(&action);
                action
            }
            Some(Call::Ops(_)) | None => self.one(author),
        }
    }
}
