//! `#[fcp_tool]`: a typed function becomes a structured tool.
//! Verbs, queries and actions of documents are in `function`.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::options::{Form, Options};
use crate::written_params;

/// The options of a tool.
const FORMS: &[Form] = &[
    Form::text("name", "name = \"snapshot.list\""),
    Form::texts("alias", "alias = \"snapshot_list\""),
    Form::word("read_only"),
    Form::word("destructive"),
    Form::word("idempotent"),
    Form::word("open_world"),
];

/// The options of a parameter.
const PARAMS: &[Form] = &[
    Form::text("key", "key = \"in\""),
    Form::expr("default", "default = 1"),
    Form::word("flatten"),
];

/// An example of a legal tool.
const LEGAL: &str = "pub fn find_book(shelf: &Shelf, title: String, …) -> Result<Book>";

/// Expands a tool and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let Some(mut function) = crate::function::read("fcp_tool", LEGAL, &item, &errors) else {
        let errors = errors.into_tokens();
        return quote!(#item #errors);
    };
    let options = Options::of_macro("fcp_tool", FORMS, attribute, &errors);
    let params = written_params::take(&mut function, PARAMS, &errors);
    let tool = check::check(&function, &options, params, &errors);
    match tool {
        Some(tool) if errors.is_empty() => {
            let registered = expand::expand(&function, &tool);
            // A tool has as many parameters as its arguments have fields.
            let many = function.sig.inputs.len() > 7;
            let many = many.then(|| quote!(#[allow(clippy::too_many_arguments)]));
            quote!(#many #function #registered)
        }
        _ => {
            let errors = errors.into_tokens();
            quote!(#function #errors)
        }
    }
}
