//! The findings about a server, as text and as JSON.

use std::fmt;

use serde_json::{Value, json};

use super::rows::Row;
use super::talk::Exchange;
use super::verdict::Verdict;

/// The most lines of an exchange in the text.
const LINES: usize = 12;
/// The most characters of a line.
const WIDTH: usize = 160;

/// The result of one row.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The row.
    pub row: &'static Row,
    /// The verdict.
    pub verdict: Verdict,
    /// The exchanges that led to it. The last one decided.
    pub exchanges: Vec<Exchange>,
}

/// The results of all rows.
#[derive(Clone, Debug)]
pub struct Report {
    /// The server's name.
    pub server: String,
    /// The domain it serves.
    pub domain: String,
    /// The rows, in the order of the table.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Returns whether every row holds or is not applicable. A row that could not be proved does
    /// not pass.
    #[must_use]
    pub fn passes(&self) -> bool {
        let good = |verdict: &Verdict| matches!(verdict, Verdict::Pass | Verdict::NotApplicable(_));
        self.findings.iter().all(|finding| good(&finding.verdict))
    }

    /// The rows that failed.
    #[must_use]
    pub fn failed(&self) -> Vec<&'static str> {
        let failed = self.findings.iter();
        let failed = failed.filter(|finding| matches!(finding.verdict, Verdict::Fail(_)));
        failed.map(|finding| finding.row.id).collect()
    }

    fn count(&self, word: &str) -> usize {
        let all = self.findings.iter();
        all.filter(|finding| finding.verdict.word() == word).count()
    }

    /// The report for programs: every row with its verdict and all exchanges.
    #[must_use]
    pub fn json(&self) -> Value {
        let findings = self.findings.iter().map(|finding| {
            let exchanges = finding.exchanges.iter();
            json!({
                "row": finding.row.id,
                "rule": finding.row.rule,
                "proof": finding.row.proof,
                "restated_by": finding.row.restated,
                "verdict": finding.verdict.word().to_lowercase(),
                "reason": finding.verdict.why(),
                "exchanges": exchanges
                    .map(|exchange| json!({ "sent": exchange.sent, "got": exchange.got }))
                    .collect::<Vec<_>>(),
            })
        });
        json!({
            "server": self.server,
            "domain": self.domain,
            "passes": self.passes(),
            "rows": findings.collect::<Vec<_>>(),
        })
    }
}

/// The report for people: a line per row, with the exchange that decided it.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.server, self.domain)?;
        for finding in &self.findings {
            let (row, verdict) = (finding.row, &finding.verdict);
            writeln!(f, "{:<9} {:<5} {}", verdict.word(), row.id, row.rule)?;
            if let Some(why) = verdict.why() {
                writeln!(f, "    {}", cut(why))?;
            }
            let failed = matches!(verdict, Verdict::Fail(_));
            if let Some(exchange) = finding.exchanges.last() {
                let lines = if failed { LINES } else { 1 };
                shown(f, "    > ", &exchange.sent, lines)?;
                shown(f, "    < ", &exchange.got, lines)?;
            }
        }
        let [pass, fail, none, unproved] =
            ["pass", "FAIL", "n/a", "unproved"].map(|word| self.count(word));
        let all = self.findings.len();
        writeln!(
            f,
            "{all} rows: {pass} pass, {fail} fail, {none} not applicable, {unproved} not provable"
        )
    }
}

fn shown(f: &mut fmt::Formatter<'_>, mark: &str, text: &str, most: usize) -> fmt::Result {
    let count = text.lines().count();
    for line in text.lines().take(most) {
        writeln!(f, "{mark}{}", cut(line))?;
    }
    if count > most && most > 1 {
        writeln!(f, "{mark}… {} more lines", count - most)?;
    }
    Ok(())
}

fn cut(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    line.chars().take(WIDTH).chain(['…']).collect()
}
