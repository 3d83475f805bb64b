//! `#[derive(FcpRow)]`: a row of a domain's own table.

mod check;
mod expand;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::options::Form;

/// The options of the struct.
const FORMS: &[Form] = &[Form::expr("model", "model = Song")];

/// The options of a field.
const FIELD_FORMS: &[Form] = &[Form::any("set", "set`, `set = \"at\"` or `set = set_pitch")];

/// The form of the struct.
const LEGAL: &str = "pub struct NoteRow { pub row: Id<Note>, /** Its pitch. */ pub pitch: u8 }";

/// The row's implementation.
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
