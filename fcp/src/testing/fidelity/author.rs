//! Random ops that mostly apply: repairs of refused ones, variations of successful ones, and calls
//! generated from the registry, preferring the verbs that applied least.

use std::collections::BTreeMap;

use crate::domain::Domain;
use crate::op::parse_action;
use crate::session::Session;
use crate::testing::Walk;
use crate::testing::fuzz::{Grammar, WORDS, Writes, exact};
use crate::verb::Verb;

/// The number of successful ops kept per verb.
const KEPT: usize = 64;

/// The number of targets tried, since their tables may be empty.
const TARGETS: usize = 4;

/// The number of tries of a verb, and of those that applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Ops sent.
    pub tried: usize,
    /// Ops that changed something.
    pub applied: usize,
}

/// Writes ops for a session.
pub(super) struct Author<M: Domain> {
    grammar: Grammar<M>,
    verbs: Vec<&'static Verb<M>>,
    worked: BTreeMap<&'static str, Vec<String>>,
    repair: Option<String>,
    sql: usize,
    statements: Writes<M>,
    /// The last generated statement, and its target.
    stated: Option<(String, String)>,
    /// Counts by target of statements: `notes.vel`.
    written: BTreeMap<String, Count>,
    /// Counts by the phrase of each verb.
    pub counts: BTreeMap<&'static str, Count>,
}

impl<M: Domain> Author<M> {
    /// On average, one in `sql` ops is a statement that writes.
    pub fn new(sql: usize) -> Self {
        let mut grammar = Grammar::new();
        grammar.learn_rows();
        let verbs: Vec<_> = grammar.registry.verbs().collect();
        let phrases = verbs.iter().map(|verb| verb.phrase).chain(WORDS);
        let counts = phrases.map(|phrase| (phrase, Count::default()));
        let statements = Writes::new(&grammar.registry);
        let written = statements.targets.iter();
        let written = written.map(|target| (target.clone(), Count::default()));
        Self {
            written: written.collect(),
            statements,
            stated: None,
            counts: counts.collect(),
            sql,
            grammar,
            verbs,
            worked: BTreeMap::new(),
            repair: None,
        }
    }

    /// An op for the present document.
    pub fn op(&mut self, random: &mut Walk, session: &Session<M>) -> String {
        if let Some(repair) = self.repair.take() {
            return repair;
        }
        if random.below(self.sql) == 0
            && let Some(op) = self.statement(random, session)
        {
            return op;
        }
        let Some(verb) = self.verb(random) else {
            return String::new();
        };
        let worked = self.worked.get(verb.phrase).map_or(&[][..], Vec::as_slice);
        let model = session.model();
        if let Some(op) = model.and_then(|model| exact(random, model, verb.phrase)) {
            return op;
        }
        match random.below(16) {
            0..=5 if !worked.is_empty() => {
                let known = &worked[random.below(worked.len())];
                self.grammar.varied(random, known, model)
            }
            _ if self
                .counts
                .get(verb.phrase)
                .is_some_and(|count| count.applied == 0)
                && random.below(2) == 0 =>
            {
                self.grammar.example(random, verb.phrase, model)
            }
            6 => self.grammar.call(random, verb, model),
            7..=9 => self.grammar.example(random, verb.phrase, model),
            _ => self.grammar.probable(random, verb, model),
        }
    }

    /// An SQL statement that writes, to the less often written of two targets.
    fn statement(&mut self, random: &mut Walk, session: &Session<M>) -> Option<String> {
        for _ in 0..TARGETS {
            if let Some(op) = self.one_statement(random, session) {
                return Some(op);
            }
        }
        None
    }

    fn one_statement(&mut self, random: &mut Walk, session: &Session<M>) -> Option<String> {
        let model = session.model()?;
        let targets = &self.statements.targets;
        let pick = |random: &mut Walk| targets.get(random.below(targets.len().max(1))).cloned();
        let applied = |target: &String| self.written.get(target).map_or(0, |count| count.applied);
        let (one, other) = (pick(random)?, pick(random)?);
        let target = if applied(&other) < applied(&one) {
            other
        } else {
            one
        };
        let registry = &self.grammar.registry;
        let op = self
            .statements
            .statement(registry, random, model, &target)?;
        self.stated = Some((op.clone(), target));
        Some(op)
    }

    /// The less often applied of two verbs.
    fn verb(&self, random: &mut Walk) -> Option<&'static Verb<M>> {
        let (a, b) = (self.pick(random)?, self.pick(random)?);
        let applied = |verb: &Verb<M>| {
            self.counts
                .get(verb.phrase)
                .map_or(0, |count| count.applied)
        };
        match random.below(3) {
            0 => Some(a),
            _ if applied(b) < applied(a) => Some(b),
            _ => Some(a),
        }
    }

    fn pick(&self, random: &mut Walk) -> Option<&'static Verb<M>> {
        self.verbs.get(random.below(self.verbs.len())).copied()
    }

    /// The phrase of an op's verb.
    pub fn phrase(&self, op: &str) -> Option<&'static str> {
        if let Some(word) = Writes::<M>::word(op) {
            return Some(word);
        }
        let parsed = parse_action(op).ok()?;
        self.grammar
            .registry
            .verb(&parsed)
            .map(|found| found.verb.phrase)
    }

    /// Learns the outcome of an op. `answer` is the reply to a refused one.
    pub fn learn(&mut self, op: &str, applied: bool, answer: Option<&str>) {
        let phrase = self.phrase(op);
        if let Some((_, target)) = self.stated.take().filter(|(stated, _)| stated == op)
            && let Some(count) = self.written.get_mut(&target)
        {
            count.tried += 1;
            count.applied += usize::from(applied);
        }
        if let Some(count) = phrase.and_then(|phrase| self.counts.get_mut(phrase)) {
            count.tried += 1;
            count.applied += usize::from(applied);
        }
        let is_verb = phrase.is_some_and(|phrase| !WORDS.contains(&phrase));
        if let (true, true, Some(phrase)) = (applied, is_verb, phrase) {
            let worked = self.worked.entry(phrase).or_default();
            if worked.len() == KEPT {
                worked.remove(0);
            }
            worked.push(op.to_owned());
        }
        let mut verbs = self.verbs.iter();
        let verb = verbs.find(|verb| Some(verb.phrase) == phrase).copied();
        let wanted = answer.and_then(|text| text.split_once(" is wanted here"));
        let wanted = wanted.and_then(|(before, _)| before.rsplit(' ').next());
        if let (Some(verb), Some(kind)) = (verb, wanted) {
            self.grammar.wants(verb, kind);
        }
        let repair =
            answer.and_then(|text| text.lines().find_map(|line| line.strip_prefix("  try: ")));
        let repair = repair.filter(|repair| !repair.starts_with(['?', '!']) && *repair != op);
        self.repair = repair.map(str::to_owned);
    }

    /// The targets of statements, with the number of tries and successes.
    pub fn written(&self) -> BTreeMap<String, Count> {
        self.written.clone()
    }

    /// Begins another session.
    pub fn next(&mut self) {
        self.repair = None;
    }
}
