//! Differences between two states of a row.

use super::forms::{Form, worded};
use crate::account::{Change, Field, FieldChange, RowChange, Shown, stretches};
use crate::domain::Domain;
use crate::session::excerpt::excerpt_of;
use crate::value::Cell;

/// The bytes shown before and after those that differ.
const AROUND: usize = 16;

/// A row that is in both states, if it differs.
pub(super) fn changed<M: Domain>(
    model: &M,
    then: Shown,
    now: Shown,
    (change, form): (Option<&Change>, Option<&Form>),
    contents: (&[u8], &[u8]),
) -> Option<RowChange> {
    let is_moved = change.is_some_and(|change| change.is_moved) && stays(&then, &now);
    let mut fields = fields_of(model, then.fields, now.fields);
    // A reference to another row of the same name is told only if nothing else changed.
    if !fields.iter().all(is_equal) {
        fields.retain(|field| !is_equal(field));
    }
    let mut shown = Shown {
        fields: Vec::new(),
        ..now
    };
    let text = |content: &[u8], spans: &[std::ops::Range<usize>]| -> Vec<u8> {
        let bytes = spans.iter().filter_map(|span| content.get(span.clone()));
        bytes.flatten().copied().collect()
    };
    let bytes = |change: &Change| {
        let was = text(contents.0, &change.before);
        (was, text(contents.1, &change.after))
    };
    let is_kept = form.is_some_and(|form| form.is_kept);
    let words = form.map_or(&[][..], |form| &*form.words);
    if is_moved && is_kept && words.is_empty() && fields.is_empty() {
        return Some(RowChange::Rewritten(shown, None));
    }
    if !fields.is_empty() || is_kept && !words.is_empty() {
        fields.extend((is_moved && form.is_some()).then(|| worded("place", None, "moved")));
        fields.extend(words.iter().cloned());
    }
    if !fields.is_empty() {
        if let Some((was, is)) = change.filter(|_| M::TEXT).map(bytes) {
            fields.extend(model.form_changes(&was, &is));
        }
        // The reader knows the row by its old name and place.
        shown.name = then.name;
        shown.place = then.place;
        return Some(RowChange::Changed(shown, fields));
    }
    let change = change?;
    let (was, is) = bytes(change);
    let is_apart = change.before.len() > 1 || change.after.len() > 1;
    if was == is || is_apart && is_same_in_another_order(&was, &is) {
        return Some(RowChange::Rewritten(shown, None));
    }
    let found = stretches(&was, &is);
    let (first, last) = (found.first()?, found.last()?);
    // Long bytes are shown from a little before the first difference.
    let around = |bytes: &[u8], from: usize, to: usize| {
        let text = |at: &usize| bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
        let from = (0..=from.saturating_sub(AROUND)).rev().find(text);
        let to = (to + AROUND..bytes.len()).find(text);
        let shown = bytes.get(from.unwrap_or(0)..to.unwrap_or(bytes.len()));
        excerpt_of(contents.1, shown.unwrap_or_default())
    };
    let then = around(&was, first.before.start, last.before.end);
    let now = around(&is, first.after.start, last.after.end);
    Some(RowChange::Rewritten(shown, Some([then, now])))
}

/// Whether a row has the same place and the same owner as before: else it moved anyway.
pub(super) fn stays(then: &Shown, now: &Shown) -> bool {
    let targets = |row: &Shown| -> Vec<u32> {
        let fields = row.fields.iter();
        fields.filter_map(|field| field.target).collect()
    };
    then.place == now.place && targets(then) == targets(now)
}

/// Whether the same bytes are in another order. In several places of a file they are those of a row that moved past
/// what separates it from others.
fn is_same_in_another_order(was: &[u8], is: &[u8]) -> bool {
    let mut counts = [0_i64; 256];
    was.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    is.iter().for_each(|byte| counts[usize::from(*byte)] -= 1);
    counts.iter().all(|count| *count == 0)
}

/// Whether a field has the same text as before: it refers to another row of the same name.
fn is_equal(field: &FieldChange) -> bool {
    field.then.is_some() && field.then == field.now
}

