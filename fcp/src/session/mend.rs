//! Repairs that were tried out before they are shown.

use super::document::Document;
use crate::diag::{Diagnostic, Repair, Result, breaks};
use crate::domain::Domain;
use crate::op::Limits;
use crate::reply::Reply;
use crate::verb::Registry;

impl<M: Domain> Document<M> {
    /// What an op would answer. The document is as before when this returns.
    pub(super) fn rehearse(
        &mut self,
        registry: &Registry<M>,
        text: &str,
        limits: Limits,
    ) -> Result<Reply> {
        let savepoint = self.savepoint();
        let result = self.apply(registry, text, limits);
        self.rollback(savepoint);
        result
    }

    /// An error whose repair has been tried out: an op in another form that works as it is, else its `try:` line, mended
    /// as far as it must be, else the first guess that works, else the syntax. `spare` is how often more may be tried.
    pub(super) fn mend(
        &mut self,
        registry: &Registry<M>,
        op: &str,
        mut error: Diagnostic,
        limits: Limits,
        spare: &mut usize,
    ) -> Diagnostic {
        // What was too dear to try once is not tried many times.
        if matches!(error.repair, Repair::Untried(_)) {
            return error;
        }
        let guesses = crate::verb::guesses(registry, &self.model, op, &error);
        let mut works = |document: &mut Self, guesses: &[String]| {
            guesses.iter().find_map(|guess| {
                *spare = spare.checked_sub(1)?;
                let guess = on_one_line(guess)?;
                document.rehearse(registry, &guess, limits).ok()?;
                Some(guess)
            })
        };
        if let Some(found) = works(self, &guesses.form) {
            error.repair = Repair::Try(found);
            return error;
        }
        let repair = self.mended(registry, error.repair.clone(), limits);
        if matches!(repair, Repair::Try(_)) {
            error.repair = repair;
            return error;
        }
        if let Some(found) = works(self, &guesses.gaps) {
            error.repair = Repair::Try(found);
            return error;
        }
        for guess in guesses.form.iter().take(*spare) {
            let first = |op: &str| op.split_whitespace().next().map(str::to_owned);
            // What a guess leads to is that op, mended, and no other one.
            if let Repair::Try(found) = self.mended(registry, Repair::Try(guess.clone()), limits)
                && first(&found) == first(guess)
            {
                error.repair = Repair::Try(found);
                return error;
            }
        }
        error.repair = repair;
        error
    }

    /// A repair that works, or what is said where there is none.
    fn mended(&mut self, registry: &Registry<M>, repair: Repair, limits: Limits) -> Repair {
        mended(repair, |op| match self.rehearse(registry, op, limits) {
            Ok(_) => Repair::Try(op.to_owned()),
            // What says to send itself again says nothing.
            Err(next) if [Repair::None, Repair::Try(op.to_owned())].contains(&next.repair) => {
                let parsed = crate::op::parse(op).ok();
                let found = parsed.and_then(|op| registry.verb(&op));
                found.map_or(Repair::None, |found| Repair::Syntax(found.verb.syntax()))
            }
            Err(next) => next.repair,
        })
    }
}

/// A repair that works: what `rehearse` answers to a text is that text again if it works, or what would mend it.
/// Four steps are gone at most.
pub(super) fn mended(repair: Repair, mut rehearse: impl FnMut(&str) -> Repair) -> Repair {
    let mut last = repair;
    for _ in 0..4 {
        let Repair::Try(text) = &last else {
            return last;
        };
        let Some(text) = on_one_line(text) else {
            return Repair::None;
        };
        // A repair for another tool cannot be tried here.
        if text.starts_with("! ") || text.starts_with("? ") {
            return Repair::Try(text);
        }
        match rehearse(&text) {
            Repair::Try(next) if next == text => return Repair::Try(text),
            next => last = next,
        }
    }
    match last {
        Repair::Syntax(line) => Repair::Syntax(line),
        _ => Repair::None,
    }
}

/// An op, query or action spelled on one line, if it can be.
fn on_one_line(text: &str) -> Option<String> {
    if !text.contains(breaks) {
        return Some(text.to_owned());
    }
    let (sign, text) = match text.strip_prefix("! ").or(text.strip_prefix("? ")) {
        Some(rest) => text.split_at(text.len() - rest.len()),
        None => ("", text),
    };
    let line = crate::op::parse_action(text).ok()?.to_string();
    (!line.contains(breaks)).then(|| format!("{sign}{line}"))
}
