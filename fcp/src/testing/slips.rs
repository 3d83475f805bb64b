//! Ops with a slip in them: none is taken for something else, each says what to send instead, and that works.

use std::collections::BTreeMap;

use super::data::say;
use super::play::{Scratch, play, scratch, session};
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::session::Session;

/// What is looked at before and after an op that is refused.
const LOOKS: &[&str] = &[
    "status",
    "history 1000",
    "list @recent:5",
    "list limit:1000",
];

/// An op with a slip in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// What kind of slip: the report counts by it.
    pub kind: &'static str,
    /// What is sent.
    pub wrong: String,
    /// What was meant; empty where that cannot be told from what is sent.
    pub meant: String,
}

/// The least shares, in percent, that a domain's repairs must reach.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// Of the slips that are refused: those with a `try:` line.
    pub tried: f64,
    /// Of the `try:` lines: those that work.
    pub worked: f64,
    /// Of the slips that are refused and whose meaning is known: those whose `try:` line does what was meant.
    pub meant: f64,
}

/// A session that is back at its state whatever was done.
pub(super) struct Bench<M: Domain> {
    session: Session<M>,
    /// What a save writes at the start.
    bytes: Vec<u8>,
    digest: String,
    /// The digests behind right ops, as far as they were sent.
    goals: BTreeMap<String, Result<String, String>>,
    _root: Scratch,
}

/// What became of an op.
pub(super) struct Sent {
    pub taken: bool,
    pub text: String,
    /// The digest behind it.
    pub digest: String,
}

impl<M: Domain> Bench<M> {
    /// A new document with what a script makes of it.
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
        let mut bench = Self {
            session,
            bytes: Vec::new(),
            digest: String::new(),
            goals: BTreeMap::new(),
            _root: root,
        };
        (bench.bytes, bench.digest) = bench.state();
        bench
    }

    pub const fn session(&self) -> &Session<M> {
        &self.session
    }

    fn state(&self) -> (Vec<u8>, String) {
        let format = M::FORMATS.first().map_or("", |format| format.name);
        let written = self.session.model().map(|model| model.write(format));
        let bytes = written.and_then(Result::ok).unwrap_or_default();
        (bytes, self.session.digest().unwrap_or_default())
    }

    fn looks(&mut self) -> Vec<String> {
        let looks = LOOKS.iter().map(|query| self.session.query(query).text);
        let mut looks: Vec<String> = looks.collect();
        looks.push(format!(
            "next id {:?}",
            self.session.model().map(|model| model.ids().peek())
        ));
        looks
    }

    /// Sends an op and takes it back. One that is refused must have left no trace.
    pub fn send(&mut self, op: &str) -> Sent {
        let before = self.looks();
        let answer = self.session.run(&[op.to_owned()], None);
        let digest = self.session.digest().unwrap_or_default();
        if !answer.is_error {
            if self.session.query(LOOKS[1]).text != before[1] {
                let undone = self.session.act("undo");
                assert!(!undone.is_error, "{op}\n{}", undone.text);
            }
        } else {
            for (query, (now, then)) in LOOKS.iter().zip(self.looks().iter().zip(&before)) {
                assert_eq!(now, then, "{op}: {query} shows a trace of what was refused");
            }
        }
        let (bytes, after) = self.state();
        assert_eq!(after, self.digest, "{op}: the digest is another");
        assert!(bytes == self.bytes, "{op}: the bytes are others");
        Sent {
            taken: !answer.is_error,
            text: answer.text,
            digest,
        }
    }

    /// The digest that an op leaves; what it says if it is refused.
    fn goal(&mut self, op: &str) -> Result<String, String> {
        if let Some(known) = self.goals.get(op) {
            return known.clone();
        }
        let sent = self.send(op);
        let goal = if sent.taken {
            Ok(sent.digest)
        } else {
            Err(sent.text)
        };
        self.goals.insert(op.to_owned(), goal.clone());
        goal
    }

    /// Sends what a `try:` line says, whichever tool it is for; whether it works, and what it says and leaves.
    fn try_out(&mut self, tried: &str) -> Sent {
        match tried.split_at_checked(2) {
            Some(("? ", query)) => {
                let answer = self.session.query(query);
                Sent {
                    taken: !answer.is_error,
                    text: answer.text,
                    digest: String::new(),
                }
            }
            // Session actions are not played: they would end the document.
            Some(("! ", _)) => Sent {
                taken: true,
                text: String::new(),
                digest: String::new(),
            },
            _ => self.send(tried),
        }
    }
}

