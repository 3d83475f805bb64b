//! Rows for `diff`.

use super::{line_of, shown, tag};
use crate::account::{Field, Shown};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};

/// A row, or another part of a file that has an id: as the domain shows it, or else its name and
/// its fields.
pub(crate) fn show<M: Domain>(model: &M, id: u32) -> Option<Shown> {
    model.show(id).or_else(|| {
        let row = model.by_id(id)?;
        let fields = shown(model, row).into_iter().map(|(name, text)| {
            let number = text.parse().ok();
            Field {
                number,
                ..Field::new(name, text)
            }
        });
        let fields = fields.collect();
        Shown::row(model, row, fields)
    })
}

/// A row, or another part, on one line: as the domain shows it, or else as lists do. `along` holds for rows that came
/// or went with it.
pub(crate) fn show_line<M: Domain>(
    model: &M,
    id: u32,
    along: &dyn Fn(u32) -> bool,
) -> Option<String> {
    let listed = |row: Row| format!("{}{}", tag(model, row), line_of(model, row));
    model
        .show_line(id, along)
        .or_else(|| model.by_id(id).map(listed))
}
