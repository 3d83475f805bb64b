//! `copy SEL … set KEY:VALUE …`: copies that differ from their originals, in one op.

use std::collections::BTreeSet;

use super::{COPY, is_computed, made};
use crate::bail;
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::op::{Limits, OpWord, ParsedOp, Quoted, parse, parse_within};
use crate::reply::Reply;
use crate::session::document::Document;
use crate::verb::{Place, Registry, Target};

/// The op that changes the copies, up to its keys.
const CHANGE: &str = "modify @all";

/// The place of the word `set` in an op of `copy`; `None` for any other op. The keys after it change
/// the copies.
pub(super) fn set_word<M: Domain>(registry: &Registry<M>, op: &ParsedOp<'_>) -> Option<Span> {
    let is_set = |word: &OpWord<'_>| match word {
        OpWord::Positional(word) => word.quoted == Quoted::No && word.text == "set",
        _ => false,
    };
    // The first word names the rows.
    let at = op.words.iter().skip(1).position(is_set)? + 1;
    let is_key = |word: &OpWord<'_>| matches!(word, OpWord::Param(_));
    let begins = op.words.get(at + 1).is_some_and(is_key);
    let found = registry.verb(op)?;
    (begins && found.verb.phrase == "copy").then(|| op.words.get(at).map(OpWord::span))?
}

/// The op with `set` before the keys that `copy` lacks: `copy SEL by:20,0 fill:red` was meant so.
pub(in crate::session) fn with_set<M: Domain>(
    registry: &Registry<M>,
    text: &str,
) -> Option<String> {
    let op = parse(text).ok()?;
    let verb = registry.verb(&op).map(|found| found.verb)?;
    let is_open = verb.params.iter().any(|param| param.place == Place::Fields);
    if verb.phrase != "copy" || is_open || set_word(registry, &op).is_some() {
        return None;
    }
    let is_lacking = |key: &str| {
        let mut params = verb.params.iter();
        M::kind(key).is_none() && !params.any(|own| own.answers_to(key))
    };
    let (head, keys) = split(&op, op.words.iter(), is_lacking);
    (!keys.is_empty()).then(|| format!("{}{head} set{keys}", op.verb.text))
}

/// Words of an op, and then those of parameters whose key is of another kind, each after a space.
fn split<'o, 'a: 'o>(
    op: &ParsedOp<'_>,
    words: impl Iterator<Item = &'o OpWord<'a>>,
    is_other: impl Fn(&str) -> bool,
) -> (String, String) {
    let (mut own, mut others) = (String::new(), String::new());
    for word in words {
        let text = match word {
            OpWord::Param(param) if is_other(&param.key) => &mut others,
            _ => &mut own,
        };
        text.push(' ');
        text.push_str(word.span().of(op.raw));
    }
    (own, others)
}

impl<M: Domain> Document<M> {
    /// Copies rows, then changes the copies as `modify` does. `set` is the word between both.
    pub(super) fn copy_and_set(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        set: Span,
        limits: Limits,
    ) -> Result<Reply> {
        let (head, keys) = parts(registry, op, set);
        let (head, keys) = (&*head, &*keys);
        if keys.is_empty() {
            return self.act(registry, head, limits);
        }
        let inner = parse_within(head, limits).map_err(|error| Diagnostic::new(error.error))?;
        let kinds: BTreeSet<usize> = match self.target(registry, &inner) {
            Ok(target) => target.rows.iter().map(|row| row.part()).collect(),
            // The verb reports it in its own words.
            Err(_) => BTreeSet::new(),
        };
        // New rows are kept apart until all changes are made; then they may meet others.
        self.model.begin_apart();
        let ((reply, copies, changed), met) = self.ended(M::end_apart, |own| {
            own.copy_then_set(registry, (head, keys), &kinds, limits)
        })?;
        let line = format!("{} {}", changed.sign().char(), changed.text());
        let notes = changed.notes().iter().cloned();
        let lines = std::iter::once(line).chain(notes).chain(met);
        let copies = copies.into_iter().rev().filter(|row| self.model.has(*row));
        let reply = match reply.rows() {
            [] => reply.about(copies),
            _ => reply,
        };
        Ok(lines.fold(reply, Reply::note))
    }

