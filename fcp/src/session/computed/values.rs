//! `KEY:=EXPR`: a value for each row.

use std::borrow::Cow;

use indexmap::IndexMap;

use super::fault::{aggregated, negative};
use super::template::force_quote;
use super::{is_computed, made, params};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::op::{OpWord, ParsedOp, parse, quote, spell_param};
use crate::reply::{Reply, count};
use crate::session::document::Document;
use crate::session::unknown::verb;
use crate::sql::{Reads, Table, expression};
use crate::value::{Cell, SqlType, Unit, ValueError, ValueSpec};
use crate::verb::{Binder, Call, Param, Place, Registry, Target, spell_reference, sure_name};
use crate::{changed, unchanged};

/// Rows by the values that they get: one for each computed parameter; `None` leaves the row as it
/// is.
pub(super) type Groups = IndexMap<Vec<Option<String>>, Vec<Row>>;

/// A computed value of an op.
#[derive(Clone, Copy)]
pub(super) struct Computed<'o> {
    /// The index of its word, and its place.
    word: usize,
    pub span: Span,
    pub key: &'o str,
    pub expr: &'o str,
    /// Whether its key names a parameter that is given as a bare word: `name:=` of `rename`.
    is_bare: bool,
}

impl Computed<'_> {
    /// The op with another expression.
    pub fn replaced(&self, op: &ParsedOp<'_>, expr: &str) -> String {
        self.span.replace(op.raw, &spelled(self.key, expr))
    }

    /// An error of the expression, with the repaired op.
    pub fn wrong(&self, op: &ParsedOp<'_>, error: &ValueError) -> Diagnostic {
        let fix = error.fix.as_ref().map(|fix| self.replaced(op, fix));
        let wrong = Diagnostic::new(error.about("")).at(self.span);
        wrong.looking(error.look.clone()).maybe_try(fix)
    }
}

/// The computed values of an op.
fn computed<'o, M: Domain>(registry: &Registry<M>, op: &'o ParsedOp<'_>) -> Vec<Computed<'o>> {
    let params = params(registry, op);
    let is_bare = |key: &str| {
        let own = |param: &Param| {
            matches!(param.place, Place::Word(_) | Place::Rest)
                && (param.name == key || (param.spec)().name.eq_ignore_ascii_case(key))
        };
        params.iter().any(own) && !params.iter().any(|param| param.answers_to(key))
    };
    let words = op.words.iter().enumerate();
    let computed = words.filter_map(|(word, own)| match own {
        OpWord::Param(param) if is_computed(param) => Some(Computed {
            word,
            span: param.span,
            key: &param.key,
            expr: param.value.strip_prefix('=')?,
            is_bare: is_bare(&param.key),
        }),
        _ => None,
    });
    computed.collect()
}

/// The word in place of a computed one, to find the rows.
const STAND_IN: &str = "value";

/// An error of an op with [`STAND_IN`] for computed words: its repair has these as they were sent, or is left out.
fn as_sent(mut error: Diagnostic, op: &ParsedOp<'_>, computed: &[Computed<'_>]) -> Diagnostic {
    let bare = computed.iter().filter(|own| own.is_bare);
    let sent: Vec<&str> = bare.map(|own| own.span.of(op.raw)).collect();
    if let (Repair::Try(text), [first, ..]) = (&error.repair, sent.as_slice()) {
        let is_one = sent.len() == 1 && text.matches(STAND_IN).count() == 1;
        let is_word = is_one && text.split(' ').any(|word| word == STAND_IN);
        let fixed = is_word.then(|| text.replace(STAND_IN, first));
        error.repair = fixed.map_or(Repair::None, Repair::Try);
    }
    error
}

impl<M: Domain> Document<M> {
    /// Runs an op with computed values.
    pub(super) fn compute(&mut self, registry: &Registry<M>, op: &ParsedOp<'_>) -> Result<Reply> {
        let computed = computed(registry, op);
        let is_shared = |own: &Computed<'_>| self.model.shared_rows(op, own.key).is_some();
        if computed.iter().any(is_shared) {
            return self.compute_shared(registry, op, &computed);
        }
        let bare = computed.iter().rev().filter(|own| own.is_bare);
        let text = bare.fold(op.raw.to_owned(), |text, own| {
            own.span.replace(&text, STAND_IN)
        });
        let target = self.target(registry, &made(&text)?);
        let target = target.map_err(|error| as_sent(error, op, &computed))?;
        self.compute_for(registry, op, &target)
    }

