//! A session during a walk: each call is checked when it is made.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash};
use std::path::Path;

use super::random::Walk;
use super::seen::{Look, Seen, audit, digest, settles, written};
use crate::account::Account;
use crate::domain::Domain;
use crate::endpoint::{Answer, Endpoint, Policy};
use crate::op::parse_action;
use crate::script::Call;
use crate::session::{Document, Session};
use crate::testing::play::{Scratch, scratch, session};

/// The most bytes of a query's answer.
const ANSWER: usize = 16 * 1024;

/// The most bytes that an op, a warning or an action adds to an answer, in addition to the text of
/// the call.
const REPLY: usize = 16 * 1024;

/// The number of calls shown if an invariant is broken.
const TRAIL: usize = 40;

/// The counts of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::testing) struct Tally {
    pub steps: usize,
    /// Ops that changed something.
    pub applied: usize,
    /// Calls that were refused.
    pub refused: usize,
    pub rolled_back: usize,
    pub isolated: usize,
    pub stopped: usize,
    pub amended: usize,
    pub undone: usize,
    pub redone: usize,
    pub checkpoints: usize,
    pub plans: usize,
    pub queries: usize,
    pub saves: usize,
    /// Steps checked in full.
    pub full: usize,
}

/// A session, and its recorded states.
pub(in crate::testing) struct Walker<M: Domain> {
    pub session: Session<M>,
    pub random: Walk,
    pub tally: Tally,
    /// The hash of all replies, in order.
    pub replies: DefaultHasher,
    root: Scratch,
    name: String,
    every: usize,
    look: Look,
    /// The last calls, as a script.
    trail: VecDeque<String>,
    /// Digest and next id after each number of ops, if known.
    states: Vec<Option<(String, u32)>>,
    /// The initial state of the document, and its bytes.
    first: Option<(Seen, Vec<u8>)>,
}

impl<M: Domain> Walker<M> {
    /// A walk through a session in its own folder. One in `every` steps is checked in full, the
    /// others in brief.
    pub fn new(name: String, random: Walk, every: usize) -> Self {
        let root = scratch();
        Self {
            session: session(root.path()),
            random,
            tally: Tally::default(),
            replies: DefaultHasher::new(),
            root,
            name,
            every,
            look: Look::Full,
            trail: VecDeque::new(),
            states: Vec::new(),
            first: None,
        }
    }

    /// The folder of the session.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Restarts with a new session in another folder.
    pub fn move_to(&mut self, folder: &Path) {
        self.session = session(folder);
    }

    /// Runs the initial actions of the walk, which must succeed.
    pub fn begin(&mut self, actions: &[String]) {
        for action in actions {
            let answer = self.session.act(action);
            assert!(!answer.is_error, "{action}\n{}", answer.text);
        }
        self.start();
    }

    /// Records the open document as the state to which undo must lead back.
    pub fn start(&mut self) {
        self.states.clear();
        let seen = self.seen(Look::Full);
        let bytes = self.written();
        self.first = bytes.map(|bytes| (seen, bytes));
        self.remember();
    }

    /// Begins a step.
    pub fn next(&mut self) {
        self.tally.steps += 1;
        self.look = match self.tally.steps % self.every {
            0 => Look::Full,
            _ => Look::Brief,
        };
        self.tally.full += usize::from(self.look == Look::Full);
    }

    /// Ends a step: checks the general invariants of the model.
    pub fn settled(&mut self, done: &str) {
        if self.look == Look::Full
            && let Some(model) = self.session.model()
        {
            let at = || format!("{}: {done}", self.at());
            audit(model, &at);
            settles(model, &at);
            if let Err(problem) = self.session.audit() {
                panic!("{}: a warning is {problem}", at());
            }
            if let Some(account) = self.session.account().transpose() {
                self.accounted(done, account);
            }
        }
    }

    /// Checks that all changed bytes belong to rows that ops changed.
    fn accounted(&self, done: &str, account: crate::diag::Result<Account>) {
        let account = account.unwrap_or_else(|error| panic!("{}: {done}: {error}", self.at()));
        if let Some(fault) = account.faults.first() {
            let side = |bytes: &[u8], range: &std::ops::Range<usize>| {
                let bytes = bytes.get(range.clone()).unwrap_or_default();
                String::from_utf8_lossy(bytes).into_owned()
            };
            panic!(
                "{}: {done} changed bytes of a row that it did not change ({:?}): {:?} became {:?}",
                self.at(),
                fault.owner,
                side(&account.before, &fault.before),
                side(&account.after, &fault.after),
            );
        }
    }

