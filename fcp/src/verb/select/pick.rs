//! The rows that one selector picks.

use std::collections::BTreeSet;

use super::condition::condition;
use super::{Pick, Reach, spell};
use crate::diag::Span;
use crate::domain::Domain;
use crate::model::{FieldKind, ModelExt};
use crate::op::{Quoted, Selector};
use crate::value::{ValueError, fold, meant_selector, nearest_word};
use crate::verb::{Arg, Recent, Scope, SelectorDef};

/// The picks of one selector, one for each alternative, and the rows that it reaches.
pub(super) fn picks<'m, M: Domain>(
    scope: &Scope<'m, M>,
    selector: &Selector<'_>,
    parts: &[usize],
) -> Result<(Vec<Pick<'m>>, Reach), ValueError> {
    let name: &str = &selector.kind;
    let value: &str = &selector.value;
    let own = scope.registry.selector(name);
    match name {
        _ if own.is_some() => {}
        "all" => {
            if selector.has_value {
                return Err(ValueError::sentence("@all takes no value").fix_selector(Some("@all")));
            }
            return Ok((vec![Pick::test(|_| true)], Reach::Universe));
        }
        "recent" => return recent(scope, value).map(|pick| (vec![pick], Reach::Rows)),
        "where" => return condition(scope, value, parts),
        "id" => return ids(scope, value).map(|pick| (vec![pick], Reach::Rows)),
        _ => {}
    }
    let quoted = selector.quoted == Quoted::Whole;
    // A quoted value is tried as one name first, then as joined names.
    let is_one = |value: &str| {
        let reads = || match own {
            Some(def) => of_domain(scope, def, selector, value).is_ok(),
            None => {
                let mut fields = fields::<M>(name).into_iter();
                fields.any(|field| by_field(scope, field, value, (true, &[])).is_ok())
            }
        };
        !value.contains('|') || reads()
    };
    let alternatives: Vec<&str> = if selector.quoted != Quoted::No && is_one(value) {
        vec![value]
    } else {
        value.split('|').collect()
    };
    // The fix of one alternative is the whole value with that one corrected.
    let mended = |ix: usize, mut error: ValueError| {
        error.fix = error.fix.map(|fix| {
            let mut alternatives = alternatives.clone();
            alternatives[ix] = &fix;
            alternatives.join("|")
        });
        error
    };
    if name == "type" && own.is_none() {
        let parts = alternatives
            .iter()
            .enumerate()
            .map(|(ix, text)| kind::<M>(text, scope.strict).map_err(|error| mended(ix, error)))
            .collect::<Result<BTreeSet<_>, _>>()?;
        return Ok((
            vec![Pick::test(move |row| parts.contains(&row.part()))],
            Reach::Rows,
        ));
    }
    if let Some(def) = own {
        let (mut any, mut bears_type) = (Vec::new(), def.bears_type);
        for (ix, text) in alternatives.iter().enumerate() {
            let pick = match of_domain(scope, def, selector, text) {
                // A domain's own types match by their beginning, too.
                Err(error) if name == "type" => begun::<M>(text, scope.strict, error)
                    .and_then(|whole| of_domain(scope, def, selector, whole)),
                pick => pick,
            };
            let pick = pick.map_err(|error| mended(ix, error))?;
            let (pick, beyond) = pick.reach();
            bears_type |= beyond;
            any.push(pick);
        }
        let reach = match bears_type {
            true => Reach::Rows,
            false => Reach::Universe,
        };
        return Ok((any, reach));
    }
    let fields = fields::<M>(name);
    if fields.is_empty() {
        let known: Vec<&str> = scope.registry.selector_names().collect();
        let bare = name.trim_start_matches('@');
        let near = meant_selector(bare, known.iter().copied());
        let fixed = near.map(|near| {
            let renamed = Selector {
                kind: near.into(),
                ..(*selector).clone()
            };
            spell::<M>(&renamed)
        });
        return Err(ValueError::sentence(format!("no selector @{name}")).fix_selector(fixed));
    }
    if !selector.has_value {
        return Err(ValueError::sentence(format!("@{name} needs a value")));
    }
    let mut any = Vec::new();
    for (at, text) in alternatives.iter().enumerate() {
        let (mut hits, mut wrong) = (0, None);
        for field in &fields {
            match by_field(scope, *field, text, (quoted, parts)) {
                Ok(pick) => {
                    any.push(pick);
                    hits += 1;
                }
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        // Of the kinds with such a field, at least one must accept the value.
        if let Some(error) = wrong.filter(|_| hits == 0) {
            return Err(mended(at, error));
        }
    }
    Ok((any, Reach::Universe))
}

fn of_domain<'m, M: Domain>(
    scope: &Scope<'m, M>,
    def: &SelectorDef<M>,
    selector: &Selector<'_>,
    text: &str,
) -> Result<Pick<'m>, ValueError> {
    let arg = Arg {
        quoted: selector.quoted != Quoted::No,
        span: selector.value_span,
        whole: selector.span,
        ..Arg::word(text)
    };
    (def.pick)(scope.model, &arg, scope)
}

