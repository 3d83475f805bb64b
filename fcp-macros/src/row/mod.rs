//! `#[derive(FcpRow)]`: a row of a domain's own table.
//! The function that yields its rows is in `table`, rows of a model in `entity`.

mod check;
mod expand;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::options::Form;

/// The options of the struct.
const FORMS: &[Form] = &[
    Form::expr("model", "model = Song"),
    Form::expr("part", "part = Song::NODES"),
];

/// The options of a field.
const FIELD_FORMS: &[Form] = &[
    Form::any("set", "set`, `set = \"at\"` or `set = set_pitch"),
    Form::expr("set_all", "set_all = move_notes"),
    Form::text("by", "by = \"style {rows} fill:={value}\""),
    Form::text("shows", "shows = \"at\""),
];

/// An example of a legal struct.
const LEGAL: &str = "pub struct NoteRow { pub row: Id<Note>, /** Its pitch. */ pub pitch: u8 }";

/// Expands the derive.
pub fn expand(input: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    match check::check(&input, &errors) {
        Some(row) if errors.is_empty() => expand::expand(&input, &row),
        _ => errors.into_tokens(),
    }
}
