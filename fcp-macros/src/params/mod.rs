//! `#[derive(FcpParams)]`: parameters that several verbs share.
//! Parameters of a single function are in `function`.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;
use crate::function::param::Owner;

/// The owner of the parameters.
const OWNER: Owner = Owner {
    noun: "group",
    reserved: &[],
};

/// An example of a legal struct.
const LEGAL: &str = "pub struct Placement { pub at: Option<Point> }";

/// Expands the derive.
pub fn expand(input: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let input = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let group = check::check(&input, &errors);
    if errors.is_empty() {
        return expand::expand(&input, &group);
    }
    let (errors, stub) = (errors.into_tokens(), expand::stub(&input));
    quote!(#errors #stub)
}
