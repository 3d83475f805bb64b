//! `#[derive(FcpEntity)]`: a kind of row.
//! The tables of rows are in `model`, rows of a domain's own tables in `row`.

mod check;
mod expand;
mod field;
mod methods;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::options::Form;

/// The options of the struct.
const FORMS: &[Form] = &[
    Form::text("kind", "kind = \"note\""),
    Form::text("plural", "plural = \"entries\""),
    Form::expr("index", "index = NotesByTime"),
    Form::expr("label", "label = method"),
];

/// The options of a field.
const FIELD_FORMS: &[Form] = &[
    Form::word("label"),
    Form::maybe_text("selector", "selector = \"range\""),
    Form::word("parent"),
    Form::word("position"),
    Form::text("key", "key = \"in\""),
    Form::texts("alias", "alias = \"velocity\""),
    Form::expr("default", "default = Velocity::MF"),
    Form::word("hidden"),
    Form::word("spelling"),
    Form::word("view"),
    Form::word("readonly"),
];

/// An example of a legal struct.
const LEGAL: &str = "pub struct Note { pub pitch: Pitch }";

/// Expands the derive.
pub fn expand(input: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match check::check(&input, &errors) {
        Some(kind) if errors.is_empty() => expand::expand(&input, &kind),
        _ => {
            let (errors, stub) = (errors.into_tokens(), expand::stub(&input));
            quote!(#errors #stub)
        }
    }
}
