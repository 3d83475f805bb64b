//! The universal queries, derived from the model's shape.
//! Queries about log and files are in `session`.

mod changed;
mod find;
mod rows;

pub(crate) use changed::{show, show_line};

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::domain::Domain;
use crate::model::{FieldKind, ModelExt, Row};
use crate::value::Text;
use crate::verb::{FromArg, Param, Place, Rows, Run, Source, Takes, Verb};

/// The queries about the session and the log, for the cards.
pub(crate) const BUILTIN: &[(&str, &str)] = &[
    (
        "status",
        "File, unsaved changes, checkpoints, reach of undo, digest.",
    ),
    (
        "history [N]",
        "The last N ops, numbered as undo counts them; the last alone is whole.",
    ),
    (
        "diff checkpoint:NAME|file|PATH",
        "Changes since a checkpoint (open and save are two), against the file on disk, or against another file: rows, \
         equal changes folded (rows:on lists each), and bytes.",
    ),
    (
        "SELECT …",
        "SQL (SQLite's) over the tables; WITH too. Several queries in a call are one a line.",
    ),
    (
        "tables [NAME]",
        "The tables with columns and counts, or each column of one.",
    ),
    ("warnings [CODE]", "All structural warnings."),
    (
        "plan OP[; OP…]",
        "The answers and changes of ops, without making them.",
    ),
];

/// The queries of every domain, unless it has its own.
#[must_use]
pub fn universal<M: Domain>() -> Vec<&'static Verb<M>> {
    vec![
        Of::<M>::MAP,
        Of::<M>::STATS,
        Of::<M>::DESCRIBE,
        Of::<M>::LIST,
        Of::<M>::FIND,
    ]
}

/// A namespace for constants that depend on the model.
struct Of<M>(PhantomData<M>);

impl<M: Domain> Of<M> {
    const MAP: &'static Verb<M> = &query(
        "map",
        "An outline of the document.",
        &[],
        Run::Ask(rows::map::<M>),
    );
    const STATS: &'static Verb<M> = &query("stats", "Counts.", &[], Run::Ask(rows::stats::<M>));
    const DESCRIBE: &'static Verb<M> = &query(
        "describe",
        "Everything about the rows named.",
        &[Param {
            required: true,
            ..Self::SEL
        }],
        Run::Ask(rows::describe::<M>),
    );
    const LIST: &'static Verb<M> = &query(
        "list",
        "The rows that selectors match, or all.",
        &[Self::SEL],
        Run::Ask(rows::list::<M>),
    );
    const FIND: &'static Verb<M> = &query(
        "find",
        "Rows with a field that shows a text; find KEY:VALUE looks at one field.",
        &[Param {
            name: "text",
            aliases: &[],
            place: Place::Rest,
            takes: Takes::Value,
            required: true,
            many: true,
            default: None,
            doc: "The text to find.",
            spec: <Text as FromArg<M>>::spec,
            group: None,
        }],
        Run::Ask(find::find::<M>),
    );
    const SEL: Param = Param {
        name: "rows",
        aliases: &[],
        place: Place::Word(None),
        takes: Takes::Rows,
        required: false,
        many: false,
        default: None,
        doc: "Selectors, names between commas, or *.",
        spec: <Rows as FromArg<M>>::spec,
        group: None,
    };
}

const fn query<M: Domain>(
    phrase: &'static str,
    summary: &'static str,
    params: &'static [Param],
    run: Run<M>,
) -> Verb<M> {
    Verb {
        phrase,
        aliases: &[],
        category: "Queries",
        summary,
        doc: summary,
        params,
        examples: &[],
        source: Source {
            file: file!(),
            line: line!(),
        },
        deletes: false,
        infix: false,
        run,
    }
}

/// A row on one line, with its number if it can be named by that.
pub(crate) fn numbered_line<M: Domain>(model: &M, row: Row) -> String {
    format!("{}{}", tag(model, row), line_of(model, row))
}

/// `#12 `, if the row is named by its number.
pub(crate) fn tag<M: Domain>(model: &M, row: Row) -> String {
    let rows = model.rows(row.part());
    match rows.and_then(|rows| rows.sure_name(row.id())) {
        Some(_) => String::new(),
        None => format!("#{} ", row.id()),
    }
}

/// The visible content of a row, by name: its details if its table has any, else its fields.
pub(crate) fn shown<M: Domain>(model: &M, row: Row) -> Vec<(Cow<'static, str>, String)> {
    let Some(rows) = model.rows(row.part()) else {
        return Vec::new();
    };
    if let Some(details) = rows.details(row.id()) {
        let details = details.into_iter();
        return details.map(|(name, value)| (name.into(), value)).collect();
    }
    let fields = rows.shape().fields.iter().enumerate();
    let fields = fields.filter(|(_, field)| field.kind != FieldKind::Hidden);
    fields
        .filter_map(|(ix, field)| Some((field.name.into(), field_of(model, row, ix)?)))
        .collect()
}

/// The rows of a table that are shown by default, in the order of the document.
pub(crate) fn outlined<M: Domain>(model: &M, part: usize) -> Vec<Row> {
    let Some(rows) = model.rows(part) else {
        return Vec::new();
    };
    let ids = rows.ids().filter(|id| rows.in_universe(*id));
    ids.map(|id| Row::new(part, id)).collect()
}

/// A row on one line: the model's own line, or else kind, name and fields.
pub(crate) fn line_of<M: Domain>(model: &M, row: Row) -> String {
    if let Some(line) = model.line(row).or_else(|| model.describe_row(row)) {
        return line;
    }
    let Some(rows) = model.rows(row.part()) else {
        return format!("#{}", row.id());
    };
    let shape = rows.shape();
    let mut line = format!("{} {}", rows.kind(row.id()), model.name_of(row));
    for (ix, field) in shape.fields.iter().enumerate() {
        if field.label || field.kind == FieldKind::Hidden {
            continue;
        }
        if let Some(value) = field_of(model, row, ix) {
            line.push(' ');
            line.push_str(&crate::op::spell_param(field.name, &value));
        }
    }
    line
}

/// A field of a row as text; for a reference the name of the row.
pub(crate) fn field_of<M: Domain>(model: &M, row: Row, ix: usize) -> Option<String> {
    let rows = model.rows(row.part())?;
    let field = rows.shape().fields.get(ix)?;
    match field.kind {
        FieldKind::Hidden => None,
        FieldKind::Refers(kind) => {
            let part = M::kind(kind)?;
            rows.reference(row.id(), ix)
                .map(|id| model.name_of(Row::new(part, id)))
        }
        FieldKind::Value | FieldKind::ReadOnly => rows.field(row.id(), ix),
    }
}