/// The tables and fields with a selector named `name`.
fn fields<M: Domain>(name: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (part, shape) in M::kinds() {
        for (ix, field) in shape.fields.iter().enumerate() {
            if field
                .selector
                .is_some_and(|(own, _)| own == name || field.aliases.contains(&name))
            {
                found.push((part, ix));
            }
        }
    }
    found
}

/// Rows by a field. If that refers to rows of a table in `wanted`, these themselves are picked by their names.
fn by_field<'m, M: Domain>(
    scope: &Scope<'m, M>,
    (part, ix): (usize, usize),
    text: &str,
    (quoted, wanted): (bool, &[usize]),
) -> Result<Pick<'m>, ValueError> {
    let Some(rows) = scope.model.rows(part) else {
        return Ok(Pick::Rows(Vec::new()));
    };
    let Some(field) = rows.shape().fields.get(ix) else {
        return Ok(Pick::Rows(Vec::new()));
    };
    if let FieldKind::Refers(kind) = field.kind {
        let target =
            M::kind(kind).ok_or_else(|| ValueError::sentence(format!("no kind {kind}")))?;
        let arg = Arg {
            quoted,
            ..Arg::word(text)
        };
        let row = crate::verb::resolve(scope, &arg, &[target])?;
        let is_wanted = wanted.contains(&target);
        return Ok(Pick::test(move |r| {
            let refers = r.part() == part && rows.reference(r.id(), ix) == Some(row.id());
            refers || is_wanted && r == row
        }));
    }
    let test = rows.select(ix, text)?;
    Ok(Pick::test(move |row| row.part() == part && test(row.id())))
}

/// The table whose kind `text` names, by the same steps as rows. If `strict`, a beginning does not
/// match.
pub(crate) fn kind<M: Domain>(text: &str, strict: bool) -> Result<usize, ValueError> {
    let folded = fold(text);
    let matching = |test: &dyn Fn(&str) -> bool| {
        M::kinds()
            .filter(|(_, s)| test(&fold(s.kind)) || test(&fold(s.plural)))
            .map(|(p, _)| p)
            .collect::<Vec<_>>()
    };
    if let [part] = matching(&|kind| kind == folded).as_slice() {
        return Ok(*part);
    }
    match matching(&|kind| !folded.is_empty() && kind.starts_with(&folded)).as_slice() {
        [part] if !strict => Ok(*part),
        several => {
            let names = M::kinds().filter(|(part, _)| several.is_empty() || several.contains(part));
            let names: Vec<&str> = names.map(|(_, shape)| shape.kind).collect();
            if !several.is_empty() {
                return Err(unsure(text, &names));
            }
            let message = format!("no type \"{}\" ({})", shown(text), names.join(", "));
            let near = nearest_word(text, names.iter().copied());
            Err(ValueError::sentence(message).maybe_fix(near))
        }
    }
}

