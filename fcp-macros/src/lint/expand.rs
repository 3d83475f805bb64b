//! What is emitted for a warning: one static.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use super::check::Lint;

/// What registers a warning.
pub fn expand(function: &ItemFn, lint: &Lint) -> TokenStream {
    let Lint {
        code,
        summary,
        model,
        row,
        ..
    } = lint;
    let weight = Literal::i32_unsuffixed(lint.weight);
    let author = &function.sig.ident;
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (of, id) = (local("model"), local("id"));
    let part = quote_spanned!(row.span()=> <#model as ::fcp::__private::HasTable<#row>>::PART);
    let check = quote_spanned!(row.span()=> ::fcp::__private::check::<#model, #row>);
    let cfgs = function
        .attrs
        .iter()
        .filter(|attr: &&Attribute| attr.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        const _: () = {
            static LINT: ::fcp::__private::Lint<#model> = ::fcp::__private::Lint {
                code: #code,
                summary: #summary,
                weight: #weight,
                part: #part,
                source: ::fcp::__private::Source { file: ::core::file!(), line: ::core::line!() },
                check: |#of, #id| #check(#of, #id, #author),
            };
            ::fcp::__private::inventory::submit! {
                ::fcp::__private::Registered { item: &LINT, role: ::fcp::__private::Role::Lint }
            }
        };
    }
}