    /// The position of the walk, and the calls that led there.
    pub fn at(&self) -> String {
        let trail: Vec<&str> = self.trail.iter().map(String::as_str).collect();
        let (name, step) = (&self.name, self.tally.steps);
        format!("{name}, step {step}, after\n{}\n", trail.join("\n"))
    }

    /// Records a call in the trail.
    fn went(&mut self, call: &Call) {
        if self.trail.len() == TRAIL {
            self.trail.pop_front();
        }
        self.trail.push_back(call.to_string());
    }

    fn seen(&mut self, look: Look) -> Seen {
        Seen::of(&mut self.session, look)
    }

    /// The observed state, in the depth of this step.
    pub fn look_at(&mut self) -> Seen {
        self.seen(self.look)
    }

    fn written(&self) -> Option<Vec<u8>> {
        let at = || self.at();
        self.session.model().map(|model| written(model, &at))
    }

    /// A save, which copies sections that no op changed, writes what a save that copies none would.
    fn copies_sections(&self, document: &Document<M>) {
        let copied = document.written_now().map(|(pieces, _)| pieces.into_file());
        let whole = self
            .session
            .model()
            .map(|model| model.file(document.written_format()));
        assert!(
            copied.ok() == whole.and_then(Result::ok),
            "{}a section was not written though a row in it changed",
            self.at()
        );
    }

    /// The number of ops done, including those that the log dropped.
    pub fn position(&self) -> usize {
        let reach = self.session.reach();
        reach.undo + reach.dropped
    }

    /// Sends ops in one call. If they are refused they must leave no trace; otherwise undo must
    /// lead back, and redo must restore the result.
    pub fn ops(&mut self, ops: &[String], policy: Option<Policy>) -> Answer {
        let mut call: Vec<String> = policy.map(order).into_iter().collect();
        call.extend_from_slice(ops);
        let start = self.position();
        let before = self.seen(self.look);
        let bytes = match (self.look, self.session.open_document()) {
            (Look::Full, Some(document)) => document.written_now().ok(),
            _ => None,
        };
        let answer = self.send(&call);
        self.answered(&call.join("\n"), &answer, REPLY * (ops.len() + 1));
        let after = self.seen(self.look);
        let done = self.position().saturating_sub(start);
        if let (Some(bytes), Some(document)) = (bytes, self.session.open_document()) {
            let account = document.account_of_last(done, &bytes);
            self.copies_sections(document);
            self.accounted(&format!("{call:?}"), account);
        }
        let at = self.at();
        let what = |problem: &str| format!("{at}{problem}: {call:?}\n{}", answer.text);
        if answer.is_error || done == 0 {
            after.same(&before, &|| what("nothing was done, yet something changed"));
            self.tally.refused += usize::from(answer.is_error);
            // The repair of an op in a batch is for that batch, which `amend` sends again as a
            // whole.
            let amends = |op: &str| parse_action(op).is_ok_and(|op| op.verb.text == "amend");
            if let [op] = &call[..]
                && answer.is_error
                && self.look == Look::Full
                && !amends(op)
            {
                self.try_out(op, &answer);
            }
            return answer;
        }
        self.tally.applied += done;
        self.came_to(start, done);
        let back = match done {
            1 => "undo",
            _ => "undo batch",
        };
        self.act(back);
        let undone = self.seen(self.look).come_back_to(&before);
        undone.same(&before, &|| what("undo gave another state"));
        self.act(&format!("redo {done}"));
        let redone = self.seen(self.look);
        redone.same(&after, &|| what("redo gave another state"));
        answer
    }

    /// Runs ops without checks.
    pub fn send(&mut self, ops: &[String]) -> Answer {
        self.went(&Call::Ops(ops.to_vec()));
        self.session.run(ops, None)
    }

    /// Tries the repair of an error: it was rehearsed, so it must work.
    fn try_out(&mut self, op: &str, answer: &Answer) {
        let tried = answer.text.lines().find_map(|l| l.strip_prefix("  try: "));
        let Some(tried) = tried.filter(|tried| !tried.starts_with(['!', '?'])) else {
            return;
        };
        let start = self.position();
        let again = self.send(&[tried.to_owned()]);
        assert!(
            !again.is_error,
            "{}: the repair of {op:?} fails: {tried}\n{}",
            self.at(),
            again.text
        );
        if self.position() > start {
            self.came_to(start, 1);
            self.act("undo");
            self.remember();
        }
    }

