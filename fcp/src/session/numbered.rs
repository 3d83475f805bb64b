//! Names with a number, such as `Viola~2`, whose row must stay the same throughout a batch.
//!
//! The number is the row's place among those of its name. If an earlier op renames or removes one of
//! them, the same text names another row; the writer of the batch cannot have meant that one.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::op::{OpWord, parse};
use crate::sql::write_statement::is_write;
use crate::verb::{Param, Registry, Takes, with_number};

/// The rows that numbered names in the ops of a batch named when it began.
#[derive(Default)]
pub(super) struct Numbered(FxHashMap<String, Row>);

impl Numbered {
    /// Looks up the numbered names in ops.
    pub(super) fn of<'o, M: Domain>(
        model: &M,
        ops: impl ExactSizeIterator<Item = &'o String>,
    ) -> Self {
        let mut known = FxHashMap::default();
        // Before the only op nothing has changed.
        let many = if ops.len() > 1 { usize::MAX } else { 0 };
        for op in ops.take(many) {
            for name in names(op).map(|span| span.of(op)) {
                if !known.contains_key(name)
                    && let Some(row) = row_of(model, name)
                {
                    known.insert(name.to_owned(), row);
                }
            }
        }
        Self(known)
    }

    /// The error that a name in an op has come to name another row.
    pub(super) fn moved<M: Domain>(&self, model: &M, op: &str) -> Option<Diagnostic> {
        let (span, row) = self.other(model, op)?;
        let error = renumbered(span.of(op), row);
        Some(match (is_left(model, row), is_write(op)) {
            (true, false) => {
                Diagnostic::new(error).or_try(span.replace(op, &format!("#{}", row.id())))
            }
            (true, true) => Diagnostic::new(format!("{error}: write ref='#{}'", row.id())),
            (false, _) => Diagnostic::new(format!("{error} and is removed")),
        })
    }

    /// An op that names each row by its id if its name has come to name another row.
    ///
    /// # Errors
    /// The row is removed, or the name is where the op may take a text.
    pub(super) fn by_id<'o, M: Domain>(
        &self,
        registry: &Registry<M>,
        model: &M,
        op: &'o str,
    ) -> Result<Cow<'o, str>, Diagnostic> {
        let mut text = Cow::Borrowed(op);
        while let Some((span, row)) = self.other(model, &text) {
            if !names_rows(registry, &text, span) || !is_left(model, row) {
                return Err(Diagnostic::new(renumbered(span.of(&text), row)));
            }
            text = span.replace(&text, &format!("#{}", row.id())).into();
        }
        Ok(text)
    }

    /// A name in an op that has come to name another row, and the row that it named.
    fn other<M: Domain>(&self, model: &M, op: &str) -> Option<(Span, Row)> {
        let mut mentioned = names(op).filter_map(|span| {
            // The whole name: `Viola~1` is not in `Viola~12`.
            let name = span.of(op);
            let row = *self.0.get(name)?;
            (row_of(model, name) != Some(row)).then_some((span, row))
        });
        mentioned.next()
    }
}

/// Whether a place in an op is in a selector, or in a value of a parameter that takes rows.
fn names_rows<M: Domain>(registry: &Registry<M>, op: &str, place: Span) -> bool {
    let Ok(op) = parse(op) else { return false };
    let Some(found) = registry.verb(&op) else {
        return false;
    };
    let takes_rows = |param: Option<&Param>| param.is_some_and(|own| own.takes != Takes::Value);
    let is_bare = |ix: &usize| {
        matches!(op.words.get(*ix), Some(OpWord::Positional(_))) && !found.skip.contains(ix)
    };
    let first = (0..op.words.len()).find(is_bare);
    let words = op.words.iter().enumerate();
    let mut here = words.filter(|(_, word)| {
        let span = word.span();
        span.start <= place.start && place.end <= span.end
    });
    here.any(|(ix, word)| match word {
        OpWord::Selector(_) => true,
        // After a selector the first word is a value.
        OpWord::Positional(_) => {
            first == Some(ix)
                && op.selectors().next().is_none()
                && takes_rows(found.verb.params.first())
        }
        OpWord::Param(word) => {
            let mut params = found.verb.params.iter();
            let param = params.find(|param| param.answers_to(&word.key));
            takes_rows(param) || param.is_none() && M::kind(&word.key).is_some()
        }
        OpWord::Arrow(_) => false,
    })
}

fn renumbered(name: &str, row: Row) -> String {
    format!("an earlier op renumbered {name}, which was #{}", row.id())
}

/// Whether a row still exists.
fn is_left<M: Domain>(model: &M, row: Row) -> bool {
    let rows = model.rows(row.part());
    rows.is_some_and(|rows| rows.label(row.id()).is_some())
}

/// The places in an op of texts that may be numbered names: what ends in `~` and a number, from the
/// last quote, and from the last sign or space.
fn names(op: &str) -> impl Iterator<Item = Span> {
    op.match_indices('~').flat_map(move |(tilde, _)| {
        let digits = op[tilde + 1..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let end = tilde + 1 + digits;
        let from = |signs: &[char]| {
            let start = op[..tilde].rfind(signs).map_or(0, |at| at + 1);
            (digits > 0 && start < tilde).then(|| Span::new(start, end))
        };
        let quoted = from(&['\'', '"']);
        [quoted, from(&['\'', '"', ' ', ':', ',', '=', '(', '@'])]
            .into_iter()
            .flatten()
    })
}

/// The only row that a numbered name names.
fn row_of<M: Domain>(model: &M, name: &str) -> Option<Row> {
    match with_number(model, name).as_slice() {
        [row] => Some(*row),
        _ => None,
    }
}
