//! Every mistake of an item, each at its own token.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far. One mistake hides no other: all of an item's are reported at once.
#[derive(Default)]
#[must_use]
pub struct Errors(RefCell<Vec<syn::Error>>);

impl Errors {
    /// A mistake at tokens. The message says what is wrong and what the legal form is.
    pub fn at(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake at a place without tokens of its own.
    pub fn on(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// A mistake that syn found.
    pub fn push(&self, error: syn::Error) {
        self.0.borrow_mut().push(error);
    }

    /// Whether there are none.
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