    /// Runs an op with computed values on its target rows.
    pub(super) fn compute_for(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        target: &Target,
    ) -> Result<Reply> {
        let computed = computed(registry, op);
        let exprs = computed.iter();
        let exprs = exprs.map(|own| (own.expr, self.model.decimals(own.key)));
        let exprs: Vec<(&str, usize)> = exprs.collect();
        let params = params(registry, op);
        let prefixes = computed.iter().map(|own| {
            let unit = spec_of(params, own.key).and_then(|spec| spec.unit);
            prefix(unit, own).map_err(|error| own.wrong(op, &error))
        });
        // It need be clear only if a value is a number.
        let prefixes: Vec<Result<&str>> = prefixes.collect();
        for own in &computed {
            self.check_reads(op, own, &target.rows)?;
        }
        // One by one, so that an error points at its own word.
        for own in &computed {
            expression(own.expr).map_err(|error| own.wrong(op, &error))?;
            let first = target.rows.get(..1).unwrap_or_default();
            let tried = self.view(registry).compute(first, &[(own.expr, 0)]);
            tried.map_err(|fault| own.wrong(op, &fault.of_expression(own.expr)))?;
        }
        let values = self.view(registry).compute(&target.rows, &exprs);
        let values = values.map_err(|fault| Diagnostic::new(fault.message))?;
        let mut groups = Groups::new();
        for row in &target.rows {
            let Some(cells) = values.get(row) else {
                return Err(self.no_values(registry, op, &computed, *row));
            };
            let mut words = Vec::with_capacity(cells.len());
            for ((own, cell), prefix) in computed.iter().zip(cells).zip(&prefixes) {
                let prefix = match cell {
                    Cell::Integer(_) | Cell::Real(_) => prefix.clone()?,
                    Cell::Null | Cell::Text(_) => "",
                };
                // A number in a unit is a place.
                if let (true, Some(error)) = (prefix.is_empty(), negative(params, own.key, cell)) {
                    return Err(error.at(own.span));
                }
                words.push(cell.word().map(|word| format!("{prefix}{word}")));
            }
            if words.iter().any(Option::is_some) {
                groups.entry(words).or_default().push(*row);
            }
        }
        let meet = groups.len() > 1 && computed.iter().any(|own| meets::<M>(own.key));
        let (mut replies, joint_notes) = self.together(meet, |document| {
            let mut replies = Vec::with_capacity(groups.len());
            for (words, rows) in &groups {
                let failed = |error: Diagnostic| {
                    let of = count(rows.len(), "row");
                    Diagnostic {
                        repair: rounded(registry, op, &computed, words),
                        ..Diagnostic::new(format!("{} (computed for {of})", error.message))
                    }
                };
                let mut call = |document: &mut Self, rows: &[Row], name: &str| {
                    let picked = (target.many && !target.each).then_some(rows);
                    let text = document.respelled(registry, op, (target, name), &computed, words);
                    let reply = document.plain(registry, &made(&text)?, picked);
                    replies.push(reply.map_err(failed)?);
                    Ok::<(), Diagnostic>(())
                };
                if !target.each {
                    call(document, rows, "@all")?;
                    continue;
                }
                for row in rows {
                    let name = sure_name(&document.model, *row);
                    call(document, &[*row], &quote(&name))?;
                }
            }
            Ok(replies)
        })?;
        let line = |rows: usize| {
            let keys = computed.iter().enumerate();
            let keys = keys.map(|(ix, own)| span(own.key, &groups, ix));
            let keys = keys.collect::<Vec<_>>().join(", ");
            changed!("{} {rows} rows: {keys}", op.verb.text)
        };
        let rows: Vec<Row> = groups.values().flatten().copied().collect();
        if let Some(joint_notes) = joint_notes {
            return Ok(self.as_they_are(line(rows.len()), &rows, joint_notes));
        }
        Ok(match replies.len() {
            0 => no_change(),
            1 => replies.remove(0),
            _ => super::folded(line(rows.len()), &replies),
        })
    }

