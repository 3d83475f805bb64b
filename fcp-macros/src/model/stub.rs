//! A placeholder for an invalid model, so that its absence is not a second error.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::DeriveInput;

use super::check::Model;

/// An implementation whose methods all panic or do nothing.
pub fn stub(input: &DeriveInput, model: Option<&Model>) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &input.ident;
    let mut seen = BTreeSet::new();
    let parts = model.map_or(&[][..], |model| &model.parts);
    let rows = parts.iter().filter_map(|part| part.row.as_ref());
    let tables = rows
        .filter(|row| seen.insert(row.to_token_stream().to_string()))
        .map(|row| {
            quote! {
                impl ::fcp::__private::HasTable<#row> for #ident {
                    const PART: usize = 0;
                    fn table(&self) -> &::fcp::__private::Table<#row> {
                        ::core::unreachable!()
                    }
                    fn table_mut(&mut self) -> &mut ::fcp::__private::Table<#row> {
                        ::core::unreachable!()
                    }
                }
            }
        });
    quote! {
        impl ::core::default::Default for #ident {
            fn default() -> Self {
                ::core::unreachable!()
            }
        }

        impl ::fcp::__private::Model for #ident {
            type Event = ();
            const SHAPE: &'static ::fcp::__private::ModelShape =
                &::fcp::__private::ModelShape { domain: "", title: "", parts: &[] };

            fn ids(&self) -> &::fcp::__private::Ids {
                ::core::unreachable!()
            }
            fn part(&self, _: usize) -> ::core::option::Option<::fcp::__private::Part<'_>> {
                ::core::unreachable!()
            }
            fn rows_mut(&mut self, _: usize) -> ::core::option::Option<&mut dyn ::fcp::__private::AnyTable> {
                ::core::unreachable!()
            }
            fn drain(&mut self) -> ::std::vec::Vec<()> {
                ::core::unreachable!()
            }
            fn forget(&mut self) {}
            fn reverse(&mut self, _: &()) {}
            fn replay(&mut self, _: &()) {}
            fn row_of(_: &()) -> ::core::option::Option<(::fcp::__private::Row, ::fcp::__private::Fate)> {
                ::core::unreachable!()
            }
            fn weight(_: &()) -> usize {
                ::core::unreachable!()
            }
            fn schemas(
                _: &mut ::fcp::__private::schemars::SchemaGenerator,
            ) -> ::std::vec::Vec<(&'static str, ::fcp::__private::schemars::Schema)> {
                ::core::unreachable!()
            }
            fn line(&self, _: ::fcp::__private::Row) -> ::core::option::Option<::std::string::String> {
                ::core::unreachable!()
            }
        }

        #(#tables)*
    }
}
