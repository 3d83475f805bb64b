//! The rows that a condition of SQL picks.

use std::collections::HashSet;

use super::{Nothing, Pick, Reach, spell};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::op::{Selector, quote_value};
use crate::value::ValueError;
use crate::verb::{Arg, Scope};

/// The rows for which a condition is true, or those that a question names.
///
/// A condition picks from the tables that selectors reach by default, but from another if only that
/// has its columns. A question names its rows, as references do.
pub(super) fn condition<'m, M: Domain>(
    scope: &Scope<'m, M>,
    condition: &str,
    parts: &[usize],
) -> Result<(Vec<Pick<'m>>, Reach), ValueError> {
    if condition.trim().is_empty() {
        return Err(ValueError::sentence(
            "@where needs a condition: @where:\"COLUMN > 1\"",
        ));
    }
    let mut chosen = (scope.sql)(scope.model, condition, parts.first().copied())?;
    for part in parts.iter().skip(1) {
        let more = (scope.sql)(scope.model, condition, Some(*part))?;
        // A question has the same answer for each table.
        let (Some(others), Some(more_others)) = (&mut chosen.others, more.others) else {
            break;
        };
        others.extend(more_others);
        chosen.rows.extend(more.rows);
    }
    let all: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
    for name in &chosen.named {
        let found = crate::verb::found(scope, &Arg::word(name), &all);
        let found = found.map_err(|error| {
            let (about, name) = (error.about(name), name.chars().take(60).collect::<String>());
            ValueError::sentence(format!("ref {name}: {about}"))
        })?;
        chosen.rows.push(found.ok_or_else(|| {
            let name = name.chars().take(60).collect::<String>();
            ValueError::sentence(format!("ref {name} names no row of the document"))
        })?);
    }
    let Some(others) = chosen.others else {
        return Ok((vec![Pick::Rows(chosen.rows)], Reach::Rows));
    };
    let rows: HashSet<Row> = chosen.rows.into_iter().collect();
    let others: HashSet<Row> = others.into_iter().collect();
    let pick = Pick::judged(move |row| match rows.contains(&row) {
        true => Some(true),
        false => others.contains(&row).then_some(false),
    });
    let pick = match chosen.hint {
        None => pick,
        Some((there, instead)) => pick.or_tell(move || Nothing {
            there: there.clone(),
            values: instead.iter().cloned().collect(),
        }),
    };
    Ok((vec![pick], Reach::Tables))
}

/// The error of a condition that is true only for rows which selectors leave out by default:
/// `counted` says which. If it is the only selector, the repair names these rows by a question.
pub(super) fn left_out<M: Domain>(
    scope: &Scope<'_, M>,
    selector: &Selector<'_>,
    counted: &str,
    is_alone: bool,
) -> ValueError {
    let spelled = spell::<M>(selector);
    let error = ValueError::sentence(format!(
        "{spelled} matches only {counted} that selectors leave out by default"
    ));
    let found = (scope.sql)(scope.model, &selector.value, None).ok();
    let table = found.and_then(|found| found.table).filter(|_| is_alone);
    error.fix_selector(table.map(|table| {
        let question = format!("SELECT ref FROM {table} WHERE {}", selector.value);
        format!("@where:{}", quote_value(&question))
    }))
}
