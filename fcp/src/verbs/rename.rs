//! `rename`

use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{FieldInput, FieldKind, ModelExt};
use crate::reply::Reply;
use crate::value::Name;
use crate::verb::{Binder, Call, Rows};
use crate::{changed, unchanged};

/// Renames a row.
pub(super) fn rename<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let mut binder = Binder::new(&*model, call);
    let rows = binder.required::<Rows>(0);
    let name = binder.required::<Name>(1);
    let (rows, name) = match (rows, name) {
        (Some(rows), Some(name)) if binder.is_sound() => (rows, name),
        _ => return Err(binder.error()),
    };
    let mut rows = rows.iter();
    let (Some(row), None) = (rows.next(), rows.next()) else {
        return Err(Diagnostic::new("rename takes one row"));
    };
    let old = model.name_of(row);
    let shape = M::SHAPE.parts.get(row.part()).and_then(|part| part.shape);
    let label = shape.and_then(|shape| {
        shape
            .fields
            .iter()
            .position(|f| f.label && f.kind == FieldKind::Value)
    });
    let (Some(ix), Some(table)) = (label, model.rows_mut(row.part())) else {
        return Err(Diagnostic::new(format!(
            "a {} has no name of its own",
            model.kind_of(row)
        )));
    };
    let input = FieldInput::Text(name.to_string().into());
    let set = table.set(row.id(), ix, input);
    let changed = set.map_err(|error| {
        let mut binder = Binder::new(&*model, call);
        binder.wrong_word(1, error);
        binder.error()
    })?;
    Ok(if changed {
        changed!("{} {old} -> {}", model.kind_of(row), model.name_of(row))
    } else {
        unchanged!("{} {old} already has this name", model.kind_of(row))
    })
}