    /// Sends a query. Nothing may change, and the answer must fit.
    pub fn query(&mut self, query: &str) -> Answer {
        self.tally.queries += 1;
        let before = self.seen(self.look);
        self.went(&Call::Query(query.to_owned()));
        let answer = self.session.query(query);
        self.answered(query, &answer, 0);
        let at = self.at();
        self.seen(self.look)
            .same(&before, &|| format!("{at}: a query left a trace: {query}"));
        answer
    }

    /// Runs any action. A refused one must change nothing.
    pub fn action(&mut self, action: &str) -> Answer {
        let before = self.seen(self.look);
        let answer = self.act(action);
        if answer.is_error {
            let at = self.at();
            let what = || {
                format!(
                    "{at}: a refused action left a trace: {action}\n{}",
                    answer.text
                )
            };
            self.seen(self.look).same(&before, &what);
            self.tally.refused += 1;
        } else {
            // From here on it may concern another document.
            self.states.clear();
            self.first = None;
            self.remember();
        }
        answer
    }

    /// Runs an action, and checks only its answer.
    pub fn act(&mut self, action: &str) -> Answer {
        self.went(&Call::Action(action.to_owned()));
        let answer = self.session.act(action);
        self.answered(action, &answer, REPLY);
        answer
    }

    /// Checks the general rules for answers. `more` is the number of bytes allowed beyond a page
    /// and the repeated text of the call.
    fn answered(&mut self, call: &str, answer: &Answer, more: usize) {
        let text = &answer.text;
        text.hash(&mut self.replies);
        let at = || format!("{}: {call:?}\n{text}", self.at());
        let most = match more {
            0 => ANSWER,
            more => ANSWER + more + 4 * call.len(),
        };
        assert!(
            text.len() <= most,
            "{} bytes, {most} at most: {}",
            text.len(),
            at()
        );
        assert!(
            !text.chars().any(|c| c.is_control() && c != '\n'),
            "a character that breaks lines: {}",
            at()
        );
        assert!(
            !answer.is_error || text.lines().any(|line| line.starts_with("! ")),
            "an error without a reason: {}",
            at()
        );
        for tried in text.lines().filter_map(|l| l.strip_prefix("  try: ")) {
            let sent = tried.strip_prefix("! ").or(tried.strip_prefix("? "));
            assert!(
                parse_action(sent.unwrap_or(tried)).is_ok(),
                "a repair that cannot be read: {}",
                at()
            );
        }
    }

    /// Records that `done` ops were done after `start`.
    pub fn came_to(&mut self, start: usize, done: usize) {
        self.states.truncate(start + 1);
        self.states.resize(start + done, None);
        self.remember();
    }

    /// Checks that the state equals the one recorded for this number of ops, or records it.
    pub fn remember(&mut self) {
        let position = self.position();
        let ids = self.session.model().map_or(0, |model| model.ids().peek());
        let state = (digest(&self.session), ids);
        if self.states.len() <= position {
            self.states.resize(position + 1, None);
        }
        match &self.states[position] {
            Some(known) => assert_eq!(
                &state,
                known,
                "{}: after {position} ops the state differs from before",
                self.at()
            ),
            None => self.states[position] = Some(state),
        }
    }

    /// Undoes everything, which must restore the bytes of the start, and redoes it, which must lead
    /// back here.
    pub fn finish(&mut self) {
        let Some((first, bytes)) = self.first.take() else {
            return;
        };
        let reach = self.session.reach();
        assert_eq!(reach.dropped, 0, "{}: the log drops ops", self.name);
        let last = self.seen(Look::Full);
        self.act("undo 1000000000");
        let at = format!("{}: undoing everything", self.name);
        let undone = self.seen(Look::Full);
        let wanted = first.clone().reached_otherwise(&undone);
        undone.same(&wanted, &|| format!("{at} gave another state"));
        assert!(
            self.written().as_ref() == Some(&bytes),
            "{at} gave another file"
        );
        self.remember();
        self.act(&format!("redo {}", reach.undo));
        let redone = self.seen(Look::Full).reached_otherwise(&last);
        redone.same(&last, &|| format!("{at} and redoing gave another state"));
        self.remember();
        self.first = Some((first, bytes));
    }
}

/// The first line of a call, which sets its policy.
pub(in crate::testing) fn order(policy: Policy) -> String {
    let word = match policy {
        Policy::Atomic => "atomic",
        Policy::Isolate => "isolate",
        Policy::Stop => "stop",
    };
    format!("batch {word}")
}
