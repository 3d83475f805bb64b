//! Emits a value: its words, parsing and display.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::DeriveInput;

use super::check::{Word, Words};

/// Emits the trait implementation.
pub fn expand(input: &DeriveInput, words: &Words) -> TokenStream {
    let ident = &input.ident;
    let (name, doc) = (&words.name, &words.doc);
    let variants: Vec<&Ident> = words.words.iter().map(|word| &word.variant).collect();
    let choices = words.words.iter().map(|word| {
        let Word {
            word, aliases, doc, ..
        } = word;
        quote!(::fcp::__private::Choice { word: #word, aliases: &[#(#aliases),*], doc: #doc })
    });
    let shown = words.words.iter().map(|word| &word.word);
    quote! {
        impl #ident {
            /// Every value, in the order of cards.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];
        }

        #[automatically_derived]
        impl ::fcp::__private::FcpValue for #ident {
            const SPEC: ::fcp::__private::ValueSpec = ::fcp::__private::ValueSpec {
                choices: &[#(#choices),*],
                ..::fcp::__private::ValueSpec::new(#name, #doc)
            };

            fn parse(text: &str) -> ::core::result::Result<Self, ::fcp::__private::ValueError> {
                ::fcp::__private::choose(Self::ALL, text)
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(match self {
                    #(Self::#variants => #shown,)*
                })
            }
        }
    }
}

/// Emits a placeholder for an invalid value, so that its absence is not a second error.
pub fn stub(input: &DeriveInput) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &input.ident;
    quote! {
        impl #ident {
            pub const ALL: &'static [Self] = &[];
        }

        impl ::fcp::__private::FcpValue for #ident {
            const SPEC: ::fcp::__private::ValueSpec = ::fcp::__private::ValueSpec::new("", "");

            fn parse(_: &str) -> ::core::result::Result<Self, ::fcp::__private::ValueError> {
                ::core::unreachable!()
            }
        }

        impl ::core::fmt::Display for #ident {
            fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::unreachable!()
            }
        }
    }
}
