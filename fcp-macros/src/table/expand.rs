//! Emits a table: one static.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use super::check::Table;
use crate::emitted::option;
use crate::options::Options;

/// Emits the registration of a table.
pub fn expand(function: &ItemFn, table: &Table, options: &Options) -> TokenStream {
    let Table {
        name,
        summary,
        model,
        row,
        ..
    } = table;
    let author = &function.sig.ident;
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (of, read, sink, own) = (local("model"), local("wanted"), local("sink"), local("row"));
    let wanted = table.wanted.then(|| quote!(, #read));
    let entity = options.word("entity").is_some();
    let insert = option(options.text("insert"));
    let [insert_by, insert_all] =
        ["insert_by", "insert_all"].map(|name| option(options.expr(name)));
    let one_of = options
        .text("one_of")
        .map(syn::LitStr::value)
        .unwrap_or_default();
    let removers = [("delete", "remove_row"), ("delete_all", "remove_rows")];
    let [delete, delete_all] = removers.map(|(name, call)| {
        option(options.expr(name).map(|delete| {
            let call = Ident::new(call, delete.span());
            let call = quote_spanned!(delete.span()=> ::fcp::__private::#call::<#model, #row>);
            quote!(|#of, #own| #call(#of, #own, #delete))
        }))
    });
    let columns = quote_spanned!(row.span()=> <#row as ::fcp::__private::TableRow>::COLUMNS);
    let cfgs = function.attrs.iter();
    let cfgs = cfgs.filter(|attr: &&Attribute| attr.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        const _: () = {
            static TABLE: ::fcp::__private::TableDef<#model> = ::fcp::__private::TableDef {
                name: #name,
                summary: #summary,
                columns: #columns,
                entity: #entity,
                part: <#row as ::fcp::__private::TableRow>::PART,
                named: <#row as ::fcp::__private::TableRow>::NAMED,
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
