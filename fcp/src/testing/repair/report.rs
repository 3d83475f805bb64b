//! Results of mistakes: counts by kind, and the targets for them.

use std::collections::BTreeMap;
use std::fmt;

use super::Slip;
use super::stage::Stage;
use crate::domain::Domain;

/// Counts for one kind of mistake, or for all.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Ops with a mistake that were sent.
    pub slips: usize,
    /// Accepted, with the intended effect.
    pub same: usize,
    /// Accepted, with another effect.
    pub silent: usize,
    /// Refused.
    pub refused: usize,
    /// Refused with a `try:` line.
    pub tried: usize,
    /// Those whose `try:` line is accepted unchanged.
    pub worked: usize,
    /// Refused, with a known intention.
    pub known: usize,
    /// Those whose `try:` line has the intended effect.
    pub meant: usize,
    /// Refused, but with some change.
    pub changed: usize,
    /// Rows added, changed or removed by an accepted mistake or a `try:` line, but not by the
    /// intended op.
    pub beyond: usize,
    /// The bytes of the `!` lines.
    lines: Vec<usize>,
}

impl Tally {
    /// The median of the bytes of the `!` lines.
    #[must_use]
    pub fn line(&self) -> usize {
        let mut lines = self.lines.clone();
        lines.sort_unstable();
        lines.get(lines.len() / 2).copied().unwrap_or_default()
    }

    fn add(&mut self, other: &Self) {
        self.slips += other.slips;
        self.same += other.same;
        self.silent += other.silent;
        self.refused += other.refused;
        self.tried += other.tried;
        self.worked += other.worked;
        self.known += other.known;
        self.meant += other.meant;
        self.changed += other.changed;
        self.beyond += other.beyond;
        self.lines.extend(&other.lines);
    }
}

/// The minimum shares, in percent, for a domain's repairs.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// The share of refused mistakes with a `try:` line.
    pub tried: f64,
    /// The share of `try:` lines that work.
    pub worked: f64,
    /// The share of refused mistakes of known intention whose `try:` line has the intended effect.
    pub meant: f64,
}

impl Least {
    /// The largest median length of an error's `!` line, in bytes.
    pub const LINE: usize = 120;

    /// The targets for every domain.
    pub const BENCHMARK: Self = Self {
        tried: 95.0,
        worked: 95.0,
        meant: 90.0,
    };
}

/// The results of mistakes.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By kind of mistake.
    pub tallies: BTreeMap<&'static str, Tally>,
    /// The failures, one text each.
    pub misses: Vec<String>,
    /// Intended ops that do not work themselves.
    pub impossible: Vec<String>,
}

impl Report {
    /// Makes a mistake, and records the reply.
    pub fn make<M: Domain>(&mut self, stage: &mut Stage<M>, slip: &Slip) {
        let Slip { kind, wrong, meant } = slip;
        let goal = (!meant.is_empty()).then(|| stage.goal(meant));
        if let Some(goal) = goal.as_ref().filter(|goal| !goal.taken) {
            self.impossible.push(format!("{meant}\n    {}", goal.text));
        }
        let sent = stage.send(wrong);
        let tally = self.tallies.entry(kind).or_default();
        let misses = &mut self.misses;
        let mut miss = |what: &str, texts: &[&str]| {
            let texts: String = texts
                .iter()
                .map(|text| format!("\n    {}", text.replace('\n', "\n    ")))
                .collect();
            misses.push(format!("{what} ({kind})\n  {wrong}\n  {meant}{texts}"));
        };
        let is_goal = |digest: &str| goal.as_ref().is_some_and(|goal| goal.digest == digest);
        let beyond = |rows: &std::collections::BTreeSet<_>| {
            goal.as_ref()
                .map_or(0, |goal| rows.difference(&goal.rows).count())
        };
        tally.slips += 1;
        if sent.taken {
            tally.beyond += beyond(&sent.rows);
            if is_goal(&sent.digest) {
                tally.same += 1;
            } else {
                tally.silent += 1;
                miss("TAKEN", &[&sent.text]);
            }
            return;
        }
        tally.refused += 1;
        tally.known += usize::from(goal.is_some());
        let text = sent.text;
        let line = text.lines().find(|line| line.starts_with("! "));
        tally.lines.push(line.unwrap_or_default().len());
        if let Some(trace) = &sent.trace {
            tally.changed += 1;
            miss("CHANGED", &[&text, trace]);
        }
        let Some(tried) = text.lines().find_map(|line| line.strip_prefix("  try: ")) else {
            miss("NO TRY", &[&text]);
            return;
        };
        tally.tried += 1;
        let again = stage.follow(tried);
        if !again.taken {
            miss("TRY FAILS", &[&text, &again.text]);
            return;
        }
        tally.worked += 1;
        let more = beyond(&again.rows);
        tally.beyond += more;
        if more > 0 {
            miss("BEYOND", &[&text, &again.text]);
        }
        if is_goal(&again.digest) {
            tally.meant += 1;
        } else if goal.is_some() {
            miss("OTHER", &[&text, &again.text]);
        }
    }