    /// Copies rows by the op `head`, and changes the copies by `keys`. Returns the reply of the
    /// copy, the copies, and the reply of the change.
    fn copy_then_set(
        &mut self,
        registry: &Registry<M>,
        (head, keys): (&str, &str),
        kinds: &BTreeSet<usize>,
        limits: Limits,
    ) -> Result<(Reply, Vec<Row>, Reply)> {
        let whole = |head: &str, keys: &str| format!("{head} set {keys}");
        let before = self.model.ids().peek();
        let reply = self.act(registry, head, limits).map_err(|error| {
            let repair = match error.repair {
                Repair::Try(head) if is_of_copy(&head) => Repair::Try(whole(&head, keys)),
                Repair::Untried(head) if is_of_copy(&head) => Repair::Untried(whole(&head, keys)),
                Repair::Add(words) => Repair::Try(whole(&format!("{head} {words}"), keys)),
                repair => repair,
            };
            Diagnostic { repair, ..error }
        })?;
        let copies = self.copies(&reply, before, kinds);
        if copies.is_empty() {
            bail!("there are no copies to change: each became part of a row that was there");
        }
        let change = format!("{CHANGE} {keys}");
        let inner = made(&change)?;
        let changed = match inner.params().any(is_computed) {
            true => {
                let target = Target {
                    rows: copies.clone(),
                    words: vec![0],
                    many: true,
                    each: false,
                };
                self.compute_for(registry, &inner, &target)
            }
            false => self.plain(registry, &inner, Some(&copies)),
        };
        let changed = changed.map_err(|error| {
            let repair = match &error.repair {
                Repair::Try(op) => match op.strip_prefix(CHANGE) {
                    Some(keys) => Repair::Try(whole(head, keys.trim())),
                    // It may name rows that are gone when the copies are taken back.
                    None => Repair::None,
                },
                Repair::Add(words) => Repair::Try(whole(head, &format!("{keys} {words}"))),
                _ => Repair::None,
            };
            let message = match repair {
                Repair::None => format!(
                    "{} (set changes the copies by keys of modify; for more, an op on them after copy)",
                    error.message
                ),
                _ => error.message,
            };
            let error = Diagnostic::new(message);
            Diagnostic { repair, ..error }.or_syntax(COPY)
        })?;
        Ok((reply, copies, changed))
    }

    /// The rows that an op of `copy` made: those that its reply is about, or all new ones of the
    /// kinds that it copied.
    fn copies(&self, reply: &Reply, before: u32, kinds: &BTreeSet<usize>) -> Vec<Row> {
        let is_new = |row: &Row| row.id() >= before && self.model.has(*row);
        let mut copies: Vec<Row> = reply.rows().iter().copied().filter(is_new).collect();
        if copies.is_empty() {
            let ids = before..self.model.ids().peek();
            let rows = ids.flat_map(|id| kinds.iter().map(move |part| Row::new(*part, id)));
            copies.extend(rows.filter(is_new));
        }
        self.model.arrange(&mut copies);
        copies
    }
}

/// The op up to `set`, and the keys after it. Keys that `copy` has and `modify` lacks belong to the first in any order.
fn parts<M: Domain>(registry: &Registry<M>, op: &ParsedOp<'_>, set: Span) -> (String, String) {
    let has = |phrase: &str, key: &str| {
        let mut verbs = registry.verbs().filter(|verb| verb.phrase == phrase);
        verbs.any(|verb| verb.params.iter().any(|param| param.answers_to(key)))
    };
    let after = op.words.iter().filter(|word| word.span().start >= set.end);
    let of_copy = |key: &str| has("copy", key) && !has("modify", key);
    let (keys, of_copy) = split(op, after, of_copy);
    let head = op.raw.get(..set.start).unwrap_or_default().trim_end();
    (format!("{head}{of_copy}"), keys.trim_start().to_owned())
}

fn is_of_copy(op: &str) -> bool {
    op.starts_with("copy ")
}
