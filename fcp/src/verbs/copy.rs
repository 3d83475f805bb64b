//! `copy`

use super::inputs;
use super::modify::wrong;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{Build, FieldInput, Level, ModelExt, Row};
use crate::queries::line_of;
use crate::reply::Reply;
use crate::verb::{Binder, Call, Rows};
use crate::{bulk, created};

/// How many copies are named.
const NAMED: usize = 20;

/// Copies rows. A copy whose name is not given is called after its original.
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
    let mut copies = Vec::new();
    for row in rows.iter() {
        let Some(shape) = M::SHAPE.parts.get(row.part()).and_then(|part| part.shape) else {
            continue;
        };
        let mut inputs = given
            .iter()
            .find(|(part, _)| *part == row.part())
            .map(|(_, i)| i.clone())
            .unwrap_or_default();
        let label = shape.fields.iter().position(|field| field.label);
        if let Some(ix) = label
            && !inputs.iter().any(|(own, _)| *own == ix)
            && let Some(name) = free_name(model, row)
        {
            inputs.push((ix, FieldInput::Text(name.into())));
        }
        let Some(table) = model.rows_mut(row.part()) else {
            continue;
        };
        match table.copy(row.id(), &inputs) {
            Ok(id) => copies.push(Row::new(row.part(), id)),
            Err(Build::Invalid(ix, error)) => {
                return Err(wrong(model, call, ix, row.part(), error));
            }
            Err(_) => return Err(Diagnostic::new(format!("copy makes no {}", shape.plural))),
        }
    }
    let mut names: Vec<String> = copies
        .iter()
        .take(NAMED)
        .map(|row| model.name_of(*row))
        .collect();
    if copies.len() > NAMED {
        names.push(format!("and {} more", copies.len() - NAMED));
    }
    Ok(match copies.as_slice() {
        [row] => created!("{}", line_of(model, *row)),
        _ => bulk!("{} copies: {}", copies.len(), names.join(", ")),
    })
}

/// `NAME-2`, or the next number that is free; nothing for a row without a name.
fn free_name<M: Domain>(model: &M, row: Row) -> Option<String> {
    let rows = model.rows(row.part())?;
    let label = rows.label(row.id()).filter(|label| !label.is_empty())?;
    let label = label.into_owned();
    let base = match label.rsplit_once('-') {
        Some((base, n)) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
            base.to_owned()
        }
        _ => label,
    };
    let free = |n: &usize| {
        rows.labelled(&format!("{base}-{n}"), Level::Normalised)
            .is_empty()
    };
    let n = (2..).find(free).unwrap_or(2);
    Some(format!("{base}-{n}"))
}