/// The type of rows, or the sort of a type, whose name begins with this text; the error `unknown`
/// if there is none.
fn begun<M: Domain>(
    text: &str,
    strict: bool,
    unknown: ValueError,
) -> Result<&'static str, ValueError> {
    let folded = fold(text);
    let types = M::kinds().map(|(_, shape)| shape);
    let names = types.flat_map(|shape| {
        let sorts = shape.sorts.iter().map(|sort| sort.name);
        std::iter::once(shape.kind).chain(sorts)
    });
    let begun = names.filter(|name| !folded.is_empty() && fold(name).starts_with(&*folded));
    match begun.collect::<Vec<_>>().as_slice() {
        [] => Err(unknown),
        [name] if !strict => Ok(name),
        several => Err(unsure(text, several)),
    }
}

/// The error of a beginning that fits several types, or fits one but is not sufficient.
fn unsure(text: &str, types: &[&str]) -> ValueError {
    let (shown, list) = (shown(text), types.join(", "));
    let message = match types {
        [_] => format!("\"{shown}\" only begins like {list}, which is not enough to delete by it"),
        _ => format!("\"{shown}\" could be {list}"),
    };
    let near = nearest_word(text, types.iter().copied());
    ValueError::sentence(message).maybe_fix(near.or(types.first().copied()))
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

fn recent<'m, M: Domain>(scope: &Scope<'m, M>, value: &str) -> Result<Pick<'m>, ValueError> {
    let wrong = || {
        // The number stays, and so does the word for ops.
        let (digits, unit) = value.split_at(value.bytes().take_while(u8::is_ascii_digit).count());
        let fix = match digits.parse() {
            Ok(1_u32..) if unit.starts_with(['o', 'O']) => format!("{digits}ops"),
            Ok(1..) if unit.starts_with(char::is_alphabetic) => digits.to_owned(),
            _ => "1".to_owned(),
        };
        ValueError::sentence(format!("@recent:{value} is not a count")).fix(fix)
    };
    let (digits, ops) = match value.strip_suffix("ops") {
        Some(digits) => (digits, true),
        None => (value, false),
    };
    let n = match digits {
        "" if value.is_empty() => 1,
        _ if digits.len() > 9 => return Err(wrong()),
        _ => digits
            .parse::<usize>()
            .ok()
            .filter(|n| *n > 0)
            .ok_or_else(wrong)?,
    };
    let wanted = if ops { Recent::Ops(n) } else { Recent::Rows(n) };
    Ok(Pick::Rows((scope.recent)(wanted, &|row| {
        scope.model.meant(row)
    })))
}

fn ids<'m, M: Domain>(scope: &Scope<'m, M>, value: &str) -> Result<Pick<'m>, ValueError> {
    let mut spans = Vec::new();
    let mut at = 0;
    for item in value.split([',', '|']) {
        let start = at;
        at += item.len() + 1;
        let bound = |text: &str| text.trim().trim_start_matches('#').parse::<u32>().ok();
        let (low, high) = match item.split_once('-') {
            Some((low, high)) => (bound(low), bound(high)),
            None => (bound(item), bound(item)),
        };
        match (low, high) {
            (Some(low), Some(high)) if low <= high => spans.push((low, high)),
            (Some(low), Some(high)) => {
                let span = Span::new(start, start + item.len());
                return Err(ValueError::sentence(format!("@id:{item} is reversed"))
                    .fix(span.replace(value, &format!("{high}-{low}"))));
            }
            _ => {
                return Err(ValueError::sentence(format!(
                    "@id:{item} is not an id; ids are numbers: @id:12,15-20"
                )));
            }
        }
    }
    for (low, high) in &spans {
        if low == high && scope.model.by_id(*low).is_none() {
            return Err(ValueError::sentence(format!("#{low} not found")));
        }
    }
    Ok(Pick::test(move |row| {
        spans
            .iter()
            .any(|(low, high)| (*low..=*high).contains(&row.id()))
    }))
}