/// The fields that differ between two states of a row.
pub(super) fn fields_of<M: Domain>(
    model: &M,
    then: Vec<Field>,
    now: Vec<Field>,
) -> Vec<FieldChange> {
    // Nearly all rows differ in one field, and there may be many rows.
    let mut changes = Vec::with_capacity(1);
    let mut now: Vec<Option<Field>> = now.into_iter().map(Some).collect();
    for (ix, field) in then.into_iter().enumerate() {
        let is_same = |other: &Option<Field>| {
            let other = other.as_ref();
            // A reference to a row is another field than a text of the same name.
            other.is_some_and(|other| {
                other.name == field.name && other.target.is_some() == field.target.is_some()
            })
        };
        // A value under another name, such as that of another controller, in the same column.
        let is_renamed = |other: &Option<Field>| {
            let columns = [Some(&field), other.as_ref()].map(|own| Some(own?.cell.as_ref()?.0));
            !field.is_row && columns[0].is_some() && columns[0] == columns[1]
        };
        // Nearly always the fields are the same ones in the same order.
        let at = match now.get(ix) {
            Some(other) if is_same(other) => Some(ix),
            _ => now.iter().position(is_same),
        };
        let at = at.or_else(|| now.iter().position(is_renamed));
        let other = at.and_then(|at| now.get_mut(at)?.take());
        if other.as_ref().is_some_and(|other| field.is_same(other)) {
            continue;
        }
        let same_text = other.as_ref().filter(|other| other.text == field.text);
        if let Some((now, (before, after))) =
            same_text.and_then(|now| Some((now, field.number.zip(now.number)?)))
        {
            // The same place or length in another unit: told once for a row.
            let is_told = |change: &&mut FieldChange| !change.numbers.is_empty();
            let name = field.name.clone();
            if let Some(told) = changes.iter_mut().find(is_told) {
                told.numbers.push((name, [before, after]));
            } else {
                let step = model
                    .difference(&field, now)
                    .or_else(|| times(before, after));
                changes.push(FieldChange {
                    name: M::NUMBERS.into(),
                    then: Some((before.to_string(), Some(before))),
                    now: Some((after.to_string(), Some(after))),
                    step,
                    numbers: vec![(name, [before, after])],
                    ..FieldChange::default()
                });
            }
            continue;
        }
        let step = other.as_ref().and_then(|now| {
            let numbers = || {
                let step = now.number?.checked_sub(field.number?)?;
                (step != 0).then(|| format!("{step:+}"))
            };
            model.difference(&field, now).or_else(numbers)
        });
        let cells = cells(Some(&field), other.as_ref());
        let now = other.map(|other| (other.text, other.number));
        changes.push(FieldChange {
            name: field.name,
            then: Some((field.text, field.number)),
            now,
            step,
            unit: field.unit,
            cells,
            ..FieldChange::default()
        });
    }
    changes.extend(now.into_iter().flatten().map(|field| FieldChange {
        cells: cells(None, Some(&field)),
        name: field.name,
        then: None,
        now: Some((field.text, field.number)),
        unit: field.unit,
        ..FieldChange::default()
    }));
    changes
}

/// The column that shows a field in one of two states, and its values there. Without a cell it has its text.
fn cells(then: Option<&Field>, now: Option<&Field>) -> Option<(&'static str, [Cell; 2])> {
    let columns = [then, now].map(|side| Some(side?.cell.as_ref()?.0));
    let column = match columns {
        [Some(then), Some(now)] if then != now => None,
        [then, now] => then.or(now),
    };
    let cell = |side: Option<&Field>| match side {
        None => Cell::Null,
        Some(field) => match &field.cell {
            Some((_, cell)) => cell.clone(),
            None => Cell::Text(field.text.clone()),
        },
    };
    Some((column?, [cell(then), cell(now)]))
}

/// `×2` or `÷2`, if a number is a multiple of the other.
fn times(then: i64, now: i64) -> Option<String> {
    let quotient = |a: i64, b: i64| (a.checked_rem(b)? == 0).then_some(a / b);
    let sign = |sign: char| move |n: i64| format!("{sign}{n}");
    quotient(now, then)
        .map(sign('×'))
        .or_else(|| quotient(then, now).map(sign('÷')))
}
