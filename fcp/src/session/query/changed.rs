//! Differences between two states of a row.

use crate::account::{Change, Field, FieldChange, RowChange, Shown};
use crate::domain::Domain;
use crate::session::account::excerpt;

/// A row that is in both states, if it differs.
pub(super) fn changed<M: Domain>(
    model: &M,
    then: &Shown,
    now: &Shown,
    change: Option<&Change>,
    contents: (&[u8], &[u8]),
) -> Option<RowChange> {
    let fields = fields_of(model, &then.fields, &now.fields);
    let shown = Shown {
        fields: Vec::new(),
        ..now.clone()
    };
    if !fields.is_empty() {
        // The reader knows the row by its old name, unless the name is what changed.
        let name = if then.name == now.name { now } else { then };
        let shown = Shown {
            name: name.name.clone(),
            place: then.place.clone(),
            ..shown
        };
        return Some(RowChange::Changed(shown, fields));
    }
    let change = change?;
    let text = |content: &[u8], spans: &[std::ops::Range<usize>]| -> Vec<u8> {
        let bytes = spans.iter().filter_map(|span| content.get(span.clone()));
        bytes.flatten().copied().collect()
    };
    let (was, is) = (
        text(contents.0, &change.before),
        text(contents.1, &change.after),
    );
    if was == is {
        return Some(RowChange::Rewritten(shown, "moved".to_owned()));
    }
    let whole = |bytes: &[u8]| excerpt(bytes, &(0..bytes.len()));
    let text = format!("bytes {} -> {}", whole(&was), whole(&is));
    Some(RowChange::Rewritten(shown, text))
}

/// The fields that differ between two states of a row.
pub(super) fn fields_of<M: Domain>(model: &M, then: &[Field], now: &[Field]) -> Vec<FieldChange> {
    let pair = |field: &Field| (field.text.clone(), field.number);
    let find = |fields: &[Field], name: &str| -> Option<usize> {
        fields.iter().position(|field| field.name == name)
    };
    let mut changes = Vec::new();
    for field in then {
        let other = find(now, &field.name).and_then(|ix| now.get(ix));
        if other.is_some_and(|other| other.text == field.text && other.number == field.number) {
            continue;
        }
        let step = other.and_then(|now| {
            let numbers = || {
                let step = now.number?.checked_sub(field.number?)?;
                (step != 0).then(|| format!("{step:+}"))
            };
            model.difference(field, now).or_else(numbers)
        });
        changes.push(FieldChange {
            name: field.name.clone(),
            then: Some(pair(field)),
            now: other.map(pair),
            step,
        });
    }
    for field in now {
        if find(then, &field.name).is_none() {
            changes.push(FieldChange {
                name: field.name.clone(),
                then: None,
                now: Some(pair(field)),
                step: None,
            });
        }
    }
    changes
}
