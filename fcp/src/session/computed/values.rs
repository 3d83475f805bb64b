//! `KEY:=EXPR`: a value for each row.

use std::collections::HashMap;

use super::fault::{aggregated, negative};
use super::is_computed;
use crate::diag::{Diagnostic, Repair, Result};
use crate::domain::Domain;
use crate::model::Row;
use crate::op::{OpWord, ParsedOp, parse, quote, spell_param};
use crate::reply::{Reply, Sign};
use crate::session::document::Document;
use crate::session::unknown::unknown;
use crate::sql::{Reads, Table, expression};
use crate::value::{Cell, SqlType, Unit, ValueError, ValueSpec};
use crate::verb::{Binder, Call, Param, Place, Registry, Role, Target, spell_reference, sure_name};

/// Rows that get the same values.
pub(super) struct Group {
    /// The rows.
    pub rows: Vec<Row>,
    /// The value of each computed parameter; `None` leaves the row as it is.
    pub words: Vec<Option<String>>,
}

/// Groups rows by their values.
pub(super) struct Groups {
    groups: Vec<Group>,
    places: HashMap<Vec<Option<String>>, usize>,
}

impl Groups {
    pub fn new() -> Self {
        Self {
            groups: Vec::new(),
            places: HashMap::new(),
        }
    }

    pub fn add(&mut self, row: Row, words: Vec<Option<String>>) {
        let next = self.groups.len();
        let at = *self.places.entry(words.clone()).or_insert(next);
        if at == next {
            self.groups.push(Group {
                rows: Vec::new(),
                words,
            });
        }
        if let Some(group) = self.groups.get_mut(at) {
            group.rows.push(row);
        }
    }

    pub fn into_groups(self) -> Vec<Group> {
        self.groups
    }
}

impl<M: Domain> Document<M> {
    /// Runs an op with computed values.
    pub(super) fn compute(&mut self, registry: &Registry<M>, op: &ParsedOp<'_>) -> Result<Reply> {
        let computed = computed(op);
        let is_shared =
            |(_, key, _): &(usize, &str, &str)| self.model.shared_rows(op, key).is_some();
        if computed.iter().any(is_shared) {
            return self.compute_shared(registry, op, &computed);
        }
        let bare = self.bare(registry, op, &computed);
        let target = match bare.iter().rev().fold(None, |text: Option<String>, word| {
            let span = op.words.get(*word).map(OpWord::span).unwrap_or_default();
            Some(span.replace(text.as_deref().unwrap_or(op.raw), "value"))
        }) {
            Some(text) => {
                let op = parse(&text).map_err(|error| Diagnostic::new(error.error))?;
                self.target(registry, &op)?
            }
            None => self.target(registry, op)?,
        };
        self.compute_for(registry, op, &bare, &target)
    }

