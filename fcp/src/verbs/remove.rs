//! `remove`

use std::collections::BTreeSet;

use super::counted;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{FieldKind, ModelExt, Row};
use crate::queries::line_of;
use crate::removed;
use crate::reply::Reply;
use crate::verb::{Binder, Call, Rows, sure_word};

/// Removes rows and the rows that belong to them.
pub(super) fn remove<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let mut binder = Binder::new(&*model, call);
    let rows = match binder.required::<Rows>(0) {
        Some(rows) if binder.is_sound() => rows,
        _ => return Err(binder.error()),
    };
    remove_rows(model, rows.iter().collect())
}

/// Removes rows and the rows that belong to them. Returns the reply.
///
/// # Errors
/// A remaining row needs a removed one.
pub fn remove_rows<M: Domain>(model: &mut M, rows: Vec<Row>) -> Result<Reply> {
    let named: BTreeSet<Row> = rows.into_iter().collect();
    let all = with_children(model, &named);
    let loose = references(model, &all)?;
    let text = match named.iter().next() {
        Some(row) if named.len() == 1 => line_of(model, *row),
        _ => counted::<M>(named.iter().copied()),
    };
    let children = all.len() - named.len();
    for (row, ix) in loose {
        if let Some(rows) = model.rows_mut(row.part()) {
            let none = crate::model::FieldInput::Text("none".into());
            rows.set(row.id(), ix, none)
                .map_err(|error| Diagnostic::new(error.about("none")))?;
        }
    }
    for row in &all {
        model.prepare_removal(*row);
        if let Some(rows) = model.rows_mut(row.part()) {
            rows.remove(row.id());
        }
    }
    let reply = removed!("Removed {text}");
    Ok(if children > 0 {
        let children = counted::<M>(all.difference(&named).copied());
        reply.note(format!("with {children}"))
    } else {
        reply
    })
}

fn with_children<M: Domain>(model: &M, named: &BTreeSet<Row>) -> BTreeSet<Row> {
    let mut all = named.clone();
    let mut level: BTreeSet<Row> = named.clone();
    while !level.is_empty() {
        let mut next = BTreeSet::new();
        for (part, _, rows) in model.tables() {
            let Some(parent) = rows.shape().parent.and_then(M::part_of) else {
                continue;
            };
            if !level.iter().any(|row| row.part() == parent) {
                continue;
            }
            let owned = |id: &u32| {
                rows.parent(*id)
                    .is_some_and(|p| level.contains(&Row::new(parent, p)))
            };
            next.extend(rows.ids().filter(owned).map(|id| Row::new(part, id)));
        }
        next.retain(|row| all.insert(*row));
        level = next;
    }
    all
}

/// The fields of remaining rows that refer to removed rows. All of them can be empty.
fn references<M: Domain>(model: &M, going: &BTreeSet<Row>) -> Result<Vec<(Row, usize)>> {
    let mut loose = Vec::new();
    for (part, _, rows) in model.tables() {
        for (ix, field) in rows.shape().fields.iter().enumerate() {
            let FieldKind::Refers(kind) = field.kind else {
                continue;
            };
            let Some(target) =
                M::kind(kind).filter(|target| going.iter().any(|row| row.part() == *target))
            else {
                continue;
            };
            for id in rows.ids() {
                let row = Row::new(part, id);
                let used = rows.reference(id, ix).map(|id| Row::new(target, id));
                let Some(used) = used.filter(|used| going.contains(used) && !going.contains(&row))
                else {
                    continue;
                };
                if !field.optional {
                    let message = format!(
                        "{kind} {} is used by {} {}",
                        model.name_of(used),
                        model.kind_of(row),
                        model.name_of(row)
                    );
                    return Err(Diagnostic::new(message)
                        .or_try(format!("remove {}", sure_word(model, row))));
                }
                loose.push((row, ix));
            }
        }
    }
    Ok(loose)
}
