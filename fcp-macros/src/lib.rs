//! The macros of `fcp`, which documents them at their re-exports.
//!
//! Each macro is a directory or a file with three layers: the written item (`input`), its checks
//! (`check`), and the emitted code (`expand`). Verbs, queries and session actions are three roles
//! of one form, in `function`.
//!
//! The macros emit data and thin functions; all logic is ordinary Rust in `fcp`. Every mistake of
//! an item is reported at its own token and with the legal form. The item is emitted all the same,
//! so that one mistake stays one error.

mod action;
mod docs;
mod emitted;
mod entity;
mod errors;
#[cfg(test)]
mod expanded;
mod function;
mod lint;
mod model;
mod names;
mod options;
mod params;
mod place;
mod query;
mod row;
mod selector;
mod shape;
mod table;
mod tool;
mod types;
mod value;
mod verb;
mod written_params;

use proc_macro::TokenStream;

#[allow(missing_docs)] // Documented where `fcp` re-exports it, so that its examples can run.
#[proc_macro_attribute]
pub fn fcp_verb(attribute: TokenStream, item: TokenStream) -> TokenStream {
    verb::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_attribute]
pub fn fcp_query(attribute: TokenStream, item: TokenStream) -> TokenStream {
    query::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_attribute]
pub fn fcp_action(attribute: TokenStream, item: TokenStream) -> TokenStream {
    action::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_attribute]
pub fn fcp_selector(attribute: TokenStream, item: TokenStream) -> TokenStream {
    selector::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_attribute]
pub fn fcp_lint(attribute: TokenStream, item: TokenStream) -> TokenStream {
    lint::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_attribute]
pub fn fcp_tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_derive(FcpValue, attributes(fcp))]
pub fn fcp_value(input: TokenStream) -> TokenStream {
    value::expand(input.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_derive(FcpParams, attributes(fcp))]
pub fn fcp_params(input: TokenStream) -> TokenStream {
    params::expand(input.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_derive(FcpEntity, attributes(fcp))]
pub fn fcp_entity(input: TokenStream) -> TokenStream {
    entity::expand(input.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_derive(FcpModel, attributes(fcp))]
pub fn fcp_model(input: TokenStream) -> TokenStream {
    model::expand(input.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_attribute]
pub fn fcp_table(attribute: TokenStream, item: TokenStream) -> TokenStream {
    table::expand(attribute.into(), item.into()).into()
}

#[allow(missing_docs)] // See `fcp_verb`.
#[proc_macro_derive(FcpRow, attributes(fcp))]
pub fn fcp_row(input: TokenStream) -> TokenStream {
    row::expand(input.into()).into()
}
