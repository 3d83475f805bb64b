//! `#[fcp_verb]`: an op that changes the model.

use proc_macro2::TokenStream;
use syn::Signature;

use crate::errors::Errors;
use crate::function::{self, ALIAS, CATEGORY, NAME, Role, Run};
use crate::options::Form;
use crate::types;

static ROLE: Role = Role {
    attribute: "fcp_verb",
    noun: "verb",
    variant: "Verb",
    forms: &[
        CATEGORY,
        NAME,
        ALIAS,
        Form::word("deletes"),
        Form::word("infix"),
    ],
    category: None,
    example: true,
    reserved: &[],
    legal: "pub fn note(song: &mut Song, …) -> Result<Reply>",
    run,
    directory: "verbs",
};

/// Expands a verb and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(&ROLE, attribute, item)
}

fn run(sig: &Signature, errors: &Errors) -> Option<Run> {
    let answers = types::result(&sig.output).is_some_and(|answer| types::is(answer, "Reply"));
    if !answers {
        let message = "a verb answers with one line: `-> Result<Reply>`";
        function::wrong_output(sig, message, errors);
    }
    let first = function::first(sig)?;
    if let Some(model) = types::exclusive(first) {
        return Some(Run::Edit(model.clone()));
    }
    let problem = match types::shared(first) {
        Some(_) => {
            "a function that only looks at the model is a query, `#[fcp_query]`; a verb may change it"
        }
        None => "a verb's first parameter is the model",
    };
    errors.at(first, format!("{problem}: `{}`", ROLE.legal));
    None
}
