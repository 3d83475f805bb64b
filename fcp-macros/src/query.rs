//! `#[fcp_query]`: a question about the model.

use proc_macro2::TokenStream;
use syn::Signature;

use crate::errors::Errors;
use crate::function::{self, ALIAS, CATEGORY, NAME, Role, Run};
use crate::types;

static ROLE: Role = Role {
    attribute: "fcp_query",
    noun: "query",
    variant: "Query",
    forms: &[CATEGORY, NAME, ALIAS],
    category: Some("Queries"),
    example: true,
    reserved: &["limit", "from"],
    legal: "pub fn piano_roll(song: &Song, …) -> Result<Listing<'_>>",
    run,
    directory: "queries",
};

/// Expands a query and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(&ROLE, attribute, item)
}

fn run(sig: &Signature, errors: &Errors) -> Option<Run> {
    if types::result(&sig.output).is_none() {
        let message = "a query answers with lines: `-> Result<Listing<'_>>`, `Result<Vec<String>>` or `Result<String>`";
        function::wrong_output(sig, message, errors);
    }
    let first = function::first(sig)?;
    if let Some(model) = types::shared(first) {
        return Some(Run::Ask(model.clone()));
    }
    let problem = match types::exclusive(first) {
        Some(_) => {
            "a function that changes the model is a verb, `#[fcp_verb]`; a query only looks at it"
        }
        None => "a query's first parameter is the model",
    };
    errors.at(first, format!("{problem}: `{}`", ROLE.legal));
    None
}
