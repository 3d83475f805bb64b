//! `copy`, and the copying of a row.

use std::collections::HashMap;

use super::inputs;
use super::modify::wrong;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{Build, FieldInput, Level, ModelExt, Row, next_free};
use crate::queries::line_of;
use crate::reply::Reply;
use crate::verb::{Binder, Call, Rows};
use crate::{bulk, created};

/// The most rows listed by name.
const NAMED: usize = 20;

/// Copies rows. Without a given name, a copy is named after its original.
pub(super) fn copy<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let mut binder = Binder::new(&*model, call);
    let Some(rows) = binder.required::<Rows>(0) else {
        return Err(binder.error());
    };
    let mut given = Vec::new();
    for (part, shape) in M::kinds().filter(|(part, _)| rows.iter().any(|row| row.part() == *part)) {
        given.push((part, inputs(&mut binder, shape)));
    }
    if !binder.is_sound() {
        return Err(binder.error());
    }
    let (mut copies, mut names) = (Vec::new(), Names::default());
    for row in rows.iter() {
        let inputs = given.iter().find(|(part, _)| *part == row.part());
        let inputs = inputs.map(|(_, inputs)| inputs.clone()).unwrap_or_default();
        copies.push(one(model, call, row, inputs, &mut names)?);
    }
    Ok(match copies.as_slice() {
        [row] => created!("{}", line_of(model, *row)),
        _ => bulk!("{} copies: {}", copies.len(), named(model, &copies)),
    })
}

/// Copies a row, with the given field values.
pub(super) fn one<M: Domain>(
    model: &mut M,
    call: &Call<'_, M>,
    row: Row,
    mut inputs: Vec<(usize, FieldInput<'static>)>,
    names: &mut Names,
) -> Result<Row> {
    let shape = M::SHAPE.parts.get(row.part()).and_then(|part| part.shape);
    let label = shape.and_then(|shape| shape.fields.iter().position(|field| field.label));
    if let Some(ix) = label
        && !inputs.iter().any(|(own, _)| *own == ix)
        && let Some(name) = names.free(model, row)
    {
        inputs.push((ix, FieldInput::Text(name.into())));
    }
    let plural = shape.map_or("rows", |shape| shape.plural);
    let none = || Diagnostic::new(format!("{} makes no {plural}", call.verb.phrase));
    let table = model.rows_mut(row.part()).ok_or_else(none)?;
    match table.copy(row.id(), &inputs) {
        Ok(id) => Ok(Row::new(row.part(), id)),
        Err(Build::Invalid(ix, error)) => Err(wrong(model, call, ix, row.part(), *error)),
        Err(_) => Err(none()),
    }
}

/// The names of rows, up to a limit.
pub(super) fn named<M: Domain>(model: &M, rows: &[Row]) -> String {
    let names = rows.iter().take(NAMED).map(|row| model.name_of(*row));
    let mut names: Vec<String> = names.collect();
    if rows.len() > NAMED {
        names.push(format!("and {} more", rows.len() - NAMED));
    }
    names.join(", ")
}

/// The names of one op's copies.
#[derive(Default)]
pub(super) struct Names {
    /// The last number after each name, by table: lower ones were already tried.
    last: HashMap<(usize, String), u64>,
}

impl Names {
    /// `NAME-2`, or the next free number; `None` for a row without a name.
    fn free<M: Domain>(&mut self, model: &M, row: Row) -> Option<String> {
        let rows = model.rows(row.part())?;
        let label = rows.label(row.id()).filter(|label| !label.is_empty())?;
        let label = label.into_owned();
        let base = match label.rsplit_once('-') {
            Some((base, n)) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
                base.to_owned()
            }
            _ => label,
        };
        let last = self.last.entry((row.part(), base.clone())).or_insert(1);
        let named = |number: u64| format!("{base}-{number}");
        let is_taken = |number| !rows.labelled(&named(number), Level::Normalised).is_empty();
        *last = next_free(*last, is_taken);
        Some(named(*last))
    }
}