    /// Runs an op with computed values on its target rows. `bare` are the words that become bare
    /// ones.
    pub(super) fn compute_for(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        bare: &[usize],
        target: &Target,
    ) -> Result<Reply> {
        let computed = computed(op);
        let decimals = |key: &str| self.model.decimals(key);
        let exprs = computed.iter().map(|(_, key, expr)| (*expr, decimals(key)));
        let exprs: Vec<(&str, usize)> = exprs.collect();
        let params = registry.verb(op).map_or(&[][..], |found| found.verb.params);
        let mut prefixes = Vec::new();
        for (word, key, expr) in &computed {
            let unit = spec_of(params, key).and_then(|spec| spec.unit);
            prefixes.push(prefix(unit, key, expr).map_err(|(message, fix)| {
                let span = op.words.get(*word).map(OpWord::span).unwrap_or_default();
                let fixed = span.replace(op.raw, &spelled(key, &fix));
                Diagnostic::new(message).at(span).or_try(fixed)
            })?);
        }
        for (word, key, expr) in &computed {
            let span = op.words.get(*word).map(OpWord::span).unwrap_or_default();
            let reads = Reads::of(expr);
            let checked =
                self.model
                    .check_computed(op, key, &|columns| reads.any(columns), &target.rows);
            checked.map_err(|error| error.at(span))?;
        }
        let state = self.log.state_id();
        // One by one, so that an error points at its own word.
        for (word, key, expr) in &computed {
            expression(expr).map_err(|error| wrong(op, *word, key, &error))?;
            let first = target.rows.get(..1).unwrap_or_default();
            let tried = self
                .tables
                .compute((&self.model, registry, state), first, &[(expr, 0)]);
            tried.map_err(|fault| {
                let error = fault.of_value(expr, "SELECT rowid, (".len());
                wrong(op, *word, key, &error)
            })?;
        }
        let values = self
            .tables
            .compute((&self.model, registry, state), &target.rows, &exprs);
        let values = values.map_err(|fault| Diagnostic::new(fault.message()))?;
        let mut groups = Groups::new();
        for row in &target.rows {
            let Some(cells) = values.get(row) else {
                let tables = Table::all(registry);
                let of = |part: Option<usize>| {
                    let mut entities = tables.iter().filter(|table| table.is_entity());
                    entities.find(|table| table.part() == part)
                };
                let table = of(Some(row.part())).or_else(|| of(None));
                let table = table.map_or("", |table| &table.name);
                let error = computed.iter().find_map(|own| aggregated(op, *own, table));
                if let Some(error) = error {
                    return Err(error);
                }
                let kind = crate::model::ModelExt::kind_of(&self.model, *row);
                return Err(Diagnostic::new(format!(
                    "no table has the columns of a {kind}"
                )));
            };
            for (((word, key, _), cell), prefix) in computed.iter().zip(cells).zip(&prefixes) {
                // A number in a unit is a place.
                if let (true, Some(error)) = (prefix.is_empty(), negative(params, key, cell)) {
                    let span = op.words.get(*word).map(OpWord::span).unwrap_or_default();
                    return Err(error.at(span));
                }
            }
            let words: Vec<Option<String>> = cells
                .iter()
                .zip(&prefixes)
                .map(|(cell, prefix)| {
                    let word = cell.word()?;
                    Some(match cell {
                        Cell::Integer(_) | Cell::Real(_) => format!("{prefix}{word}"),
                        Cell::Null | Cell::Text(_) => word.into_owned(),
                    })
                })
                .collect();
            if words.iter().any(Option::is_some) {
                groups.add(*row, words);
            }
        }
        let groups = groups.into_groups();
        let meet = groups.len() > 1 && computed.iter().any(|(_, key, _)| meets::<M>(key));
        let done = self.together(meet, |document| {
            let mut replies = Vec::with_capacity(groups.len());
            for group in &groups {
                let failed = |error: Diagnostic| {
                    let rows = group.rows.len();
                    let what = if rows == 1 {
                        "1 row".to_owned()
                    } else {
                        format!("{rows} rows")
                    };
                    let message = format!("{} (computed for {what})", error.message);
                    let repair = rounded(registry, op, &computed, &group.words);
                    Diagnostic {
                        repair,
                        span: None,
                        ..Diagnostic::new(message)
                    }
                };
                let mut call = |document: &mut Self, rows: &[Row], name: &str| {
                    let picked = (target.many && !target.each).then_some(rows);
                    let spell = |key: &str, value: &str| spell(&document.model, params, key, value);
                    let computed = (&*computed, bare, &spell as Spell<'_>);
                    let text = respelled(op, (target, name), computed, &group.words);
                    let inner = parse(&text).map_err(|error| Diagnostic::new(error.error))?;
                    let reply = document.plain(registry, &inner, picked);
                    replies.push(reply.map_err(failed)?);
                    Ok::<(), Diagnostic>(())
                };
                if !target.each {
                    call(document, &group.rows, "@all")?;
                    continue;
                }
                for row in &group.rows {
                    let name = sure_name(&document.model, *row);
                    call(document, &[*row], &quote(&name))?;
                }
            }
            Ok(replies)
        })?;
        let (mut replies, joint_notes) = done;
        if let Some(joint_notes) = joint_notes {
            let rows: Vec<Row> = groups.iter().flat_map(|group| group.rows.clone()).collect();
            let keys = computed
                .iter()
                .enumerate()
                .map(|(ix, (_, key, _))| span(key, &groups, ix));
            let keys = keys.collect::<Vec<_>>().join(", ");
            let line = Reply::new(
                Sign::Changed,
                format!("{} {} rows: {keys}", op.verb.text, rows.len()),
            );
            return Ok(self.as_they_are(line, &rows, joint_notes));
        }
        Ok(match replies.len() {
            0 => Reply::new(
                Sign::Unchanged,
                "every value is NULL, which changes nothing",
            ),
            1 => replies.remove(0),
            _ => {
                let rows: usize = groups.iter().map(|group| group.rows.len()).sum();
                let keys = computed
                    .iter()
                    .enumerate()
                    .map(|(ix, (_, key, _))| span(key, &groups, ix));
                let keys = keys.collect::<Vec<_>>().join(", ");
                super::folded(
                    Reply::new(
                        Sign::Changed,
                        format!("{} {rows} rows: {keys}", op.verb.text),
                    ),
                    &replies,
                )
            }
        })
    }

    /// The words whose key names a parameter that can be given as a bare word: `name:=` of
    /// `rename`.
    fn bare(
        &self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        computed: &[(usize, &str, &str)],
    ) -> Vec<usize> {
        let Some(found) = registry.verb(op) else {
            return Vec::new();
        };
        let is_bare = |key: &str| {
            let params = found.verb.params;
            let own = |param: &&Param| {
                matches!(param.place, Place::Word(_) | Place::Rest)
                    && (param.name == key || (param.spec)().name.eq_ignore_ascii_case(key))
            };
            params.iter().any(|param| own(&param))
                && !params.iter().any(|param| param.answers_to(key))
        };
        computed
            .iter()
            .filter(|(_, key, _)| is_bare(key))
            .map(|(word, ..)| *word)
            .collect()
    }

    /// The target rows of an op.
    pub(super) fn target(&self, registry: &Registry<M>, op: &ParsedOp<'_>) -> Result<Target> {
        let Some(found) = registry.verb(op) else {
            return Err(unknown(registry, Role::Verb, op, "verb"));
        };
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
        match binder.target() {
            Some(target) if binder.is_sound() => Ok(target),
            Some(_) => Err(binder.error()),
            None if binder.is_sound() => Err(Diagnostic::new(format!(
                "{} takes no :=, since it names no rows whose columns could be read",
                found.verb.phrase
            ))),
            None => Err(binder.error()),
        }
    }
}

/// The computed values of an op: their words, keys and expressions.
fn computed<'o>(op: &'o ParsedOp<'_>) -> Vec<(usize, &'o str, &'o str)> {
    let words = op.words.iter().enumerate();
    let computed = words.filter_map(|(word, own)| match own {
        OpWord::Param(param) if is_computed(param) => {
            Some((word, &*param.key, param.value.strip_prefix('=')?))
        }
        _ => None,
    });
    computed.collect()
}

