//! `#[derive(FcpValue)]`: an enum whose variants are words.
//! Values of any other form implement the trait by hand.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::options::Form;

/// The options of the enum.
const FORMS: &[Form] = &[Form::text("name", "name = \"FIGURE\"")];

/// The options of a variant.
const WORD_FORMS: &[Form] = &[
    Form::text("word", "word = \"dotted\""),
    Form::texts("alias", "alias = \"dot\""),
];

/// An example of a legal enum.
const LEGAL: &str = "pub enum Figure { Whole, Half }";

/// Expands the derive.
pub fn expand(input: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let words = check::check(&input, &errors);
    if errors.is_empty() {
        return expand::expand(&input, &words);
    }
    let (errors, stub) = (errors.into_tokens(), expand::stub(&input));
    quote!(#errors #stub)
}
