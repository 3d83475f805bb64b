//! Checks of a group of parameters.

use syn::{DeriveInput, Field, Ident, Pat, PatIdent};

use super::{LEGAL, OWNER};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::function::param::{FORMS, Param};
use crate::function::together;
use crate::options::Options;
use crate::shape;
use crate::written::Written;

/// Reports every mistake. Returns the group's summary and its parameters.
pub fn check(input: &DeriveInput, errors: &Errors) -> (String, Vec<Param>) {
    for attr in input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("fcp"))
    {
        errors.at(
            attr,
            "a group of parameters has no options; its fields have them",
        );
    }
    let missing = "a group of parameters needs a doc comment: `/// The place of a new object.`";
    let doc = Docs::of(&input.attrs).summary(&input.ident, missing, errors);
    let Some(fields) = shape::fields(input, "a group of parameters", LEGAL, errors) else {
        return (doc, Vec::new());
    };
    if fields.is_empty() {
        errors.at(&input.ident, format!("a group holds parameters: `{LEGAL}`"));
    }
    let params: Vec<Param> = fields
        .iter()
        .filter_map(|field| param(field, field.ident.as_ref()?, errors))
        .collect();
    let all: Vec<&Param> = params.iter().collect();
    together::check(OWNER, &all, errors);
    (doc, params)
}

fn param(field: &Field, ident: &Ident, errors: &Errors) -> Option<Param> {
    let options = Options::of_item(&field.attrs, FORMS, errors);
    if let Some(flatten) = options.word("flatten") {
        errors.at(
            flatten,
            "a group holds no other group; a verb may take both",
        );
        return None;
    }
    let written = Written {
        pat: Pat::Ident(PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident: ident.clone(),
            subpat: None,
        }),
        ty: field.ty.clone(),
        options,
        docs: Docs::of(&field.attrs),
    };
    Param::read(OWNER, &written, errors)
}
