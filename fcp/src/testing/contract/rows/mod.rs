//! The table: every row of the contract, and its proof.

mod agreed;
mod bounds;
mod draft;
mod files;
mod language;
mod may;
mod must;
mod notation;
mod replies;
mod should;
mod steps;
mod structured;

use super::case::Case;
use super::verdict::Proved;

/// A row of the contract.
#[derive(Debug)]
pub struct Row {
    /// `M…` must, `S…` should, `O…` may; `F…` the sections of the draft of 2026-02-26; `D…`
    /// decisions on points that these leave open; `T…` requirements on structured tools.
    pub id: &'static str,
    /// The demand.
    pub rule: &'static str,
    /// Its proof.
    pub proof: &'static str,
    /// The rows that make the same demand or rely on it: a server that breaks this one may fail
    /// those too.
    pub restated: &'static [&'static str],
    prove: fn(&Case<'_>) -> Proved,
}

impl Row {
    pub(super) fn prove(&self, case: &Case<'_>) -> Proved {
        (self.prove)(case)
    }

    /// Returns whether it concerns structured tools; the others concern the usual four.
    pub(super) fn is_structured(&self) -> bool {
        self.id.starts_with('T')
    }
}

/// All rows, in order.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    let parts = [
        must::ROWS,
        should::ROWS,
        may::ROWS,
        draft::ROWS,
        notation::ROWS,
        agreed::ROWS,
        steps::ROWS,
        replies::ROWS,
        language::ROWS,
        bounds::ROWS,
        files::ROWS,
        structured::ROWS,
    ];
    let mut all: Vec<&Row> = parts.into_iter().flatten().collect();
    all.sort_by_key(|row| {
        let (kind, rest) = row.id.split_at(1);
        let (major, minor) = rest.split_once('.').unwrap_or((rest, "0"));
        let number = |text: &str| text.parse::<u32>().unwrap_or_default();
        ("MSOFDT".find(kind), number(major), number(minor))
    });
    all.into_iter()
}
