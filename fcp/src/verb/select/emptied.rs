//! Errors of selectors that leave no rows.

use super::condition::left_out;
use super::{Nothing, Picked, filter, respell, spell};
use crate::domain::Domain;
use crate::model::{EntityShape, ModelExt, Row};
use crate::op::Selector;
use crate::value::{ValueError, nearest_word};
use crate::verb::Scope;
use crate::work;

/// The error for selectors that leave no rows: which one emptied the set, and how many rows there
/// were before it.
pub(super) fn emptied<M: Domain>(
    scope: &Scope<'_, M>,
    selectors: &[&Selector<'_>],
    picked: &[Picked<'_>],
    (within, part): (&dyn Fn(Row) -> bool, Option<usize>),
) -> ValueError {
    let count = |rows: &[Row]| {
        // Kinds with one noun are counted together.
        let mut counts: Vec<(String, &EntityShape, &str, usize)> = Vec::new();
        for (part, shape) in M::kinds() {
            for row in rows.iter().filter(|row| row.part() == part) {
                let kind = scope.model.kind_of(*row);
                match counts.iter_mut().find(|(_, _, own, _)| *own == kind) {
                    Some((.., n)) => *n += 1,
                    None => counts.push((shape.count_of(kind, 1), shape, kind, 1)),
                }
            }
        }
        let mut kinds: Vec<(String, &EntityShape, &str, usize)> = Vec::new();
        for (noun, shape, kind, n) in counts {
            match kinds.iter_mut().find(|(own, ..)| *own == noun) {
                Some((.., all)) => *all += n,
                None => kinds.push((noun, shape, kind, n)),
            }
        }
        let kinds = kinds.into_iter();
        let kinds = kinds.map(|(_, shape, kind, n)| shape.count_of(kind, n));
        kinds.collect::<Vec<_>>().join(", ")
    };
    for (ix, selector) in selectors.iter().enumerate() {
        if !filter(scope, &picked[..=ix], within).is_empty() {
            continue;
        }
        let alone = || filter(scope, &picked[ix..=ix], within).is_empty();
        if selector.kind == "where" && !selector.negated {
            let any = |row: Row| part.is_none_or(|part| row.part() == part);
            let out = filter(scope, &picked[ix..=ix], &any);
            if !out.is_empty() && alone() {
                let counted = count(&out);
                let mut error = left_out(scope, selector, &counted, selectors.len() == 1);
                error.selector = u16::try_from(ix).ok();
                return error;
            }
        }
        if let Some(tell) = &picked[ix].tell
            && !selector.negated
            && alone()
        {
            let Nothing { there, values } = tell();
            let instead = match &*selector.kind {
                // A condition that selects some rows.
                "where" => values.into_iter().next(),
                _ => meant_value(&selector.value, &values),
            };
            let spelled = spell::<M>(selector);
            let mut error = ValueError::sentence(format!("{spelled} matches nothing ({there})"));
            error.selector = u16::try_from(ix).ok();
            return error.fix_selector(instead.map(|value| respell::<M>(selector, &value)));
        }
        let before = filter(scope, &picked[..ix], within);
        if let Some(spent) = work::over() {
            return ValueError::sentence(spent.to_string());
        }
        let instead = match (before.is_empty(), ix) {
            (true, _) => "there is nothing to select".to_owned(),
            (false, 0) => format!("there are {}", count(&before)),
            (false, _) => format!("the selectors before it match {}", count(&before)),
        };
        return ValueError::sentence(format!(
            "{} matches nothing; {instead}",
            spell::<M>(selector)
        ));
    }
    ValueError::sentence("nothing matches")
}

/// The value of a selector with its slips of the pen mended: each of its alternatives is an existing
/// value, or near one.
fn meant_value(written: &str, values: &[String]) -> Option<String> {
    let known = || values.iter().map(String::as_str);
    // Digits of a colour are not letters of a word.
    let is_word = |text: &str| !text.starts_with('#');
    let meant = |text: &str| {
        let same = known().find(|value| *value == text);
        let near = || nearest_word(text, known().filter(|value| is_word(value)));
        same.or_else(|| near().filter(|_| is_word(text)))
    };
    let meant: Option<Vec<&str>> = written.split('|').map(meant).collect();
    Some(meant?.join("|")).filter(|meant| meant != written)
}
