//! Emits a table: one static.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use super::check::Table;

/// Emits the registration of a table.
pub fn expand(function: &ItemFn, table: &Table) -> TokenStream {
    let Table {
        name,
        summary,
        model,
        row,
        entity,
        ..
    } = table;
    let author = &function.sig.ident;
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (of, read, sink, own) = (local("model"), local("wanted"), local("sink"), local("row"));
    let wanted = table.wanted.then(|| quote!(, #read));
    let insert = match &table.insert {
        Some(op) => quote!(::core::option::Option::Some(#op)),
        None => quote!(::core::option::Option::None),
    };
    let one_of = table.one_of.as_deref().unwrap_or_default();
    let delete = match &table.delete {
        Some(delete) => {
            let call = quote_spanned!(delete.span()=> ::fcp::__private::remove_row::<#model, #row>);
            quote!(::core::option::Option::Some(|#of, #own| #call(#of, #own, #delete)))
        }
        None => quote!(::core::option::Option::None),
    };
    let delete_all = match &table.delete_all {
        Some(delete) => {
            let call =
                quote_spanned!(delete.span()=> ::fcp::__private::remove_rows::<#model, #row>);
            quote!(::core::option::Option::Some(|#of, #own| #call(#of, #own, #delete)))
        }
        None => quote!(::core::option::Option::None),
    };
    let insert_by = match &table.insert_by {
        Some(words) => quote!(::core::option::Option::Some(#words)),
        None => quote!(::core::option::Option::None),
    };
    let insert_all = match &table.insert_all {
        Some(insert) => quote!(::core::option::Option::Some(#insert)),
        None => quote!(::core::option::Option::None),
    };
    let columns = quote_spanned!(row.span()=> <#row as ::fcp::__private::TableRow>::COLUMNS);
    let cfgs = function
        .attrs
        .iter()
        .filter(|attr: &&Attribute| attr.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        const _: () = {
            static TABLE: ::fcp::__private::TableDef<#model> = ::fcp::__private::TableDef {
                name: #name,
                summary: #summary,
                columns: #columns,
                entity: #entity,
                part: <#row as ::fcp::__private::TableRow>::PART,
                rows: |#of, #read, #sink| ::fcp::__private::pour(#author(#of #wanted), #sink),
                insert: #insert,
                insert_by: #insert_by,
                one_of: #one_of,
                delete: #delete,
                delete_all: #delete_all,
                insert_all: #insert_all,
                file: ::core::file!(),
                line: ::core::line!(),
            };
            ::fcp::__private::inventory::submit! {
                ::fcp::__private::Registered { item: &TABLE, role: ::fcp::__private::Role::Table }
            }
        };
    }
}
