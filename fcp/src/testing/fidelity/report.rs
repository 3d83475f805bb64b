//! The result of a run of sessions.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::author::Count;
use super::check::Complaint;
use super::play::Compared;
use crate::script::Call;

/// A fault, with the fewest known calls that lead to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// The seed of the run.
    pub seed: u64,
    /// The fault.
    pub complaint: Complaint,
    /// The calls that lead to it, after the file was opened.
    pub calls: Vec<Call>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            seed,
            complaint,
            calls,
        } = self;
        writeln!(f, "{}: {file}, seed {seed}", complaint.judge)?;
        for call in calls {
            writeln!(f, "    {call}")?;
        }
        write!(f, "  {}", complaint.problem.replace('\n', "\n  "))
    }
}

/// Figures of a run, and its faults.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Files that sessions were played on.
    pub files: usize,
    /// Files that the domain rejects.
    pub unopened: usize,
    /// By judge, the original files that it rejects, or reads differently from the judge it
    /// confirms.
    pub unread: BTreeMap<&'static str, usize>,
    /// Sessions.
    pub sessions: usize,
    /// Ops sent.
    pub tried: usize,
    /// Ops that changed something.
    pub applied: usize,
    /// Ops that were refused.
    pub refused: usize,
    /// Ops that were undone or redone.
    pub undone: usize,
    /// Sessions that were also played through the program.
    pub outside: usize,
    /// Comparisons of the account with both files.
    pub accounts: usize,
    /// Bytes in the files that were compared.
    pub bytes: usize,
    /// Values of changed rows that a judge read, and compared with what `changes` says.
    pub values: usize,
    /// Sessions in which bytes changed that no op accounts for.
    pub unaccounted: usize,
    /// By judge, the sessions in which it disagreed.
    pub disagreements: BTreeMap<String, usize>,
    /// The counts of each verb.
    pub verbs: BTreeMap<&'static str, Count>,
    /// The counts of columns set by SQL, and of tables with rows added or removed: `notes.vel`.
    pub written: BTreeMap<String, Count>,
    /// The number of disagreements by judge and by the verb of the last op before.
    pub(super) kinds: BTreeMap<(String, Option<&'static str>), usize>,
    /// The reported faults, shrunk.
    pub findings: Vec<Finding>,
    /// The duration.
    pub time: Duration,
}

impl Outcome {
    /// Returns whether there is no fault.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.unaccounted == 0 && self.disagreements.is_empty()
    }

    /// Adds a comparison.
    pub(super) fn compared(&mut self, compared: Compared) {
        self.bytes += compared.bytes;
        self.values += compared.values;
        self.accounts += usize::from(compared.bytes > 0);
    }

    /// Each judge that disagreed, or check that failed, with the verb of the last op before.
    pub fn faults(&self) -> impl Iterator<Item = (&str, &'static str)> + '_ {
        let kinds = self.kinds.keys();
        kinds.map(|(judge, verb)| (judge.as_str(), verb.unwrap_or_default()))
    }

    /// The SQL targets that were never written: columns, and tables for adding or removing rows.
    pub fn unwritten(&self) -> impl Iterator<Item = &str> + '_ {
        let unwritten = self.written.iter().filter(|(_, count)| count.applied == 0);
        unwritten.map(|(name, _)| name.as_str())
    }

    /// The verbs that never applied.
    pub fn unreached(&self) -> impl Iterator<Item = &'static str> + '_ {
        let unreached = self.verbs.iter().filter(|(_, count)| count.applied == 0);
        unreached.map(|(phrase, _)| *phrase)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}\n")?;
        }
        writeln!(f, "ops by verb (applied of tried):")?;
        for line in self.verbs.iter().collect::<Vec<_>>().chunks(4) {
            let cells = line.iter().map(|(phrase, count)| {
                format!(
                    "{:<24}",
                    format!("{phrase} {}/{}", count.applied, count.tried)
                )
            });
            writeln!(f, "  {}", cells.collect::<String>().trim_end())?;
        }
        writeln!(f, "statements by what they write to (applied of tried):")?;
        for line in self.written.iter().collect::<Vec<_>>().chunks(4) {
            let cells = line.iter().map(|(target, count)| {
                format!(
                    "{:<24}",
                    format!("{target} {}/{}", count.applied, count.tried)
                )
            });
            writeln!(f, "  {}", cells.collect::<String>().trim_end())?;
        }
        let unreached: Vec<_> = self.unreached().collect();
        if !unreached.is_empty() {
            writeln!(f, "verbs that never applied: {}", unreached.join(", "))?;
        }
        writeln!(
            f,
            "files: {}, {} more were refused by the domain",
            self.files, self.unopened
        )?;
        for (judge, files) in &self.unread {
            writeln!(
                f,
                "files that {judge} refuses as they are, or reads differently: {files}"
            )?;
        }
        writeln!(
            f,
            "sessions: {}, of them {} also through the program",
            self.sessions, self.outside
        )?;
        writeln!(
            f,
            "ops: {} tried, {} applied, {} refused, {} undone or redone",
            self.tried, self.applied, self.refused, self.undone
        )?;
        writeln!(
            f,
            "accounts compared: {}, bytes: {}, values told: {}",
            self.accounts, self.bytes, self.values
        )?;
        writeln!(f, "sessions with unaccounted bytes: {}", self.unaccounted)?;
        let total: usize = self.disagreements.values().sum();
        writeln!(f, "disagreements: {total}")?;
        for (judge, count) in &self.disagreements {
            writeln!(f, "  {judge}: {count}")?;
        }
        for ((judge, verb), count) in &self.kinds {
            writeln!(f, "    {judge} after {}: {count}", verb.unwrap_or("no op"))?;
        }
        write!(f, "time: {:.1} s", self.time.as_secs_f64())
    }
}
