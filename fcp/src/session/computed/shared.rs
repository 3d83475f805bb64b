//! `KEY:=EXPR` for something that rows share: one value, which must be the same for all of them.

use rustc_hash::FxHashSet;

use super::made;
use super::values::{Computed, no_change};
use crate::diag::{Diagnostic, Result};
use crate::domain::{Domain, SharedRows};
use crate::op::ParsedOp;
use crate::reply::Reply;
use crate::session::document::Document;
use crate::sql::expression;
use crate::verb::{Registry, Target, sure_name};

/// The largest number of differing values that an error shows.
const SHOWN: usize = 3;

impl<M: Domain> Document<M> {
    /// Runs an op whose computed values are each shared by some rows.
    pub(super) fn compute_shared(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        computed: &[Computed<'_>],
    ) -> Result<Reply> {
        let words = computed.iter();
        let words = words.map(|own| self.shared_value(registry, op, own));
        let words: Vec<Option<String>> = words.collect::<Result<_>>()?;
        if words.iter().all(Option::is_none) {
            return Ok(no_change());
        }
        let text = self.respelled(registry, op, (&Target::default(), ""), computed, &words);
        // Its place is in an op that was not sent.
        let reply = self.plain(registry, &made(&text)?, None);
        reply.map_err(|error| Diagnostic::new(format!("{} (computed)", error.message)))
    }

    /// The value of an expression for all rows that share it; `None` for NULL.
    fn shared_value(
        &self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        own: &Computed<'_>,
    ) -> Result<Option<String>> {
        let (span, key, expr) = (own.span, own.key, own.expr);
        expression(expr).map_err(|error| own.wrong(op, &error))?;
        let shared = self.model.shared_rows(op, key).transpose()?;
        let Some(SharedRows { owner, rows, each }) = shared else {
            let message = format!("{key} is not a value that rows share");
            return Err(Diagnostic::new(message).at(span));
        };
        self.check_reads(op, own, &rows)?;
        let (view, decimals) = (self.view(registry), self.model.decimals(key));
        // An expression without columns needs no rows.
        let alone = view.values(&format!("SELECT ({expr})")).ok();
        let alone = alone.and_then(|found| found.rows.into_iter().flatten().next());
        if let Some(cell) = alone {
            let cell = cell.rounded(decimals);
            return Ok(cell.word().map(Into::into));
        }
        if rows.is_empty() {
            let message = format!("{owner} matches no rows, so {expr} has no columns to read");
            return Err(Diagnostic::new(message).at(span));
        }
        let values = view.compute(&rows, &[(expr, decimals)]);
        let values = values.map_err(|fault| own.wrong(op, &fault.of_expression(expr)))?;
        let mut different: FxHashSet<Option<String>> = FxHashSet::default();
        let mut shown: Vec<String> = Vec::new();
        for row in &rows {
            let Some(cell) = values.get(row).and_then(|cells| cells.first()) else {
                continue;
            };
            if different.insert(cell.word().map(Into::into)) && shown.len() < SHOWN {
                let name = sure_name(&self.model, *row);
                shown.push(format!("{} for {name}", cell.shown()));
            }
        }
        let count = different.len();
        if count < 2 {
            return Ok(different.into_iter().next().flatten());
        }
        shown.extend((count > SHOWN).then(|| format!("{} more", count - SHOWN)));
        let shown = shown.join(", ");
        let message = format!(
            "{owner} has one {key} for all its rows, and {expr} has {count} values: {shown}"
        );
        Err(Diagnostic::new(message).at(span).maybe_try(each))
    }
}