/// The description of the values of a parameter.
pub(super) fn spec_of(params: &[Param], key: &str) -> Option<ValueSpec> {
    let own = params
        .iter()
        .find(|param| param.answers_to(key) || param.name == key)
        .or_else(|| {
            let named = |param: &&Param| (param.spec)().name.eq_ignore_ascii_case(key);
            params.iter().find(named)
        });
    own.map(|param| (param.spec)())
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
/// It is not clear whether they are: a message, and an expression that says so.
fn prefix(
    unit: Option<Unit>,
    key: &str,
    expr: &str,
) -> std::result::Result<&'static str, (String, String)> {
    let Some(unit) = unit else {
        return Ok("");
    };
    let reads = Reads::of(expr);
    if !reads.any(unit.columns) && !reads.calls(unit.columns) {
        return Ok("");
    }
    if !reads.has_conditions && !reads.any(unit.others) {
        return Ok(unit.prefix);
    }
    let fix = format!("'{}'||({expr})", unit.prefix);
    let message = format!(
        "it is unclear in which unit {key} is computed; write {fix} for a number after {}",
        unit.prefix
    );
    Err((message, fix))
}

/// Returns whether rows with different values of a key could conflict.
pub(super) fn meets<M: Domain>(key: &str) -> bool {
    M::TOGETHER.contains(&key)
}

