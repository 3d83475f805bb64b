//! Emits a selector: one static.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use super::check::{Selector, Value};

/// Emits the registration of a selector.
pub fn expand(function: &ItemFn, selector: &Selector) -> TokenStream {
    let Selector {
        name,
        aliases,
        bears_type,
        summary,
        model,
        ..
    } = selector;
    let author = &function.sig.ident;
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (of, arg, scope) = (local("model"), local("arg"), local("scope"));
    let (spec, read, given) = match &selector.value {
        Value::None => (
            quote!(::fcp::__private::no_value),
            quote!(::fcp::__private::without_value(#name, #arg)?;),
            None,
        ),
        Value::One(ty) => {
            let value = local("value");
            (
                quote_spanned!(ty.span()=> <#ty as ::fcp::__private::FromArg<#model>>::spec),
                quote_spanned!(ty.span()=> let #value = ::fcp::__private::with_value::<#model, #ty>(#name, #arg, #scope)?;),
                Some(value),
            )
        }
        Value::Optional(ty) => {
            let value = local("value");
            (
                quote_spanned!(ty.span()=> <#ty as ::fcp::__private::FromArg<#model>>::spec),
                quote_spanned!(ty.span()=> let #value = ::fcp::__private::maybe_value::<#model, #ty>(#arg, #scope)?;),
                Some(value),
            )
        }
    };
    let given = given.map(|value| quote!(, #value));
    let output = function.sig.output.span();
    let pick = quote_spanned!(output=> #author(#of #given));
    let pick = if selector.fallible {
        pick
    } else {
        quote!(::core::result::Result::Ok(#pick))
    };
    let scope = match selector.value {
        Value::None => quote!(_),
        _ => quote!(#scope),
    };
    let cfgs = function
        .attrs
        .iter()
        .filter(|attr: &&Attribute| attr.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        const _: () = {
            static SELECTOR: ::fcp::__private::SelectorDef<#model> = ::fcp::__private::SelectorDef {
                name: #name,
                aliases: &[#(#aliases),*],
                summary: #summary,
                bears_type: #bears_type,
                spec: #spec,
                source: ::fcp::__private::Source { file: ::core::file!(), line: ::core::line!() },
                pick: |#of, #arg, #scope| {
                    #read
                    #pick
                },
            };
            ::fcp::__private::inventory::submit! {
                ::fcp::__private::Registered { item: &SELECTOR, role: ::fcp::__private::Role::Selector }
            }
        };
    }
}
