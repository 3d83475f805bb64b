//! Emits a warning: one static.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use super::check::{Lint, Sight};

/// Emits the registration of a warning.
pub fn expand(function: &ItemFn, lint: &Lint) -> TokenStream {
    let Lint {
        code,
        summary,
        model,
        ..
    } = lint;
    let weight = Literal::i32_unsuffixed(lint.weight);
    let check = check(function, lint);
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
                source: ::fcp::__private::Source { file: ::core::file!(), line: ::core::line!() },
                check: #check,
            };
            ::fcp::__private::inventory::submit! {
                ::fcp::__private::Registered { item: &LINT, role: ::fcp::__private::Role::Lint }
            }
        };
    }
}

/// Emits its check.
fn check(function: &ItemFn, lint: &Lint) -> TokenStream {
    let (model, author) = (&lint.model, &function.sig.ident);
    let row = match &lint.sight {
        Sight::Row(row) => row,
        Sight::Rows => return quote!(::fcp::__private::Check::Rows(#author)),
        Sight::Op => return quote!(::fcp::__private::Check::Op(#author)),
    };
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (of, id) = (local("model"), local("id"));
    let part = quote_spanned!(row.span()=> <#model as ::fcp::__private::HasTable<#row>>::PART);
    let look = quote_spanned!(row.span()=> ::fcp::__private::check::<#model, #row>);
    quote! {
        ::fcp::__private::Check::Row {
            part: #part,
            look: |#of, #id| #look(#of, #id, #author),
        }
    }
}
