//! The mistakes of an item, each at its own token.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. All mistakes of an item are reported together.
#[derive(Default)]
#[must_use]
pub struct Errors(RefCell<Vec<syn::Error>>);

impl Errors {
    /// Adds a mistake at tokens. The message describes the error and the legal form.
    pub fn at(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds a mistake at a span, for places without tokens.
    pub fn on(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Adds a mistake that syn found.
    pub fn push(&self, error: syn::Error) {
        self.0.borrow_mut().push(error);
    }

    /// Whether there are no mistakes.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// The mistakes as `compile_error!`s.
    pub fn into_tokens(self) -> TokenStream {
        self.0
            .into_inner()
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}
