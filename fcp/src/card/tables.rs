//! The tables in brief, for the description of the query tool.

use crate::domain::Domain;
use crate::sql::{Described, tables_of};
use crate::verb::Registry;

/// A table on one line: `notes(ref, track*, pitch*)`, with a star on columns that `UPDATE` can set.
fn line(table: &Described, docs: bool) -> String {
    let columns = table.names.iter().map(|name| {
        let star = if table.written.contains(name) {
            "*"
        } else {
            ""
        };
        format!("{name}{star}")
    });
    let mut line = format!("{}({})", table.name, columns.collect::<Vec<_>>().join(", "));
    if docs {
        line.push_str(&format!(" -- {}", table.doc.trim_end_matches('.')));
    }
    let added = table.added.as_deref().filter(|_| docs);
    if let Some(added) = added {
        line.push_str(&format!("; INSERT({added})"));
    }
    line
}

/// Tables and columns within `room` bytes: the domain's own in full, the others as far as there is
/// room.
pub(super) fn card<M: Domain>(registry: &Registry<M>, room: usize) -> String {
    let tables = tables_of(registry);
    let (own, kinds): (Vec<_>, Vec<_>) = tables.iter().partition(|table| table.is_own);
    let head = "\nTables (* can be set by UPDATE; ? tables NAME shows more):";
    let names = |tables: &[&Described]| {
        let names: Vec<&str> = tables.iter().map(|table| &*table.name).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("\nalso, by kind: {}", names.join(", ")),
        }
    };
    let notes = match M::SQL_NOTES {
        "" => String::new(),
        notes => format!("\n{notes}"),
    };
    let text = |docs: usize, kinds_shown: usize| {
        let mut text = head.to_owned();
        let shown = kinds.iter().take(kinds_shown);
        for (ix, table) in own.iter().chain(shown).enumerate() {
            text.push('\n');
            text.push_str(&line(table, ix < docs));
        }
        text.push_str(&names(kinds.get(kinds_shown..).unwrap_or_default()));
        text.push_str(&notes);
        text
    };
    let mut best = text(0, 0);
    if best.len() > room {
        let mut short = format!(
            "{head} {}",
            own.iter()
                .chain(&kinds)
                .map(|own| &*own.name)
                .collect::<Vec<_>>()
                .join(", ")
        );
        short.truncate(short.floor_char_boundary(room));
        return short;
    }
    for docs in 0..=own.len() {
        for shown in 0..=kinds.len() {
            let longer = text(docs, shown);
            if longer.len() > room {
                break;
            }
            if shown == 0 || docs == own.len() {
                best = longer;
            }
        }
    }
    best
}
