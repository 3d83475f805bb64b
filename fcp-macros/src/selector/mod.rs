//! `#[fcp_selector]`: a selector of a domain's own.
//! Selectors of fields follow from `entity`.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::FnArg;

use crate::errors::Errors;
use crate::options::{Form, Options};

/// The options of a selector.
const FORMS: &[Form] = &[
    Form::texts("alias", "alias = \"bar\""),
    Form::word("bears_type"),
];

/// An example of a legal selector.
const LEGAL: &str = "pub fn range(song: &Song, span: Span) -> Pick<'_>";

/// Expands a selector and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let Some(mut function) = crate::function::read("fcp_selector", LEGAL, &item, &errors) else {
        let errors = errors.into_tokens();
        return quote!(#item #errors);
    };
    let options = Options::of_macro("fcp_selector", FORMS, attribute, &errors);
    for argument in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = argument {
            typed.attrs.retain(|attr| !attr.path().is_ident("doc"));
        }
    }
    let selector = check::check(&function, &options, &errors);
    match selector {
        Some(selector) if errors.is_empty() => {
            let registered = expand::expand(&function, &selector);
            quote!(#function #registered)
        }
        _ => {
            let errors = errors.into_tokens();
            quote!(#function #errors)
        }
    }
}
