//! Resolves names to rows in steps of decreasing strictness, and finds unambiguous names for rows.

use std::collections::HashSet;

use crate::diag::breaks;
use crate::domain::Domain;
use crate::model::{Level, ModelExt, Row};
use crate::op::{quote, quoted, spell_param};
use crate::value::ValueError;
use crate::work;

use super::kind_name::{qualified, qualifier};
use super::name_errors::{MAP, ambiguous, unknown};
use super::select;
use super::selected::{selected, sole};
use super::{Arg, Scope};

/// The rows that a word names: one, several separated by commas, or `*` for all.
pub(super) fn resolve_many<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Result<Vec<Row>, ValueError> {
    if scope.may_be_empty && arg.text == "*" && !arg.quoted {
        let rows = scope
            .model
            .tables()
            .filter(|(part, _, _)| parts.contains(part));
        return Ok(rows
            .flat_map(|(part, _, rows)| rows.ids().map(move |id| Row::new(part, id)))
            .collect());
    }
    match selected(scope, arg, parts) {
        Some(Ok(rows)) => return Ok(rows),
        Some(Err(error)) => {
            // A text that selects nothing may be similar to a name. A bare word counts as a name
            // unless it looks like a selector.
            let is_told = arg.quoted || arg.text.starts_with(['.', '[']) || arg.text.contains('(');
            return by_name(scope, arg, parts).or_else(|other| match is_told {
                true if scope.may_be_empty && error.missing.is_some() => Ok(Vec::new()),
                true => Err(error),
                false => Err(other),
            });
        }
        None => {}
    }
    by_name(scope, arg, parts)
}

