//! The errors of names that no row has, or several.

use super::resolve::{sure_name, sure_word};
use crate::diag::short_name;
use crate::domain::Domain;
use crate::model::{Level, ModelExt, Row};
use crate::value::{ValueError, fold, is_name_typo, is_within, nearest};
use crate::work;

/// The query that lists existing rows.
pub(super) const MAP: &str = "? map";

/// The shortest name that can match another one with a typo.
const SHORTEST: usize = 3;

/// Returns whether a name is another one with one typo. Names with different digits are different
/// names.
fn is_slip(name: &str, other: &str) -> bool {
    let long = name.chars().count() >= SHORTEST;
    long && is_within(&fold(name), &fold(other), 1) && is_name_typo(name, other)
}

pub(super) fn ambiguous<M: Domain>(model: &M, name: &str, rows: &[Row]) -> ValueError {
    let mut names: Vec<String> = rows
        .iter()
        .take(6)
        .map(|row| sure_word(model, *row))
        .collect();
    let first = rows.first().map(|row| sure_name(model, *row));
    if rows.len() > names.len() {
        names.push(format!("{} more", rows.len() - names.len()));
    }
    ValueError::sentence(format!("\"{name}\" could be {}", names.join(", "))).maybe_fix(first)
}

/// The steps of comparing a name with a label.
const STEPS_A_LABEL: usize = 4;

/// The error of an unknown name. For deletion, only a name with one typo is suggested, if there is
/// one.
pub(super) fn unknown<M: Domain>(
    model: &M,
    name: &str,
    wanted: &[usize],
    strict: bool,
) -> ValueError {
    let labelled: Vec<usize> = wanted
        .iter()
        .copied()
        .filter(|part| {
            M::SHAPE
                .parts
                .get(*part)
                .and_then(|part| part.shape)
                .is_some_and(|shape| shape.labelled)
        })
        .collect();
    let labels: Vec<String> = labelled
        .iter()
        .filter_map(|part| model.rows(*part))
        .flat_map(|rows| {
            rows.labels()
                .map(std::borrow::Cow::into_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    // The call fails at its next check.
    let _ = work::spend(labels.len() * STEPS_A_LABEL);
    let all = labels.iter().map(String::as_str);
    let near: Vec<&str> = match strict {
        true => all.filter(|label| is_slip(name, label)).take(3).collect(),
        false => nearest(name, all, 3),
    };
    let kind = match labelled.as_slice() {
        [part] => M::SHAPE
            .parts
            .get(*part)
            .and_then(|part| part.shape)
            .map_or("row", |shape| shape.kind),
        _ => "row",
    };
    let mut title = kind.chars();
    let title: String = title
        .next()
        .map(|c| c.to_uppercase().chain(title).collect())
        .unwrap_or_default();
    let shown = short_name(name);
    let mut message = format!("{title} \"{shown}\" not found");
    if near.len() > 1 {
        message.push_str(&format!(" (near: {})", near.join(", ")));
    }
    let error = match model.absence_reason(name).filter(|_| near.is_empty()) {
        Some(why) => return ValueError::sentence(why),
        None => ValueError::sentence(message).lacking(name),
    };
    let row_of = |label: &&str| {
        let hit = |part: &usize| {
            let ids = model.rows(*part)?.labelled(label, Level::Exact);
            ids.first().map(|id| Row::new(*part, *id))
        };
        labelled.iter().find_map(hit)
    };
    if strict {
        let only = near.first().filter(|_| near.len() == 1).and_then(row_of);
        return match only {
            Some(row) => error.fix(sure_name(model, row)),
            None => error.first(MAP),
        };
    }
    match (
        near.iter()
            .find(|label| is_name_typo(name, label))
            .and_then(row_of),
        M::creation_op(model, kind, name),
    ) {
        (Some(row), _) => error.fix(sure_name(model, row)),
        // A similar name may have been meant.
        (None, Some(op)) if near.is_empty() => error.making(op),
        (None, _) => error,
    }
}
