//! Shared parts of fuzzers and bounded random tests: bytes become calls of a session, with checks
//! after each.
//!
//! [`Calls`] takes any text as ops, queries and actions; [`Sessions`] reads bytes as choices, which
//! make mostly valid sessions from the registry. [`mutants`] generates bytes if there is no fuzzer.

mod calls;
mod computed;
mod costs;
mod exact;
mod grammar;
pub mod mutants;
mod queries_and_actions;
mod retarget;
mod sessions;
mod statements;
mod tool_costs;
mod written;

pub use calls::Calls;
pub use costs::Costs;
pub(in crate::testing) use exact::exact;
pub(in crate::testing) use grammar::Grammar;
pub use sessions::Sessions;
pub use statements::Statements;
pub use tool_costs::ToolCosts;
pub(in crate::testing) use written::{WORDS, Writes};

use super::Walk;
use crate::domain::Domain;
use crate::tool::Toolset;

/// One call costs as much as parsing thousands of bytes.
const COST: usize = 1000;

/// Sends the seeds of a target, and mutants of them with `pieces` inserted, to the document that a
/// script makes.
///
/// # Panics
/// A check of [`Calls::holds`] fails.
pub fn any_calls<M: Domain>(target: &str, set_up: &str, pieces: &[&str]) {
    let calls = Calls::<M>::new(set_up);
    let seeds = mutants::seeds(target);
    seeds.iter().for_each(|seed| calls.holds(seed));
    let mutant = |random: &mut Walk| mutants::mutated(random, &seeds, pieces);
    mutants::run(COST, mutant, |bytes, _| calls.holds(bytes));
}

/// The rows of the documents for cost checks without a fuzzer.
const ROWS: usize = 100;

/// Sends the seeds of a target, and mutants of them with `pieces` inserted, to large documents.
///
/// # Panics
/// A check of [`Costs::holds`] fails.
pub fn any_costs<M: Domain>(target: &str, pieces: &[&str]) {
    let costs = Costs::<M>::new(ROWS);
    let seeds = mutants::seeds(target);
    seeds.iter().for_each(|seed| costs.holds(seed));
    let mutant = |random: &mut Walk| mutants::mutated(random, &seeds, pieces);
    mutants::run(100 * COST, mutant, |bytes, _| costs.holds(bytes));
}

/// Sends the seeds of a target, and mutants of them with `pieces` inserted, to structured tools in large folders.
///
/// # Panics
/// A check of [`ToolCosts::holds`] fails.
pub fn any_tool_costs<S: Toolset>(target: &str, pieces: &[&str]) {
    let costs = ToolCosts::<S>::new(ROWS);
    let seeds = mutants::seeds(target);
    seeds.iter().for_each(|seed| costs.holds(seed));
    let mutant = |random: &mut Walk| mutants::mutated(random, &seeds, pieces);
    mutants::run(COST, mutant, |bytes, _| costs.holds(bytes));
}

/// Plays the sessions that the seeds of a target spell, and mutants of them.
///
/// # Panics
/// A check of [`Sessions::holds`] fails.
pub fn any_sessions<M: Domain>(target: &str) {
    let sessions = Sessions::<M>::new();
    let seeds = mutants::seeds(target);
    seeds.iter().for_each(|seed| sessions.holds(seed));
    let mutant = |random: &mut Walk| mutants::mutated::<str>(random, &seeds, &[]);
    mutants::run(COST, mutant, |bytes, _| sessions.holds(bytes));
}

/// Sends the seeds of a target, and mutants of them with `pieces` inserted, as SQL statements to
/// the document that a script makes.
///
/// # Panics
/// A check of [`Statements::holds`] fails.
pub fn any_statements<M: Domain>(target: &str, set_up: &str, pieces: &[&str]) {
    let statements = Statements::<M>::new(set_up);
    let seeds = mutants::seeds(target);
    seeds.iter().for_each(|seed| statements.holds(seed));
    let mutant = |random: &mut Walk| mutants::mutated(random, &seeds, pieces);
    mutants::run(COST, mutant, |bytes, _| statements.holds(bytes));
}
