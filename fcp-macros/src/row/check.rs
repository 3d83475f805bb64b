//! Checks of a row of a table.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{DeriveInput, Expr, Field, Type};

use super::{FIELD_FORMS, FORMS, LEGAL};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::names::is_key;
use crate::options::Options;
use crate::{shape, types};

/// A validated row.
pub struct Row {
    /// The model.
    pub model: Expr,
    /// The part of the model that the rows refer to, if no kind implies it.
    pub part: Option<Expr>,
    /// The field that refers to a row of the model.
    pub row: Option<About>,
    /// The columns.
    pub columns: Vec<Column>,
}

/// The field of a table's row that refers to a row of the model.
pub struct About {
    /// Whether it is an `Option`.
    pub option: bool,
    /// The kind, or `None` if the field is a `Row`.
    pub kind: Option<Type>,
}

/// A column.
pub struct Column {
    /// The field.
    pub ident: Ident,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its doc comment, on one line.
    pub doc: String,
    /// The way it is written, if it can be.
    pub set: Option<Set>,
    /// The op that changes its value.
    pub by: Option<String>,
    /// The fields of `diff` that it shows under another name.
    pub shows: Vec<String>,
}

/// The way a column is written.
pub enum Set {
    /// By `modify`, under a key.
    Key(String),
    /// By a function.
    Own(Box<Expr>),
    /// By a function that gets all rows at once.
    All(Box<Expr>),
}

/// Reports every mistake.
pub fn check(input: &DeriveInput, errors: &Errors) -> Option<Row> {
    let options = Options::of_item(&input.attrs, FORMS, errors);
    let model = options.expr("model").cloned();
    if model.is_none() && !options.mentions("model") {
        errors.at(
            &input.ident,
            "a row needs its model: `#[fcp(model = Song)]`",
        );
    }
    let written = shape::fields(input, "a row of a table", LEGAL, errors)?;
    let (mut row, mut columns) = (None, Vec::new());
    for field in written {
        let Some(ident) = &field.ident else { continue };
        if ident == "row" {
            row = about(field, errors);
        } else {
            columns.extend(column(field, ident, errors));
        }
    }
    if columns.is_empty() && errors.is_empty() {
        errors.at(
            &input.ident,
            format!("a table has a column at least: `{LEGAL}`"),
        );
    }
    Some(Row {
        part: options.expr("part").cloned(),
        model: model?,
        row,
        columns,
    })
}

fn about(field: &Field, errors: &Errors) -> Option<About> {
    let (option, inner) = match types::argument(&field.ty, "Option") {
        Some(inner) => (true, inner),
        None => (false, &field.ty),
    };
    Options::of_item(&field.attrs, FIELD_FORMS, errors).refuse(
        &["set", "set_all", "by", "shows"],
        errors,
        "the row that a row is about is never written",
    );
    let kind = types::argument(inner, "Id").cloned();
    if kind.is_none() && !types::is(inner, "Row") {
        errors.at(
            &field.ty,
            "the field `row` names a row of the model: `Id<Note>` or `Row`",
        );
        return None;
    }
    Some(About { option, kind })
}

fn column(field: &Field, ident: &Ident, errors: &Errors) -> Option<Column> {
    let name = ident.unraw().to_string();
    let options = Options::of_item(&field.attrs, FIELD_FORMS, errors);
    if name == "ref" {
        errors.at(
            ident,
            "every table has the column `ref` already, made of the field `row`",
        );
    }
    let doc = Docs::of(&field.attrs).line();
    if doc.is_empty() {
        errors.at(
            ident,
            "a column needs a doc comment: `/// Ticks from the start of the song.`",
        );
    }
    let set = match (options.text("set"), options.expr("set")) {
        (Some(key), _) => {
            if key.value() == name {
                errors.at(key, "the column's name says this already: `set`");
            } else if !is_key(&key.value()) {
                errors.at(key, "a key is a lower-case word: `set = \"at\"`");
            }
            Some(Set::Key(key.value()))
        }
        (None, Some(function)) => {
            if !matches!(function, Expr::Path(_)) {
                errors.at(function, "`set` names a function: `set = set_pitch`");
            }
            Some(Set::Own(Box::new(function.clone())))
        }
        (None, None) => options
            .word("set")
            .map(|_| Set::Key(name.replace('_', "-"))),
    };
    let all = options.expr("set_all");
    if let Some(function) = all
        && (set.is_some() || !matches!(function, Expr::Path(_)))
    {
        errors.at(
            function,
            "`set_all` names a function, without `set`: `set_all = move_notes`",
        );
    }
    let set = set.or(all.map(|function| Set::All(Box::new(function.clone()))));
    let by = options.text("by");
    if let Some(op) = by.filter(|_| set.is_some()) {
        errors.at(op, "`by` is for a column that is not written");
    }
    let shows = options.text("shows").map(syn::LitStr::value);
    let shows = shows.unwrap_or_default();
    Some(Column {
        shows: shows.split_whitespace().map(str::to_owned).collect(),
        by: by.map(syn::LitStr::value),
        ident: ident.clone(),
        name,
        ty: field.ty.clone(),
        doc,
        set,
    })
}
