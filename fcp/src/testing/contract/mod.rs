//! The contract of a server, row by row, proved from outside over MCP.
//!
//! [The rows](rows()) are a table: what each row demands, how that is shown, and which rows restate it. [`judge`] proves the
//! rows on a server it knows nothing about: its tools, its codebook and the examples in there are all it goes by. What
//! they do not suffice for is said to be unproved.

mod case;
mod known;
mod pipe;
mod report;
mod rows;
mod talk;
mod verdict;

use std::cell::RefCell;
use std::rc::Rc;

pub use pipe::{Peer, Program, Target, inside, inside_tools};
pub use report::{Finding, Report};
pub use rows::{Row, rows};
pub use talk::Exchange;
pub use verdict::Verdict;

use super::play::scratch;
use crate::domain::Domain;
use crate::endpoint::Flag;
use crate::tool::Toolset;
use case::Case;
use talk::Talk;

/// Proves rows on a server: all, or those named. `samples` is a script of ops that work on a new document; without one
/// the workflow in the codebook is taken.
///
/// # Errors
/// The server cannot be spoken to, or a row that is named is none.
pub fn judge(
    target: &dyn Target,
    samples: Option<&str>,
    only: &[String],
) -> Result<Report, String> {
    if let Some(unknown) = only
        .iter()
        .find(|id| !rows().any(|row| row.id == id.as_str()))
    {
        let all: Vec<&str> = rows().map(|row| row.id).collect();
        return Err(format!(
            "there is no row {unknown}; there are {}",
            all.join(" ")
        ));
    }
    let folder = scratch();
    let mut fresh = |domain: &str| {
        let peer = target.start(folder.path(), &[]).map_err(verdict::fail)?;
        Talk::begin(peer, domain, Rc::new(RefCell::new(Vec::new())))
    };
    let known = known::learn(samples, &mut fresh)
        .map_err(|stop| stop.why().unwrap_or_default().to_owned())?;
    let mut findings = Vec::new();
    for row in rows().filter(|row| only.is_empty() || only.iter().any(|id| id == row.id)) {
        let case = Case::new(target, &known);
        let verdict = match (row.is_structured(), known.structured) {
            (false, true) => verdict::none("structured tools"),
            (true, false) => verdict::none("the four tools"),
            _ => row.prove(&case).err().unwrap_or(Verdict::Pass),
        };
        findings.push(Finding {
            row,
            verdict,
            said: case.said(),
        });
    }
    Ok(Report {
        server: target.name(),
        domain: known.domain,
        findings,
    })
}

/// Proves every row on the program of a domain, as one of its tests. Flags of the program that begin with `no-` are given:
/// what the machine lends would differ from one to the next.
///
/// # Panics
/// A row fails, or is not proved.
pub fn keeps<M: Domain>(program: &str) {
    kept(program, M::FLAGS);
}

/// The same, of a domain of structured tools.
///
/// # Panics
/// A row fails, or is not proved.
pub fn tools_keep<S: Toolset>(program: &str) {
    kept(program, S::FLAGS);
}

fn kept(program: &str, flags: &[Flag]) {
    let without = flags.iter().filter(|flag| flag.name.starts_with("no-"));
    let flags = without.map(|flag| format!("--{}", flag.name));
    match judge(&Program::new(program, flags), None, &[]) {
        Ok(report) => assert!(report.passes(), "{report}"),
        Err(problem) => panic!("{program}: {problem}"),
    }
}
