//! Checks of a kind of row.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::{DeriveInput, Expr};

use super::field::{Field, Holds};
use super::{FORMS, LEGAL};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::names::{is_key, kebab};
use crate::options::Options;
use crate::shape;

/// A validated kind of row.
pub struct Kind {
    /// Its name: `note`.
    pub kind: String,
    /// Its plural.
    pub plural: String,
    /// The first sentence of its doc comment.
    pub doc: String,
    /// The index that the table keeps besides ids and labels.
    pub index: Option<Expr>,
    /// The method that returns the label, if no field holds it.
    pub label: Option<Expr>,
    /// The fields, in the order of the struct.
    pub fields: Vec<Field>,
}

impl Kind {
    /// The field that names the row.
    pub fn label(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.label.is_some())
    }

    /// The field that refers to the parent row, and the parent's kind.
    pub fn parent(&self) -> Option<(&Field, &syn::Type)> {
        let field = self.fields.iter().find(|field| field.parent.is_some())?;
        match &field.holds {
            Holds::Refers(kind) => Some((field, kind)),
            Holds::Value(_) => None,
        }
    }

    /// Whether rows can be made from their shown fields.
    pub fn addable(&self) -> bool {
        self.fields.iter().all(Field::allows_adding)
    }
}

/// Reports every mistake.
pub fn check(input: &DeriveInput, errors: &Errors) -> Option<Kind> {
    let options = Options::of_item(&input.attrs, FORMS, errors);
    let (kind, plural) = names(input, &options, errors);
    let doc = Docs::of(&input.attrs).summary(
        &input.ident,
        "a kind of row needs a doc comment: `/// A sounding tone.`",
        errors,
    );
    for (option, legal) in [
        (
            "label",
            "label = method` of a `fn method(&self) -> Option<Cow<'_, str>>",
        ),
        ("index", "index = NotesByTime"),
    ] {
        if let Some(value) = options.expr(option)
            && !matches!(value, Expr::Path(_))
        {
            errors.at(value, format!("`{option}` names a Rust item: `{legal}`"));
        }
    }
    let written = shape::fields(input, "a kind of row", LEGAL, errors)?;
    let fields: Vec<Field> = written
        .iter()
        .filter_map(|field| Field::read(field, errors))
        .collect();
    let labels = options
        .word("label")
        .into_iter()
        .chain(marked_by(&fields, |field| field.label.as_ref()));
    once(labels, "a row has one label, and this is a second", errors);
    let parents = marked_by(&fields, |field| field.parent.as_ref());
    once(
        parents,
        "a row belongs to one row, and this is a second",
        errors,
    );
    let positions = marked_by(&fields, |field| field.position.as_ref());
    once(
        positions,
        "a row has one position, and this is a second",
        errors,
    );
    let mut keys: BTreeMap<&str, &Ident> = BTreeMap::new();
    for field in &fields {
        for (spelling, span) in &field.spellings {
            if let Some(other) = keys.insert(spelling, &field.ident) {
                errors.on(
                    *span,
                    if *other == field.ident {
                        format!("`{spelling}` is given twice")
                    } else {
                        format!("`{spelling}` is the field `{other}` already")
                    },
                );
            }
        }
    }
    Some(Kind {
        kind,
        plural,
        doc,
        index: options.expr("index").cloned(),
        label: options.expr("label").cloned(),
        fields,
    })
}

fn names(input: &DeriveInput, options: &Options, errors: &Errors) -> (String, String) {
    let usual = kebab(&input.ident);
    let kind = match options.text("kind") {
        Some(kind) => {
            if kind.value() == usual {
                errors.at(kind, "the struct's name says this already; leave it out");
            } else if !is_key(&kind.value()) {
                errors.at(kind, "a kind is a lower-case word: `kind = \"note\"`");
            }
            kind.value()
        }
        None => usual,
    };
    let usual = format!("{kind}s");
    let plural = match options.text("plural") {
        Some(plural) => {
            if plural.value() == usual {
                errors.at(plural, "this is the usual plural; leave it out");
            }
            plural.value()
        }
        None => usual,
    };
    (kind, plural)
}

fn marked_by<'a>(
    fields: &'a [Field],
    word: impl Fn(&'a Field) -> Option<&'a Ident>,
) -> impl Iterator<Item = &'a Ident> {
    fields.iter().filter_map(word)
}

fn once<'a>(words: impl Iterator<Item = &'a Ident>, message: &str, errors: &Errors) {
    for word in words.skip(1) {
        errors.at(word, message);
    }
}
