//! `KEY:=EXPR` for something that rows share: one value, which must be the same for all of them.

use rustc_hash::FxHashSet;

use super::values::{Computed, respelled, spell, wrong};
use crate::diag::{Diagnostic, Result};
use crate::domain::{Domain, SharedRows};
use crate::op::{OpWord, ParsedOp, parse};
use crate::reply::{Reply, Sign};
use crate::session::document::Document;
use crate::sql::{Reads, expression};
use crate::verb::{Registry, Target, sure_name};

/// The largest number of differing values that an error shows.
const SHOWN: usize = 3;

impl<M: Domain> Document<M> {
    /// Runs an op whose computed values are each shared by some rows.
    pub(super) fn compute_shared(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        computed: &Computed<'_>,
    ) -> Result<Reply> {
        let mut words = Vec::with_capacity(computed.len());
        for value in computed {
            words.push(self.shared_value(registry, op, *value)?);
        }
        if words.iter().all(Option::is_none) {
            return Ok(Reply::new(
                Sign::Unchanged,
                "every value is NULL, which changes nothing",
            ));
        }
        let params = registry.verb(op).map_or(&[][..], |found| found.verb.params);
        let target = Target {
            rows: Vec::new(),
            words: Vec::new(),
            many: false,
            each: false,
        };
        let text = {
            let spell = |key: &str, value: &str| spell(&self.model, params, key, value);
            respelled(op, (&target, ""), (computed, &[], &spell), &words)
        };
        let inner = parse(&text).map_err(|error| Diagnostic::new(error.error))?;
        // Its place is in an op that was not sent.
        self.plain(registry, &inner, None)
            .map_err(|error| Diagnostic {
                span: None,
                ..Diagnostic::new(format!("{} (computed)", error.message))
            })
    }

    /// The value of an expression for all rows that share it; `None` for NULL.
    fn shared_value(
        &self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        (word, key, expr): (usize, &str, &str),
    ) -> Result<Option<String>> {
        let span = op.words.get(word).map(OpWord::span).unwrap_or_default();
        expression(expr).map_err(|error| wrong(op, word, key, &error))?;
        let shared = self.model.shared_rows(op, key).transpose()?;
        let Some(SharedRows { owner, rows, each }) = shared else {
            let message = format!("{key} is not a value that rows share");
            return Err(Diagnostic::new(message).at(span));
        };
        let reads = Reads::of(expr);
        self.model
            .check_computed(op, key, &|columns| reads.any(columns), &rows)
            .map_err(|error| error.at(span))?;
        let state = self.log.state_id();
        let decimals = self.model.decimals(key);
        // An expression without columns needs no rows.
        let question = format!("SELECT ({expr})");
        let alone = self.tables.values(&self.model, registry, state, &question);
        let alone = alone
            .ok()
            .and_then(|found| found.rows.into_iter().next()?.into_iter().next());
        if let Some(cell) = alone {
            let cell = cell.rounded(decimals);
            return Ok(cell.word().map(Into::into));
        }
        if rows.is_empty() {
            let message = format!("{owner} matches no rows, so {expr} has no columns to read");
            return Err(Diagnostic::new(message).at(span));
        }
        let exprs = [(expr, decimals)];
        let values = self
            .tables
            .compute((&self.model, registry, state), &rows, &exprs);
        let values = values.map_err(|fault| {
            let error = fault.of_value(expr, "SELECT rowid, (".len());
            wrong(op, word, key, &error)
        })?;
        let mut different: FxHashSet<Option<String>> = FxHashSet::default();
        let mut shown: Vec<String> = Vec::new();
        for row in &rows {
            let Some(cell) = values.get(row).and_then(|cells| cells.first()) else {
                continue;
            };
            if different.insert(cell.word().map(Into::into)) && shown.len() < SHOWN {
                shown.push(format!(
                    "{} for {}",
                    cell.shown(),
                    sure_name(&self.model, *row)
                ));
            }
        }
        match different.len() {
            0 | 1 => Ok(different.into_iter().next().flatten()),
            count => {
                shown.extend((count > SHOWN).then(|| format!("{} more", count - SHOWN)));
                let message = format!(
                    "{owner} has one {key} for all its rows, and {expr} has {count} values: {}",
                    shown.join(", ")
                );
                let error = Diagnostic::new(message).at(span);
                Err(match each {
                    Some(each) => error.or_try(each),
                    None => error,
                })
            }
        }
    }
}