/// `vel: 28 to 78`
fn span(key: &str, groups: &[Group], ix: usize) -> String {
    let words = groups
        .iter()
        .filter_map(|group| group.words.get(ix)?.as_deref());
    // Numbers in a unit all have the same prefix.
    let unit = words.clone().next().and_then(|word| word.rsplit_once(':'));
    let unit = unit.map_or(String::new(), |(unit, _)| format!("{unit}:"));
    let number = |word: &str| word.strip_prefix(&*unit)?.parse().ok();
    let numbers: Option<Vec<f64>> = words.clone().map(number).collect();
    let shown = |number: f64| Cell::Real(number).word().unwrap_or_default().into_owned();
    match numbers {
        Some(numbers) if !numbers.is_empty() => {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            format!("{key}: {unit}{} to {}", shown(low), shown(high))
        }
        _ => format!("{key}: {} values", words.count()),
    }
}

/// The op with `round(…)` around an expression that gave a fraction for whole numbers.
fn rounded<M: Domain>(
    registry: &Registry<M>,
    op: &ParsedOp<'_>,
    computed: &[(usize, &str, &str)],
    values: &[Option<String>],
) -> Repair {
    let params = registry.verb(op).map_or(&[][..], |found| found.verb.params);
    let tables = Table::all(registry);
    let is_alias = |key: &str, own: &str| {
        let mut params = params.iter();
        params.any(|param| param.answers_to(key) && param.answers_to(own))
    };
    let is_whole = |key: &str| {
        let mut columns = tables.iter().flat_map(|table| &table.columns);
        columns.any(|column| {
            let is_named = column
                .key
                .is_some_and(|own| own == key || is_alias(key, own));
            column.sql == SqlType::Integer && (is_named || column.aliases.contains(&key))
        })
    };
    let mut all = computed.iter().zip(values);
    let found = all.find_map(|((word, key, expr), value)| {
        let number: f64 = value.as_ref()?.parse().ok()?;
        (number.fract() != 0.0 && is_whole(key)).then(|| {
            let span = op.words.get(*word).map(OpWord::span).unwrap_or_default();
            span.replace(op.raw, &spelled(key, &format!("round({expr})")))
        })
    });
    found.map_or(Repair::None, Repair::Try)
}

/// Computed values: their words in the op, keys and expressions.
pub(super) type Computed<'a> = [(usize, &'a str, &'a str)];

/// Spells a key with a computed value.
pub(super) type Spell<'a> = &'a dyn Fn(&str, &str) -> String;

/// An op with the target replaced by `name`, the found rows or one of them, and expressions by
/// their values.
pub(super) fn respelled(
    op: &ParsedOp<'_>,
    (target, name): (&Target, &str),
    (computed, bare, spell): (&Computed<'_>, &[usize], Spell<'_>),
    values: &[Option<String>],
) -> String {
    let mut text = op.verb.text.to_string();
    let mut is_first = true;
    for (word, own) in op.words.iter().enumerate() {
        let place = computed.iter().position(|(at, ..)| *at == word);
        let spelled = if target.many && target.words.contains(&word) {
            if !std::mem::take(&mut is_first) {
                continue;
            }
            name.to_owned()
        } else if let Some(place) = place {
            let (Some(Some(value)), Some((_, key, _))) = (values.get(place), computed.get(place))
            else {
                continue;
            };
            match bare.contains(&word) {
                true => quote(value).into_owned(),
                false => spell(key, value),
            }
        } else {
            own.span().of(op.raw).to_owned()
        };
        text.push(' ');
        text.push_str(&spelled);
    }
    text
}

/// The error of an expression, with the repaired op.
pub(super) fn wrong(op: &ParsedOp<'_>, word: usize, key: &str, error: &ValueError) -> Diagnostic {
    let span = op.words.get(word).map(OpWord::span).unwrap_or_default();
    let diagnostic = Diagnostic::new(error.about("")).at(span);
    match &error.fix {
        Some(fix) => diagnostic.or_try(span.replace(op.raw, &spelled(key, fix))),
        None => diagnostic,
    }
}

/// `KEY:=EXPR`, quoted if necessary.
pub(in crate::session) fn spelled(key: &str, expr: &str) -> String {
    let bare = format!("{key}:={expr}");
    let is_word =
        parse(&format!("x {bare}")).is_ok_and(|op| op.words.len() == 1 && op.params().count() == 1);
    match is_word && !expr.starts_with(['"', '\'']) {
        true => bare,
        false => format!(
            "{key}:=\"{}\"",
            expr.replace('\\', "\\\\").replace('"', "\\\"")
        ),
    }
}