/// What slips came to.
#[derive(Default)]
struct Tally {
    slips: usize,
    taken: usize,
    tried: usize,
    worked: usize,
    meant: usize,
    /// Of those with a repair that is known.
    known: usize,
}

/// What is wrong, kind by kind of what is wrong, and how many there were of each kind of slip.
#[derive(Default)]
pub(super) struct Report {
    tallies: BTreeMap<&'static str, Tally>,
    silent: Vec<String>,
    broken: Vec<String>,
    untried: Vec<String>,
    impossible: Vec<String>,
}

impl Report {
    /// Makes a slip, and sees what is said of it.
    pub fn make<M: Domain>(&mut self, bench: &mut Bench<M>, slip: &Slip) {
        let Slip { kind, wrong, meant } = slip;
        let goal = (!meant.is_empty()).then(|| {
            bench.goal(meant).unwrap_or_else(|text| {
                self.impossible.push(format!("{meant}\n    {text}"));
                text
            })
        });
        let tally = self.tallies.entry(kind).or_default();
        tally.slips += 1;
        let sent = bench.send(wrong);
        if sent.taken {
            tally.taken += 1;
            // Right is what does the thing that was meant.
            if goal.as_ref() != Some(&sent.digest) {
                self.silent
                    .push(format!("{wrong} ({meant})\n    {}", sent.text));
            }
            return;
        }
        tally.known += usize::from(goal.is_some());
        let text = sent.text;
        let Some(tried) = text.lines().find_map(|line| line.strip_prefix("  try: ")) else {
            if goal.is_some() {
                self.untried.push(format!("{wrong} ({meant})\n    {text}"));
            } else if !text.contains("\n  syntax: ") && !text.contains("there are") {
                self.broken.push(format!("NEITHER {wrong}\n    {text}"));
            }
            return;
        };
        tally.tried += 1;
        let again = bench.try_out(tried);
        tally.worked += usize::from(again.taken);
        if !again.taken {
            self.broken
                .push(format!("{wrong}\n    {text}\n    {}", again.text));
        }
        if goal.as_ref() == Some(&again.digest) {
            tally.meant += 1;
        } else if goal.is_some() && again.taken {
            self.untried
                .push(format!("OTHER {wrong} ({meant})\n    {text}"));
        }
    }

    /// Prints how many slips there were and what they came to, and checks that it is enough.
    pub fn check(&self, least: Least) {
        let mut sum = Tally::default();
        let mut report =
            String::from("slips: refused, with try, that work, that do what was meant\n");
        for (kind, tally) in &self.tallies {
            report += &format!(
                "  {kind}: {} slips, {} refused, {} try, {} work, {} of {} as meant\n",
                tally.slips,
                tally.slips - tally.taken,
                tally.tried,
                tally.worked,
                tally.meant,
                tally.known
            );
            sum.slips += tally.slips;
            sum.taken += tally.taken;
            sum.tried += tally.tried;
            sum.worked += tally.worked;
            sum.meant += tally.meant;
            sum.known += tally.known;
        }
        let refused = sum.slips - sum.taken;
        let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        let tried = share(sum.tried, refused);
        let worked = share(sum.worked, sum.tried);
        let meant = share(sum.meant, sum.known);
        report += &format!(
            "  all: {} slips, {refused} refused, {tried:.1} % of them with try, {worked:.1} % of those work; where it is known what was meant, {meant:.1} % do it",
            sum.slips
        );
        say(&report);
        let details = format!(
            "TAKEN SILENTLY\n{}\nBROKEN\n{}\nUNTRIED OR OTHER\n{}",
            self.silent.join("\n"),
            self.broken.join("\n"),
            self.untried.join("\n")
        );
        assert!(
            self.impossible.is_empty(),
            "what was meant is wrong itself:\n{}\n{details}",
            self.impossible.join("\n")
        );
        assert!(self.silent.is_empty(), "{details}");
        // The rest have the syntax line: what was meant cannot be told from what was sent.
        assert!(tried >= least.tried, "{tried} % are tried\n{details}");
        assert!(worked >= least.worked, "{worked} % work\n{details}");
        assert!(meant >= least.meant, "{meant} % are as meant\n{details}");
    }
}

/// Makes each slip on the document that a script makes: one that is taken must do what was meant, one that is refused
/// must leave no trace, and enough must say what to send instead. Prints how many there were of each kind.
///
/// # Panics
/// One of these does not hold.
pub fn slips<M: Domain>(script: &str, slips: &[Slip], least: Least) {
    let mut bench = Bench::<M>::new(script);
    let mut report = Report::default();
    for slip in slips {
        report.make(&mut bench, slip);
    }
    report.check(least);
}
