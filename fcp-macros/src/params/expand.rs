//! Emits a group of parameters: their list, and the code that reads them.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use super::check::Group;
use crate::function::list;
use crate::names::kebab;

/// Emits the trait implementation, for every model that supports the fields' types.
pub fn expand(input: &DeriveInput, group: &Group) -> TokenStream {
    let Group { doc, params, .. } = group;
    let ident = &input.ident;
    let name = kebab(ident).to_uppercase();
    let model = quote!(__Model);
    let binder = list::local("binder");
    let at = list::local("at");
    let names = list::locals(params.len());
    let defaults = params.iter().filter_map(list::default);
    let data = params.iter().map(|param| list::data(param, &model));
    let needs = params.iter().filter(|param| list::can_fail(param));
    let needs = needs.map(|param| {
        let ty = &param.ty;
        quote_spanned!(ty.span()=> #ty: ::fcp::__private::FromArg<#model>)
    });
    let reads = params.iter().zip(&names).enumerate();
    let reads = reads.map(|(ix, (param, name))| {
        let ix = Literal::usize_unsuffixed(ix);
        list::read(param, name, &binder, &quote!(#at + #ix))
    });
    let read: Vec<&Ident> = params
        .iter()
        .zip(&names)
        .filter(|(param, _)| list::can_fail(param))
        .map(|(_, name)| name)
        .collect();
    let fields = params.iter().zip(&names).map(|(param, name)| {
        let (field, value) = (&param.ident, list::value(param, name));
        quote!(#field: #value)
    });
    let list = if group.inline {
        quote!(&[#(#data),*])
    } else {
        quote! {
            &::fcp::__private::grouped(
                ::fcp::__private::Group { name: #name, doc: #doc },
                [#(#data),*],
            )
        }
    };
    quote! {
        const _: () = {
            #(#defaults)*

            #[automatically_derived]
            impl<#model: ::fcp::__private::Domain> ::fcp::__private::Params<#model> for #ident
            where
                #(#needs,)*
            {
                const LIST: &'static [::fcp::__private::Param] = #list;

                fn bind(
                    #binder: &mut ::fcp::__private::Binder<'_, #model>,
                    #at: usize,
                ) -> ::core::option::Option<Self> {
                    #(#reads)*
                    #(let #read = #read?;)*
                    ::core::option::Option::Some(Self { #(#fields),* })
                }
            }
        };
    }
}

/// Emits a placeholder for an invalid group, so that its absence is not a second error.
pub fn stub(input: &DeriveInput) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &input.ident;
    quote! {
        impl<__Model: ::fcp::__private::Domain> ::fcp::__private::Params<__Model> for #ident {
            const LIST: &'static [::fcp::__private::Param] = &[];

            fn bind(
                _: &mut ::fcp::__private::Binder<'_, __Model>,
                _: usize,
            ) -> ::core::option::Option<Self> {
                ::core::unreachable!()
            }
        }
    }
}
