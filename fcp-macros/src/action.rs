//! `#[fcp_action]`: a session action, which is neither an op nor a query.

use proc_macro2::TokenStream;
use syn::Signature;

use crate::errors::Errors;
use crate::function::{self, ALIAS, CATEGORY, NAME, Role, Run};
use crate::types;

static ROLE: Role = Role {
    attribute: "fcp_action",
    noun: "session action",
    variant: "Action",
    forms: &[CATEGORY, NAME, ALIAS],
    category: Some("Session"),
    example: false,
    reserved: &[],
    legal: "pub fn quantize_all(song: &mut Song, …) -> Result<Reply>",
    run,
    directory: "actions",
};

/// The three forms of a session action.
const FORMS: &str = "a session action changes the document, `fn(song: &mut Song, …) -> Result<Reply>`, makes a file of \
                     it, `fn(song: &Song, …) -> Result<Vec<u8>>`, or makes a document, `fn(…) -> Result<Song>`";

/// Expands a session action and its registration.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(&ROLE, attribute, item)
}

fn run(sig: &Signature, errors: &Errors) -> Option<Run> {
    let Some(answer) = types::result(&sig.output) else {
        function::wrong_output(sig, FORMS, errors);
        return None;
    };
    let first = function::first(sig);
    let run = match (
        first.and_then(types::exclusive),
        first.and_then(types::shared),
    ) {
        (Some(model), _) => types::is(answer, "Reply").then(|| Run::Edit(model.clone())),
        (_, Some(model)) => {
            let bytes = types::argument(answer, "Vec").is_some_and(|item| types::is(item, "u8"));
            (bytes || types::is(answer, "Exported")).then(|| Run::Export(model.clone()))
        }
        (None, None) => ["Reply", "Vec", "Listing"]
            .iter()
            .all(|other| !types::is(answer, other))
            .then(|| Run::Make(answer.clone())),
    };
    if run.is_none() && sig.receiver().is_none() {
        function::wrong_output(sig, FORMS, errors);
    }
    run
}
