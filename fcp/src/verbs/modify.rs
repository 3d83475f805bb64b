//! `modify`

use super::inputs;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{EntityShape, FieldInput, ModelExt, Row};
use crate::queries::line_of;
use crate::reply::Reply;
use crate::verb::{Binder, Call, Rows};
use crate::{changed, unchanged};

/// Sets fields of rows.
pub(super) fn modify<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let (rows, given) = bind(model, call)?;
    let mut count = 0_usize;
    for row in &rows {
        let Some((_, inputs)) = given.iter().find(|(part, _)| *part == row.part()) else {
            continue;
        };
        let Some(table) = model.rows_mut(row.part()) else {
            continue;
        };
        let mut differs = false;
        for (ix, input) in inputs {
            match table.set(row.id(), *ix, input.clone()) {
                Ok(changed) => differs |= changed,
                Err(error) => return Err(wrong(model, call, *ix, row.part(), error)),
            }
        }
        count += usize::from(differs);
    }
    if let Some(row) = rows.iter().find(|row| in_itself(model, **row)) {
        let message = format!("{} cannot belong to itself", line_of(model, *row));
        return Err(Diagnostic::new(message));
    }
    Ok(match rows.as_slice() {
        _ if count == 0 => unchanged!("nothing changed"),
        [row] => changed!("{}", line_of(model, *row)),
        _ => {
            let keys: Vec<String> = call
                .op
                .params()
                .map(|param| param.span.of(call.op.raw).to_owned())
                .collect();
            changed!("Modified {count} rows: {}", keys.join(" "))
        }
    })
}

/// Returns whether a row is its own ancestor.
fn in_itself<M: Domain>(model: &M, row: Row) -> bool {
    let mut above = model.parent_of(row);
    let mut seen = Vec::new();
    while let Some(parent) = above.filter(|parent| !seen.contains(parent)) {
        if parent == row {
            return true;
        }
        seen.push(parent);
        above = model.parent_of(parent);
    }
    false
}

type Given = Vec<(usize, Vec<(usize, FieldInput<'static>)>)>;

/// The rows, and the values given to each kind among them.
fn bind<M: Domain>(model: &M, call: &Call<'_, M>) -> Result<(Vec<Row>, Given)> {
    let mut binder = Binder::new(model, call);
    let Some(rows) = binder.required::<Rows>(0) else {
        return Err(binder.error());
    };
    if binder.fields().is_empty() {
        binder.wrong(format!("{} needs KEY:VALUE", call.verb.phrase), None, None);
    }
    let mut kinds: Vec<(usize, &'static EntityShape)> = M::kinds().collect();
    kinds.retain(|(part, _)| rows.iter().any(|row| row.part() == *part));
    let mut given = Vec::new();
    for (part, shape) in kinds {
        given.push((part, inputs(&mut binder, shape)));
    }
    if binder.is_sound() {
        Ok((rows.iter().collect(), given))
    } else {
        Err(binder.error())
    }
}

/// The error of a field that rejected its text.
pub(super) fn wrong<M: Domain>(
    model: &M,
    call: &Call<'_, M>,
    ix: usize,
    part: usize,
    error: crate::value::ValueError,
) -> Diagnostic {
    let mut binder = Binder::new(model, call);
    let shape = M::SHAPE.parts.get(part).and_then(|part| part.shape);
    let written = binder
        .fields()
        .into_iter()
        .find(|w| shape.is_some_and(|shape| shape.field(&w.key) == Some(ix)));
    match written {
        Some(written) => binder.wrong_field(written, error),
        None => binder.wrong(error.about(""), None, None),
    }
    binder.error()
}
