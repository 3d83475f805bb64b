//! `#[derive(FcpModel)]`: a document's content.
//! The kinds of its rows are in `entity`.

mod check;
mod expand;
mod stub;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::options::Form;

/// The options of the struct.
const FORMS: &[Form] = &[
    Form::text("domain", "domain = \"midi\""),
    Form::text("title", "title = \"Standard MIDI Files\""),
];

/// The options of a field.
const FIELD_FORMS: &[Form] = &[
    Form::text("count", "count = \"t\""),
    Form::word("view"),
    Form::word("hidden"),
    Form::word("universe"),
    Form::expr("line", "line = note_line"),
];

/// An example of a legal struct.
const LEGAL: &str = "pub struct Song { pub notes: Table<Note> }";

/// Expands the derive.
pub fn expand(input: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match check::check(&input, &errors) {
        Some(model) if errors.is_empty() => expand::expand(&input, &model),
        model => {
            let (errors, stub) = (errors.into_tokens(), stub::stub(&input, model.as_ref()));
            quote!(#errors #stub)
        }
    }
}