/// The rows that a word names: one, or several separated by commas.
fn by_name<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Result<Vec<Row>, ValueError> {
    // If no row has the whole text as its name, it is a list.
    let is_list = arg.text.contains(',') && matches!(found(scope, arg, parts), Ok(None));
    if !is_list {
        let whole = resolve(scope, arg, parts);
        let unknown = whole.as_ref().is_err_and(|error| error.missing.is_some());
        return whole.map(|row| vec![row]).map_err(|error| {
            let list = arg.text.replace(JOINTS, ",");
            let other = Arg {
                text: &list,
                ..arg.clone()
            };
            let is_list = unknown && !arg.quoted && list != arg.text;
            match is_list && resolve_many(scope, &other, parts).is_ok() {
                true => {
                    ValueError::sentence(format!("several names have commas: {list}")).fix(list)
                }
                false => error,
            }
        });
    }
    let names: Vec<&str> = arg.text.split(',').collect();
    let mut rows = Vec::new();
    let mut seen = HashSet::new();
    for (ix, name) in names.iter().enumerate() {
        if let Some(found) = by_selector(scope, name.trim(), parts) {
            rows.extend(found?.into_iter().filter(|row| seen.insert(*row)));
            continue;
        }
        // Each name may have its own kind; that of the first precedes the whole list.
        let kind = arg.kind.filter(|_| ix == 0);
        let one = Arg {
            text: name.trim(),
            kind,
            quoted: false,
            ..arg.clone()
        };
        if let Some(Ok(found)) = selected(scope, &one, parts)
            && !found.is_empty()
        {
            rows.extend(found.into_iter().filter(|row| seen.insert(*row)));
            continue;
        }
        let row = resolve(scope, &one, parts).map_err(|error| {
            let sentence = ValueError::sentence(error.about(name.trim()));
            let list = error.fix.map(|fix| {
                let mut names = names.clone();
                names[ix] = &fix;
                let list = names.join(",");
                match arg.kind.filter(|_| ix > 0) {
                    Some(kind) => format!("{kind}:{list}"),
                    None => list,
                }
            });
            let mut reported = sentence.maybe_fix(list);
            (reported.missing, reported.first, reported.makes) =
                (error.missing, error.first, error.makes);
            reported
        })?;
        if seen.insert(row) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The rows of a selector in a list of names: `b1,@type:circle`.
fn by_selector<M: Domain>(
    scope: &Scope<'_, M>,
    text: &str,
    parts: &[usize],
) -> Option<Result<Vec<Row>, ValueError>> {
    text.strip_prefix('@').filter(|rest| !rest.is_empty())?;
    let op = format!("list {text}");
    let parsed = match crate::op::parse(&op) {
        Ok(parsed) => parsed,
        Err(error) => return Some(Err(ValueError::sentence(error.error))),
    };
    let found = select::rows(scope, &[parsed.selectors().next()?], None);
    let found = found.map_err(|error| ValueError::sentence(error.about(text)));
    Some(found.map(|mut rows| {
        rows.retain(|row| parts.contains(&row.part()));
        rows
    }))
}

/// Separators between names.
const JOINTS: [char; 4] = [',', '|', '&', '+'];

/// The row of one of the tables `parts` that a word names.
///
/// # Errors
/// No row has this name, or several have; the error suggests candidates.
pub(crate) fn resolve<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Result<Row, ValueError> {
    let (kind, name) = qualifier::<M>(arg);
    let kind = kind.filter(|kind| M::kind(kind).is_some());
    let find = |name: &str| named(scope.model, (name, arg.quoted), kind, parts, scope.strict);
    find(name).or_else(|mut error| {
        // Among several names, none is preferred.
        if !arg.quoted && error.missing.is_some() && name.contains(JOINTS) {
            let mut names = name.split(JOINTS).map(str::trim);
            if names.any(|name| find(name).is_ok()) {
                let message = format!("{} names several, and one is wanted here", arg.text);
                return Err(ValueError::sentence(message).lacking(name));
            }
        }
        if error.missing.is_some()
            && let Some(sole) = sole(scope, arg, parts, &error)
        {
            return sole;
        }
        // A name given with its kind keeps the kind.
        if let (Some(kind), Some(fix)) = (kind, &mut error.fix)
            && !fix.starts_with('#')
            && !fix.contains(':')
        {
            *fix = format!("{kind}:{fix}");
        }
        Err(error)
    })
}

/// The row of a kind that a text names, exactly or by looser matching, for texts that are not
/// parameters: a place inside a value. The text is tried as a whole name before it is read as an
/// id. If `strict` ([`FcpValue::strictly`]), the beginning of a name does not match.
///
/// # Errors
/// No row has this name, or several have; the error suggests candidates.
///
/// [`FcpValue::strictly`]: crate::value::FcpValue::strictly
pub fn called<M: Domain>(
    model: &M,
    text: &str,
    kind: &str,
    strict: bool,
) -> Result<Row, ValueError> {
    let parts: Vec<usize> = M::kind(kind).into_iter().collect();
    named(model, (text, true), None, &parts, strict)
}

/// Whether a word names one row, as [`resolve`] finds it, without the search for similar names that
/// an error takes: `Ok(None)` if no row has this name.
pub(super) fn found<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Result<Option<Row>, ValueError> {
    let (kind, name) = qualifier::<M>(arg);
    let kind = kind.filter(|kind| M::kind(kind).is_some());
    let wanted = tables_of::<M>(kind, name, parts)?;
    hit(scope.model, (name, arg.quoted), kind, &wanted, scope.strict)
}

fn named<M: Domain>(
    model: &M,
    (name, quoted): (&str, bool),
    kind: Option<&str>,
    parts: &[usize],
    strict: bool,
) -> Result<Row, ValueError> {
    let wanted = tables_of::<M>(kind, name, parts)?;
    let row = hit(model, (name, quoted), kind, &wanted, strict)?;
    row.ok_or_else(|| unknown(model, name, &wanted, strict))
}

/// The tables of rows that a name can mean: that of its kind, if it has one.
fn tables_of<M: Domain>(
    kind: Option<&str>,
    name: &str,
    parts: &[usize],
) -> Result<Vec<usize>, ValueError> {
    match kind.and_then(M::kind) {
        None => Ok(parts.to_vec()),
        Some(part) if parts.contains(&part) => Ok(vec![part]),
        Some(part) => {
            let here = parts
                .iter()
                .filter_map(|part| M::SHAPE.parts.get(*part)?.shape)
                .map(|shape| shape.kind);
            let here = here.collect::<Vec<_>>().join(" or ");
            let kind = M::SHAPE
                .parts
                .get(part)
                .and_then(|part| part.shape)
                .map_or("row", |shape| shape.kind);
            Err(ValueError::sentence(format!(
                "{kind}:{name} is a {kind}, and a {here} is wanted here"
            )))
        }
    }
}

/// The row of these tables that has a name.
fn hit<M: Domain>(
    model: &M,
    (name, quoted): (&str, bool),
    kind: Option<&str>,
    wanted: &[usize],
    strict: bool,
) -> Result<Option<Row>, ValueError> {
    let sort = kind.and_then(M::sort).map(|sort| sort.name);
    let of_sort = |row: &Row| sort.is_none_or(|sort| model.kind_of(*row) == sort);
    let id = by_id(model, name, wanted, strict);
    // A quoted text is tried as a name before it is read as an id.
    if let Some(found) = id.clone().filter(|_| !quoted) {
        return found.map(Some);
    }
    let at = |text: &str, level| -> Vec<Row> {
        let rows = wanted
            .iter()
            .filter_map(|part| model.rows(*part).map(|rows| (*part, rows)));
        rows.flat_map(|(part, rows)| {
            rows.labelled(text, level)
                .into_iter()
                .map(move |id| Row::new(part, id))
        })
        .filter(of_sort)
        .collect()
    };
    for level in Level::WHOLE {
        match at(name, level).as_slice() {
            [] => {}
            [row] => return Ok(Some(*row)),
            several => return Err(ambiguous(model, name, several)),
        }
    }
    if let Some(found) = id {
        return found.map(Some);
    }
    match nth(model, name, wanted).as_slice() {
        [] => {}
        [row] => return Ok(Some(*row)),
        several => return Err(ambiguous(model, name, several)),
    }
    if let Some(row) = numbered(model, name, wanted) {
        return Ok(Some(row));
    }
    // Quotes around the whole of `KIND:NAME`, as a column `ref` shows it.
    if quoted
        && kind.is_none()
        && let Some((kind, name)) = name.split_once(':')
        && M::kind(kind).is_some()
    {
        let wanted = tables_of::<M>(Some(kind), name, wanted)?;
        return hit(model, (name, true), Some(kind), &wanted, strict);
    }
    match at(name, Level::Prefix).as_slice() {
        [] => Ok(None),
        [row] if strict => {
            let full = sure_word(model, *row);
            Err(ValueError::sentence(format!(
                "\"{name}\" only begins like {full}, which is not enough to delete it"
            ))
            .fix(sure_name(model, *row)))
        }
        [row] => Ok(Some(*row)),
        several if strict => {
            let error = ambiguous(model, name, several);
            Err(error.maybe_fix(None::<String>).first(MAP))
        }
        several => Err(ambiguous(model, name, several)),
    }
}

/// The rows with one label that are listed in the time of a step.
const LISTED_A_STEP: usize = 64;

/// The rows that a numbered name, such as `Viola~2`, names; none if the text is another name.
pub(crate) fn with_number<M: Domain>(model: &M, name: &str) -> Vec<Row> {
    let parts: Vec<usize> = model.tables().map(|(part, _, _)| part).collect();
    nth(model, name, &parts)
}

/// The rows that `NAME~2` names: in each table, the second of those with exactly the same name.
fn nth<M: Domain>(model: &M, name: &str, wanted: &[usize]) -> Vec<Row> {
    let place = |n: &str| n.parse::<usize>().ok()?.checked_sub(1);
    let Some((base, place)) = name
        .rsplit_once('~')
        .and_then(|(base, n)| Some((base, place(n)?)))
    else {
        return Vec::new();
    };
    for level in Level::WHOLE {
        let mut hits = Vec::new();
        for (part, rows) in wanted
            .iter()
            .filter_map(|part| model.rows(*part).map(|rows| (*part, rows)))
        {
            let sharing = rows.labelled(base, level);
            // The call fails at its next check.
            let _ = work::spend(sharing.len() / LISTED_A_STEP);
            let label = sharing.first().and_then(|id| rows.label(*id));
            let one_name =
                level == Level::Exact || sharing.iter().all(|id| rows.label(*id) == label);
            if sharing.len() > 1 && one_name {
                hits.extend(sharing.get(place).map(|id| Row::new(part, *id)));
            }
        }
        if !hits.is_empty() {
            return hits;
        }
    }
    Vec::new()
}

/// A name that resolves to this row only, whatever other rows are named: its own name, `KIND:NAME`
/// or `#id`.
pub(crate) fn sure_name<M: Domain>(model: &M, row: Row) -> String {
    let id = format!("#{}", row.id());
    let Some(rows) = model.rows(row.part()) else {
        return id;
    };
    if let Some(name) = rows.sure_name(row.id()) {
        return name;
    }
    let Some(label) = rows.label(row.id()).filter(|label| !label.is_empty()) else {
        return id;
    };
    // A label that would be read as something other than a name.
    let odd = |c: char| matches!(c, ':' | ',' | '"' | '\'' | '\\') || breaks(c);
    if label.contains(odd) || label.starts_with(['#', '@', '=']) || matches!(&*label, "*" | "none")
    {
        return id;
    }
    let name = model.name_of(row);
    let called = |text: &str, but: usize| {
        let others = M::kinds().filter(|(part, _)| *part != but);
        let mut rows = others.filter_map(|(part, _)| model.rows(part));
        rows.any(|rows| !rows.labelled(text, Level::Normalised).is_empty())
    };
    // Another row may literally be named `NAME~2`.
    if rows.ordinal(row.id()).is_some() && called(&name, usize::MAX) {
        return id;
    }
    if called(&label, row.part()) {
        format!("{}:{name}", model.kind_of(row))
    } else {
        name
    }
}

/// `KEY:VALUE` for a computed value of a parameter that takes a reference. A text that is the exact
/// name of a row means that row, even if it looks like an id or `KIND:NAME`.
pub(crate) fn spell_reference<M: Domain>(model: &M, key: &str, text: &str) -> String {
    match is_name(model, text) {
        true => format!("{key}:{}", quoted(text)),
        false => spell_param(key, text),
    }
}

/// Returns whether a text is the exact name of a row.
fn is_name<M: Domain>(model: &M, text: &str) -> bool {
    let mut tables = M::kinds().filter_map(|(part, _)| model.rows(part));
    tables.any(|rows| !rows.labelled(text, Level::Exact).is_empty())
}

/// Returns whether a text is the exact name of a row, but looks like an id or `KIND:NAME`.
pub(crate) fn is_odd_name<M: Domain>(model: &M, text: &str) -> bool {
    let is_odd = text.starts_with('#') || qualified::<M>(text).is_some();
    is_odd && is_name(model, text)
}

/// A word of an op that names only this row.
pub(crate) fn sure_word<M: Domain>(model: &M, row: Row) -> String {
    let name = sure_name(model, row);
    qualified::<M>(&name).unwrap_or_else(|| quote(&name).into_owned())
}

/// The row that a bare number names, of a kind with numbered rows.
fn numbered<M: Domain>(model: &M, name: &str, wanted: &[usize]) -> Option<Row> {
    let place = name.parse::<usize>().ok()?.checked_sub(1)?;
    let counted = |part: &&usize| {
        let shape = M::SHAPE.parts.get(**part).and_then(|part| part.shape);
        shape.is_some_and(|shape| M::NUMBERED.contains(&shape.kind))
    };
    let mut parts = wanted.iter().filter(counted);
    let (Some(part), None) = (parts.next(), parts.next()) else {
        return None;
    };
    let id = model.row_at(*part, place)?;
    Some(Row::new(*part, id))
}

/// The row of `#12`.
fn by_id<M: Domain>(
    model: &M,
    name: &str,
    wanted: &[usize],
    strict: bool,
) -> Option<Result<Row, ValueError>> {
    let digits = name.strip_prefix('#')?;
    let tables = wanted
        .iter()
        .filter_map(|part| Some((*part, model.rows(*part)?)));
    let tagged: Vec<(usize, Vec<u32>)> = tables
        .filter_map(|(part, rows)| Some((part, rows.tagged(digits)?)))
        .collect();
    if !tagged.is_empty() {
        let rows = tagged.iter();
        let rows = rows.flat_map(|(part, ids)| ids.iter().map(|id| Row::new(*part, *id)));
        return Some(match rows.collect::<Vec<_>>().as_slice() {
            [] => Err(unknown(model, digits, wanted, strict)),
            [row] => Ok(*row),
            several => Err(ambiguous(model, digits, several)),
        });
    }
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row = digits.parse().ok().and_then(|id| model.by_id(id));
    Some(match row {
        None => Err(ValueError::sentence(format!("{name} not found"))),
        Some(row) if wanted.contains(&row.part()) => Ok(row),
        Some(row) => {
            let kind = model.kind_of(row);
            let here = wanted
                .first()
                .and_then(|part| M::SHAPE.parts.get(*part)?.shape)
                .map_or("row", |s| s.kind);
            Err(ValueError::sentence(format!(
                "{name} is a {kind}, and a {here} is wanted here"
            )))
        }
    })
}
