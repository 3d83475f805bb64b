//! `map`, `stats`, `describe`, `list`.

use std::collections::{BTreeMap, HashMap};

use super::{line_of, numbered_line, outlined, shown};
use crate::diag::Result;
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::reply::Listing;
use crate::verb::{Binder, Call, Rows};

/// The headline, then the rows that have names.
pub(super) fn map<'m, M: Domain>(model: &'m M, call: &Call<'_, M>) -> Result<Listing<'m>> {
    nothing_more(model, call)?;
    let named = |shape: &crate::model::PartShape| {
        shape.shape.is_some_and(|shape| shape.labelled) && !shape.view
    };
    let rows: Vec<Row> = model
        .tables()
        .filter(|(_, shape, _)| named(shape))
        .flat_map(|(part, _, _)| outlined(model, part))
        .collect();
    let head = model.title().map_or_else(
        || model.headline(),
        |title| format!("{title}: {}", model.headline()),
    );
    Ok(Listing::lines(
        rows.len(),
        rows.into_iter()
            .map(|row| format!("  {}", line_of(model, row))),
    )
    .under(head))
}

/// The number of rows of each kind, then the metrics.
pub(super) fn stats<'m, M: Domain>(model: &'m M, call: &Call<'_, M>) -> Result<Listing<'m>> {
    nothing_more(model, call)?;
    let tables = model.tables().filter(|(_, shape, _)| !shape.view);
    let mut lines: Vec<String> = Vec::new();
    for (_, _, rows) in tables {
        let shape = rows.shape();
        lines.push(format!("{}: {}", shape.plural, rows.len()));
        if shape.sorts.is_empty() {
            continue;
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for id in rows.ids() {
            *counts.entry(rows.kind(id)).or_default() += 1;
        }
        let counts = counts.into_iter();
        lines.extend(counts.map(|(kind, n)| format!("  {}", shape.count_of(kind, n))));
    }
    lines.extend(model.digest_metrics());
    Ok(Listing::of(lines))
}

/// Every field of each named row, and the number of rows that belong to it.
pub(super) fn describe<'m, M: Domain>(model: &'m M, call: &Call<'_, M>) -> Result<Listing<'m>> {
    let mut binder = Binder::new(model, call);
    let rows = match binder.required::<Rows>(0) {
        Some(rows) if binder.is_sound() => rows,
        _ => return Err(binder.error()),
    };
    let rows: Vec<Row> = rows.iter().collect();
    // Only the rows of the page are described; their children are counted once for all.
    let mut counts = None;
    let details = move |row| details(model, row, counts.get_or_insert_with(|| children(model)));
    Ok(Listing::rows(rows.len(), rows.into_iter().map(details)))
}

/// The number of a table's rows that belong to a row: by table, then by the row's id.
type Children = HashMap<usize, HashMap<u32, usize>>;

fn children<M: Domain>(model: &M) -> Children {
    let mut counts = Children::new();
    let tables = model.tables().filter(|(_, shape, _)| !shape.view);
    for (part, _, rows) in tables.filter(|(_, _, rows)| rows.shape().parent.is_some()) {
        let own = counts.entry(part).or_default();
        for parent in rows.ids().filter_map(|id| rows.parent(id)) {
            *own.entry(parent).or_default() += 1;
        }
    }
    counts
}

fn details<M: Domain>(model: &M, row: Row, counts: &Children) -> Vec<String> {
    let Some(rows) = model.rows(row.part()) else {
        return Vec::new();
    };
    let shape = rows.shape();
    let mut lines = vec![numbered_line(model, row)];
    let shown = shown(model, row).into_iter();
    lines.extend(shown.map(|(name, value)| format!("  {name}: {value}")));
    for (part, _, children) in model.tables() {
        let own = counts.get(&part).and_then(|own| own.get(&row.id()));
        if let Some(n) = own.filter(|_| children.shape().parent == Some(shape.kind)) {
            lines.push(format!("  {}: {n}", children.shape().plural));
        }
    }
    lines
}

/// One line per row.
pub(super) fn list<'m, M: Domain>(model: &'m M, call: &Call<'_, M>) -> Result<Listing<'m>> {
    let mut binder = Binder::new(model, call);
    let rows = match binder.optional::<Rows>(0) {
        Some(rows) if binder.is_sound() => rows,
        _ => return Err(binder.error()),
    };
    let line = move |row: Row| numbered_line(model, row);
    Ok(match rows {
        Some(rows) => Listing::lines(
            rows.len(),
            rows.iter().collect::<Vec<_>>().into_iter().map(line),
        ),
        None => {
            let tables = || model.tables().filter(|(_, shape, _)| !shape.view);
            let rows: Vec<Row> = tables()
                .flat_map(|(part, _, _)| outlined(model, part))
                .collect();
            Listing::lines(rows.len(), rows.into_iter().map(line))
        }
    })
}

/// Rejects parameters of a query that takes none.
fn nothing_more<M: Domain>(model: &M, call: &Call<'_, M>) -> Result<()> {
    let binder = Binder::new(model, call);
    if binder.is_sound() {
        Ok(())
    } else {
        Err(binder.error())
    }
}