    /// All kinds together.
    #[must_use]
    pub fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        self.tallies.values().for_each(|tally| sum.add(tally));
        sum
    }

    /// The missed targets, each with the value reached.
    #[must_use]
    pub fn missed(&self, least: Least) -> Vec<String> {
        let sum = self.sum();
        let mut missed = Vec::new();
        for (found, what) in [
            (sum.silent, "taken for something else"),
            (sum.changed, "refused, and something changed"),
            (sum.beyond, "rows touched beyond what was meant"),
            (self.impossible.len(), "wrong themselves that were meant"),
        ] {
            if found > 0 {
                missed.push(format!("{found} {what}; 0 are allowed"));
            }
        }
        for (found, of, least, what) in [
            (
                sum.tried,
                sum.refused,
                least.tried,
                "of the refused have a try: line",
            ),
            (
                sum.worked,
                sum.tried,
                least.worked,
                "of the try: lines work",
            ),
            (
                sum.meant,
                sum.known,
                least.meant,
                "of the refused are repaired as meant",
            ),
        ] {
            let reached = share(found, of);
            if reached < least {
                missed.push(format!("{reached:.1} % {what}; {least} % are due"));
            }
        }
        if sum.line() > Least::LINE {
            missed.push(format!(
                "a ! line has {} bytes at the median; {} are allowed",
                sum.line(),
                Least::LINE
            ));
        }
        missed
    }
}

/// A share in percent; 100 if there are none.
fn share(part: usize, of: usize) -> f64 {
    if of == 0 {
        100.0
    } else {
        100.0 * part as f64 / of as f64
    }
}

/// The table: a line for each kind of mistake, and one for all.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .tallies
            .keys()
            .map(|kind| kind.chars().count())
            .max()
            .unwrap_or_default()
            .max(4);
        writeln!(
            f,
            "{:<width$}  {:>5} {:>5} {:>6} {:>7} {:>6} {:>6} {:>6} {:>7} {:>6} {:>5}",
            "slip",
            "sent",
            "same",
            "silent",
            "refused",
            "try",
            "works",
            "meant",
            "changed",
            "beyond",
            "bytes"
        )?;
        let mut row = |kind: &str, tally: &Tally| {
            writeln!(
                f,
                "{kind:<width$}  {:>5} {:>5} {:>6} {:>7} {:>5.1}% {:>5.1}% {:>5.1}% {:>7} {:>6} {:>5}",
                tally.slips,
                tally.same,
                tally.silent,
                tally.refused,
                share(tally.tried, tally.refused),
                share(tally.worked, tally.tried),
                share(tally.meant, tally.known),
                tally.changed,
                tally.beyond,
                tally.line()
            )
        };
        for (kind, tally) in &self.tallies {
            row(kind, tally)?;
        }
        row("all", &self.sum())
    }
}
