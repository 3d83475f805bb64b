//! The contract of a server, row by row, proved from outside over MCP.
//!
//! [The rows](rows()) are a table: the demand of each row, its proof, and the rows that restate it.
//! [`judge`] proves the rows on an unknown server, using only its tools, its codebook and the
//! examples in there. Rows for which these are not sufficient are reported as unproved.

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

/// Proves rows on a server: all, or the named ones. `samples` is a script of ops that work on a new
/// document; without one the workflow in the codebook is used.
///
/// # Errors
/// The server does not respond, or a named row does not exist.
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
            exchanges: case.exchanges(),
        });
    }
    Ok(Report {
        server: target.name(),
        domain: known.domain,
        findings,
    })
}

/// Proves every row on the program of a domain, as one of its tests. Sets flags of the program that
/// begin with `no-`, since results would otherwise depend on the machine.
///
/// # Panics
/// A row fails, or is not proved.
pub fn keeps<M: Domain>(program: &str) {
    kept(program, M::FLAGS);
}

/// Proves every row on the program of a toolset.
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
