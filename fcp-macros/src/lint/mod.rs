//! `#[fcp_lint]`: a warning of a domain's own.
//! Other functions of a domain are in `function`, `selector` and `table`.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::options::{Form, Options};

/// The options of a warning.
const FORMS: &[Form] = &[Form::expr("weight", "weight = 10")];

/// An example of a legal warning.
const LEGAL: &str = "pub fn stuck(song: &Song, id: Id<Note>, note: &Note) -> Option<String>";

/// Expands a warning and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let Some(function) = crate::function::read("fcp_lint", LEGAL, &item, &errors) else {
        let errors = errors.into_tokens();
        return quote!(#item #errors);
    };
    let options = Options::of_macro("fcp_lint", FORMS, attribute, &errors);
    let lint = check::check(&function, &options, &errors);
    match lint {
        Some(lint) if errors.is_empty() => {
            let registered = expand::expand(&function, &lint);
            quote!(#function #registered)
        }
        _ => {
            let errors = errors.into_tokens();
            quote!(#function #errors)
        }
    }
}
