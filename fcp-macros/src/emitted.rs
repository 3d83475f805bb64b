//! Tokens that several macros emit.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// A value that may be missing, as an `Option`.
pub fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