    /// Lets the domain check the columns that an expression reads.
    pub(super) fn check_reads(
        &self,
        op: &ParsedOp<'_>,
        own: &Computed<'_>,
        rows: &[Row],
    ) -> Result<()> {
        let reads = Reads::of(own.expr);
        let reads = |columns: &[&str]| reads.any(columns);
        let checked = self.model.check_computed(op, own.key, &reads, rows);
        checked.map_err(|error| error.at(own.span))
    }

    /// The error of a row for which no table gave values.
    fn no_values(
        &self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        computed: &[Computed<'_>],
        row: Row,
    ) -> Diagnostic {
        let tables = Table::all(registry);
        let of = |part: Option<usize>| {
            let mut entities = tables.iter().filter(|table| table.is_entity);
            entities.find(|table| table.part == part)
        };
        let table = of(Some(row.part())).or_else(|| of(None));
        let table = table.map_or("", |table| &table.name);
        let error = computed.iter().find_map(|own| aggregated(op, own, table));
        error.unwrap_or_else(|| {
            let kind = self.model.kind_of(row);
            Diagnostic::new(format!("no table has the columns of a {kind}"))
        })
    }

    /// The target rows of an op.
    pub(super) fn target(&self, registry: &Registry<M>, op: &ParsedOp<'_>) -> Result<Target> {
        let found = verb(registry, op)?;
        let log = &self.log;
        let recent = |wanted, alive: &dyn Fn(Row) -> Option<Row>| {
            crate::session::touched::recent::<M>(log, wanted, alive)
        };
        let sql = self.conditions(registry);
        let call = Call {
            op,
            skip: found.skip,
            qualified: found.qualified,
            verb: found.verb,
            registry,
            recent: &recent,
            files: &self.files,
            sql: &sql,
            picked: None,
        };
        let mut binder = Binder::new(&self.model, &call);
        let target = binder.target();
        if !binder.is_sound() {
            return Err(binder.error());
        }
        let phrase = found.verb.phrase;
        target.ok_or_else(|| {
            Diagnostic::new(format!(
                "{phrase} takes no :=, since it names no rows whose columns could be read"
            ))
        })
    }

    /// An op with the target replaced by `name`, the found rows or one of them, and expressions by
    /// their values.
    pub(super) fn respelled(
        &self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        (target, name): (&Target, &str),
        computed: &[Computed<'_>],
        values: &[Option<String>],
    ) -> String {
        let params = params(registry, op);
        // The kind of a reference may have picked the verb, and the name has no kind.
        let qualified = verb(registry, op).ok().filter(|found| found.qualified);
        let phrase = qualified.map_or(&*op.verb.text, |found| found.verb.phrase);
        let (mut text, mut is_first) = (phrase.to_owned(), true);
        for (word, own) in op.words.iter().enumerate() {
            let is_target = target.many && target.words.contains(&word);
            let mut values = computed.iter().zip(values);
            let value = values.find(|(own, _)| own.word == word);
            let spelled = match value.filter(|_| !is_target) {
                _ if is_target => match std::mem::take(&mut is_first) {
                    true => name.to_owned(),
                    false => continue,
                },
                Some((_, None)) => continue,
                Some((own, Some(value))) if own.is_bare => quote(value).into_owned(),
                Some((own, Some(value))) => spell(&self.model, params, own.key, value),
                None => own.span().of(op.raw).to_owned(),
            };
            text.push(' ');
            text.push_str(&spelled);
        }
        text
    }
}

/// The reply of an op whose values are all NULL.
pub(super) fn no_change() -> Reply {
    unchanged!("every value is NULL, which changes nothing")
}

/// The description of the values of a parameter.
pub(super) fn spec_of(params: &[Param], key: &str) -> Option<ValueSpec> {
    let own = |param: &&Param| param.answers_to(key) || param.name == key;
    let named = |param: &&Param| (param.spec)().name.eq_ignore_ascii_case(key);
    let found = params.iter().find(own);
    let found = found.or_else(|| params.iter().find(named));
    found.map(|param| (param.spec)())
}

/// A parameter with a computed value: a reference, or any other.
pub(super) fn spell<M: Domain>(model: &M, params: &[Param], key: &str, value: &str) -> String {
    match spec_of(params, key).is_some_and(|spec| spec.name == "REF") {
        true => spell_reference(model, key, value),
        false => spell_param(key, value),
    }
}

/// The prefix of computed numbers that are in a unit.
///
/// # Errors
/// It is not clear whether they are; the repair is an expression that says so.
fn prefix(unit: Option<Unit>, own: &Computed<'_>) -> Result<&'static str, ValueError> {
    let reads = Reads::of(own.expr);
    let is_in = |unit: &Unit| reads.any(unit.columns);
    let Some(unit) = unit.filter(is_in) else {
        return Ok("");
    };
    if !reads.has_conditions && !reads.any(unit.others) {
        return Ok(unit.prefix);
    }
    let fix = format!("'{}'||({})", unit.prefix, own.expr);
    let message = format!(
        "it is unclear in which unit {} is computed; write {fix} for a number after {}",
        own.key, unit.prefix
    );
    Err(ValueError::sentence(message).fix(fix))
}

/// Returns whether rows with different values of a key could conflict.
pub(super) fn meets<M: Domain>(key: &str) -> bool {
    M::TOGETHER.contains(&key)
}

/// `vel: 28 to 78`
fn span(key: &str, groups: &Groups, ix: usize) -> String {
    let words = groups.keys().filter_map(|words| words.get(ix)?.as_deref());
    // Numbers in a unit all have the same prefix.
    let unit = words.clone().next().and_then(|word| word.rsplit_once(':'));
    let unit = unit.map_or(String::new(), |(unit, _)| format!("{unit}:"));
    let numbers = words
        .clone()
        .map(|word| word.strip_prefix(&*unit)?.parse().ok());
    match range(numbers) {
        Some((low, high)) => format!("{key}: {unit}{low} to {high}"),
        None => format!("{key}: {} values", words.count()),
    }
}

/// The smallest and the largest of some numbers, as words; `None` if there is none, or something
/// else.
pub(super) fn range(numbers: impl Iterator<Item = Option<f64>>) -> Option<(String, String)> {
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    let low = numbers.iter().copied().reduce(f64::min)?;
    let high = numbers.into_iter().reduce(f64::max)?;
    let shown = |number: f64| Cell::Real(number).word().map(Cow::into_owned);
    shown(low).zip(shown(high))
}

/// The op with `round(…)` around an expression that gave a fraction for whole numbers.
fn rounded<M: Domain>(
    registry: &Registry<M>,
    op: &ParsedOp<'_>,
    computed: &[Computed<'_>],
    values: &[Option<String>],
) -> Repair {
    let params = params(registry, op);
    let tables = Table::all(registry);
    let is_whole = |key: &str| {
        let param = params.iter().find(|param| param.answers_to(key));
        let answers = |own: &str| own == key || param.is_some_and(|param| param.answers_to(own));
        let mut columns = tables.iter().flat_map(|table| &table.columns);
        columns.any(|column| {
            let is_named = column.key.is_some_and(answers) || column.aliases.contains(&key);
            column.sql == SqlType::Integer && is_named
        })
    };
    let mut all = computed.iter().zip(values);
    let found = all.find_map(|(own, value)| {
        let number: f64 = value.as_ref()?.parse().ok()?;
        let is_fraction = number.fract() != 0.0 && is_whole(own.key);
        is_fraction.then(|| own.replaced(op, &format!("round({})", own.expr)))
    });
    found.map_or(Repair::None, Repair::Try)
}

/// `KEY:=EXPR`, quoted if necessary.
pub(in crate::session) fn spelled(key: &str, expr: &str) -> String {
    let bare = format!("{key}:={expr}");
    let is_word =
        parse(&format!("x {bare}")).is_ok_and(|op| op.words.len() == 1 && op.params().count() == 1);
    match is_word && !expr.starts_with(['"', '\'']) {
        true => bare,
        false => format!("{key}:={}", force_quote(expr)),
    }
}
