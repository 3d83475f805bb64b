//! `#[fcp_table]`: a table of a domain's own.
//! The struct of its rows is in `row`.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::options::{Form, Options};

/// The options of a table.
const FORMS: &[Form] = &[
    Form::word("entity"),
    Form::text("insert", "insert = \"add note {pitch} on:{track}\""),
    Form::expr("insert_by", "insert_by = note_op"),
    Form::text("one_of", "one_of = \"tick|pos|bar,beat\""),
    Form::expr("delete", "delete = remove_attribute"),
    Form::expr("delete_all", "delete_all = remove_rules"),
    Form::expr("insert_all", "insert_all = add_rules"),
];

/// An example of a legal table.
const LEGAL: &str = "pub fn notes(song: &Song) -> impl Iterator<Item = NoteRow>";

/// Expands a table and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let Some(function) = crate::function::read("fcp_table", LEGAL, &item, &errors) else {
        let errors = errors.into_tokens();
        return quote!(#item #errors);
    };
    let options = Options::of_macro("fcp_table", FORMS, attribute, &errors);
    let added = match check::check(&function, &options, &errors) {
        Some(table) if errors.is_empty() => expand::expand(&function, &table, &options),
        _ => errors.into_tokens(),
    };
    quote!(#function #added)
}
