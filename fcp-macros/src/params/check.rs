//! Checks of a group of parameters.

use syn::{DeriveInput, Field, Ident, Pat, PatIdent};

use super::{LEGAL, OWNER};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::function::param::{FORMS, Param};
use crate::function::parameter_conflicts;
use crate::options::{Form, Options};
use crate::shape;
use crate::written_params::Written;

/// The options of a group.
const OF_GROUPS: &[Form] = &[Form::word("inline")];

/// A group as written.
pub struct Group {
    pub doc: String,
    /// Whether its parameters are shown as those of the verb that takes it.
    pub inline: bool,
    pub params: Vec<Param>,
}

/// Reports every mistake.
pub fn check(input: &DeriveInput, errors: &Errors) -> Group {
    let options = Options::of_item(&input.attrs, OF_GROUPS, errors);
    let mut group = Group {
        doc: String::new(),
        inline: options.word("inline").is_some(),
        params: Vec::new(),
    };
    let missing = "a group of parameters needs a doc comment: `/// The place of a new object.`";
    group.doc = Docs::of(&input.attrs).summary(&input.ident, missing, errors);
    let Some(fields) = shape::fields(input, "a group of parameters", LEGAL, errors) else {
        return group;
    };
    if fields.is_empty() {
        errors.at(&input.ident, format!("a group holds parameters: `{LEGAL}`"));
    }
    group.params = fields
        .iter()
        .filter_map(|field| param(field, field.ident.as_ref()?, errors))
        .collect();
    let all: Vec<&Param> = group.params.iter().collect();
    parameter_conflicts::check(OWNER, &all, errors);
    group
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
