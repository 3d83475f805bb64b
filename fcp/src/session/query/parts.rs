//! Single values of documents, and those that differ.

use super::changed::fields_of;
use crate::account::{Field, FieldChange, RowChange, Shown};
use crate::domain::Domain;
use crate::model::Part;

/// The single values of a document: their hashes, and their fields.
pub(super) struct PartValues {
    pub(super) values: Vec<Option<u64>>,
    fields: Vec<Vec<Field>>,
}

impl PartValues {
    pub(super) fn of<M: Domain>(model: &M) -> Self {
        let shape = M::SHAPE.parts;
        let value = |ix: usize| match model.part(ix) {
            Some(Part::Value(hash)) if shape.get(ix).is_some_and(|part| !part.view) => Some(hash),
            _ => None,
        };
        Self {
            values: (0..shape.len()).map(value).collect(),
            fields: shape
                .iter()
                .map(|part| model.show_part(part.name))
                .collect(),
        }
    }
}

/// Lines on the single values that differ, and their fields.
pub(super) fn differing_parts<M: Domain>(
    model: &M,
    [then, now]: [PartValues; 2],
) -> (Vec<String>, Vec<(&'static str, Vec<FieldChange>)>) {
    let (mut notes, mut parts) = (Vec::new(), Vec::new());
    for (ix, part) in M::SHAPE.parts.iter().enumerate() {
        let fields = then.fields.get(ix).zip(now.fields.get(ix));
        let fields = fields.map_or_else(Vec::new, |(then, now)| {
            fields_of(model, then.clone(), now.clone())
        });
        // Fields also show the form in which a file holds the value, of views too.
        let is_same = part.view || then.values.get(ix) == now.values.get(ix);
        if fields.is_empty() && is_same {
            continue;
        }
        parts.push((part.name, fields.clone()));
        if fields.is_empty() {
            notes.push(format!("~ {} of the {}", part.name, M::NOUN));
        } else {
            let shown = Shown {
                kind: part.name.into(),
                plural: part.name.into(),
                name: format!("of the {}", M::NOUN),
                place: None,
                within: None,
                fields: Vec::new(),
            };
            notes.push(RowChange::Changed(shown, fields).line());
        }
    }
    (notes, parts)
}
