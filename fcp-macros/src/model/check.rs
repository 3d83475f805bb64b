//! Checks of a model.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{DeriveInput, Expr, Field, Type};

use super::{FIELD_FORMS, FORMS, LEGAL};
use crate::errors::Errors;
use crate::names::pascal;
use crate::options::Options;
use crate::{shape, types};

/// A validated model.
pub struct Model {
    /// The short identifier: `midi`.
    pub domain: String,
    /// Its title, for people.
    pub title: String,
    /// The containers, in the order of the struct.
    pub parts: Vec<Part>,
}

/// A container of a model.
pub struct Part {
    /// Its name in the struct.
    pub ident: Ident,
    /// The variant of its events.
    pub variant: Ident,
    /// Its type.
    pub ty: Type,
    /// The kind of its rows, if it is a `Table`.
    pub row: Option<Type>,
    /// The letter that counts its rows in the digest.
    pub count: Option<String>,
    /// Whether it is left out of the content.
    pub view: bool,
    /// Whether it is hidden: neither shown nor named.
    pub hidden: bool,
    /// Whether selectors without a type match its rows.
    pub universe: bool,
    /// The function that shows one of its rows as a line.
    pub line: Option<Expr>,
}

/// Reports every mistake.
pub fn check(input: &DeriveInput, errors: &Errors) -> Option<Model> {
    let options = Options::of_item(&input.attrs, FORMS, errors);
    let domain = required_text(input, &options, "domain", "domain = \"midi\"", errors);
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if let Some(text) = options.text("domain")
        && !(text.value().starts_with(|c: char| c.is_ascii_lowercase())
            && text.value().chars().all(plain))
    {
        errors.at(text, "a domain is a lower-case word: `domain = \"midi\"`");
    }
    let title = required_text(
        input,
        &options,
        "title",
        "title = \"Standard MIDI Files\"",
        errors,
    );
    let fields = shape::fields(input, "a model", LEGAL, errors)?;
    if fields.is_empty() {
        errors.at(&input.ident, format!("a model holds something: `{LEGAL}`"));
    }
    let parts: Vec<Part> = fields
        .iter()
        .filter_map(|field| part(field, errors))
        .collect();
    together(&parts, fields.iter(), errors);
    Some(Model {
        domain,
        title,
        parts,
    })
}

/// The text of a required option.
fn required_text(
    input: &DeriveInput,
    options: &Options,
    name: &str,
    legal: &str,
    errors: &Errors,
) -> String {
    match options.text(name) {
        Some(text) => text.value(),
        None => {
            if !options.mentions(name) {
                errors.at(
                    &input.ident,
                    format!("a model needs its {name}: `#[fcp({legal})]`"),
                );
            }
            String::new()
        }
    }
}

/// Standard containers that record no changes, each with its replacement.
const FORGETFUL: &[(&str, &str)] = &[
    ("Vec", "rows are a `Table<T>`, one value is a `Slot<T>`"),
    ("VecDeque", "rows are a `Table<T>`"),
    ("HashMap", "rows are a `Table<T>`, found by their label"),
    ("BTreeMap", "rows are a `Table<T>`, found by their label"),
    ("HashSet", "rows are a `Table<T>`"),
    ("BTreeSet", "rows are a `Table<T>`"),
    ("Option", "one value is a `Slot<Option<T>>`"),
    ("Box", "one value is a `Slot<T>`"),
    ("Rc", "one value is a `Slot<T>`"),
    ("Arc", "one value is a `Slot<T>`"),
    ("RefCell", "one value is a `Slot<T>`"),
    ("Cell", "one value is a `Slot<T>`"),
    ("Mutex", "one value is a `Slot<T>`"),
    ("String", "one value is a `Slot<String>`"),
    ("bool", "one value is a `Slot<bool>`"),
];

fn part(field: &Field, errors: &Errors) -> Option<Part> {
    let ident = field.ident.clone()?;
    let options = Options::of_item(&field.attrs, FIELD_FORMS, errors);
    let legal = match &field.ty {
        Type::Path(_) | Type::Group(_) | Type::Paren(_) | Type::Macro(_) => FORGETFUL
            .iter()
            .find(|(name, _)| types::is(&field.ty, name))
            .map(|(_, legal)| *legal),
        _ => Some("rows are a `Table<T>`, one value is a `Slot<T>`"),
    };
    if let Some(legal) = legal {
        errors.at(
            &field.ty,
            format!("this would change without an event, and undo would lose it; {legal}"),
        );
    }
    let row = types::argument(&field.ty, "Table").cloned();
    if row.is_none() {
        options.refuse(
            &["count", "hidden", "universe", "line"],
            errors,
            "this is for rows, and only a `Table<T>` has them",
        );
    }
    if let Some(count) = options.text("count")
        && !(count.value().chars().all(|c| c.is_ascii_lowercase()) && count.value().len() <= 3)
    {
        errors.at(
            count,
            "what counts rows is a letter or two, as in `3t`: `count = \"t\"`",
        );
    }
    if row.is_some() && options.word("hidden").is_some() {
        options.refuse(
            &["count", "universe", "line"],
            errors,
            "these rows are hidden: they are not counted, selected or shown as a line",
        );
    }
    if let Some(line) = options.expr("line")
        && !matches!(line, Expr::Path(_))
    {
        errors.at(
            line,
            "`line` names a function: `line = note_line` of a `fn note_line(song: &Song, id: Id<Note>, note: &Note) -> \
             String`",
        );
    }
    Some(Part {
        variant: pascal(&ident),
        ident,
        ty: field.ty.clone(),
        row,
        count: options.text("count").map(syn::LitStr::value),
        view: options.word("view").is_some(),
        hidden: options.word("hidden").is_some(),
        universe: options.word("universe").is_some(),
        line: options.expr("line").cloned(),
    })
}

/// Rejects containers that conflict.
fn together<'a>(parts: &[Part], fields: impl Iterator<Item = &'a Field>, errors: &Errors) {
    let mut rows: BTreeMap<String, &Ident> = BTreeMap::new();
    let mut counts: BTreeMap<&str, &Ident> = BTreeMap::new();
    for (part, field) in parts.iter().zip(fields) {
        if let Some(row) = &part.row
            && let Some(other) = rows.insert(row.to_token_stream().to_string(), &part.ident)
        {
            errors.at(
                &field.ty,
                format!("`{other}` holds these rows already; a kind of row has one table"),
            );
        }
        if let Some(count) = &part.count
            && let Some(other) = counts.insert(count, &part.ident)
        {
            errors.at(
                &part.ident,
                format!("`{count}` counts `{other}` already; count these by another letter"),
            );
        }
    }
}
