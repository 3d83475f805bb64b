//! Emits a row of a table: its columns as data, and two methods.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Type};

use super::check::{About, Column, Row, Set};
use crate::emitted::option;

/// Emits the trait implementation.
pub fn expand(input: &DeriveInput, row: &Row) -> TokenStream {
    let (ident, model) = (&input.ident, &row.model);
    let columns = row.columns.iter().map(|own| column(own, row));
    let (part, named) = (part(row), row.row.is_some());
    let about = about(row);
    let cells = row.columns.iter().enumerate().map(|(ix, own)| {
        let (ix, ident) = (Literal::usize_unsuffixed(ix), &own.ident);
        quote_spanned!(own.ty.span()=> #ix => ::fcp::__private::ColumnValue::cell(&self.#ident),)
    });
    quote! {
        #[automatically_derived]
        impl ::fcp::__private::TableRow for #ident {
            type Model = #model;

            const COLUMNS: &'static [::fcp::__private::Column<#model>] = &[#(#columns),*];
            const PART: ::core::option::Option<usize> = #part;
            const NAMED: bool = #named;

            fn row(&self) -> ::core::option::Option<::fcp::__private::Row> {
                #about
            }

            fn cell(&self, ix: usize) -> ::fcp::__private::Cell {
                match ix {
                    #(#cells)*
                    _ => ::fcp::__private::Cell::Null,
                }
            }
        }
    }
}

fn column(column: &Column, row: &Row) -> TokenStream {
    let Column {
        name,
        ty,
        doc,
        shows,
        ..
    } = column;
    let model = &row.model;
    let set = option(column.set.as_ref().map(|set| match set {
        Set::Key(key) => quote!(::fcp::__private::Set::Key(#key)),
        Set::Own(function) => {
            let call =
                quote_spanned!(function.span()=> ::fcp::__private::set_column::<#model, Self, _>);
            quote!(::fcp::__private::Set::Own(
                |model, row, cell| #call(model, row, cell, #function)
            ))
        }
        Set::All(function) => {
            let call =
                quote_spanned!(function.span()=> ::fcp::__private::set_columns::<#model, Self, _>);
            quote!(::fcp::__private::Set::All(|model, rows| #call(model, rows, #function)))
        }
    }));
    let by = option(column.by.as_ref());
    let sql = quote_spanned!(ty.span()=> <#ty as ::fcp::__private::ColumnValue>::SQL);
    quote! {
        ::fcp::__private::Column {
            name: #name,
            doc: #doc,
            sql: #sql,
            set: #set,
            by: #by,
            shows: &[#(#shows),*],
        }
    }
}

/// The part of the model that the rows refer to.
fn part(row: &Row) -> TokenStream {
    let kind = row.row.as_ref().and_then(|about| about.kind.as_ref());
    match kind {
        Some(kind) => {
            let part = part_of(row, kind);
            quote_spanned!(kind.span()=> ::core::option::Option::Some(#part))
        }
        None => option(row.part.as_ref()),
    }
}

fn part_of(row: &Row, kind: &Type) -> TokenStream {
    let model = &row.model;
    quote_spanned!(kind.span()=> <#model as ::fcp::__private::HasTable<#kind>>::PART)
}

/// The row of the model that a row refers to.
fn about(row: &Row) -> TokenStream {
    let Some(About {
        option: is_option,
        kind,
    }) = &row.row
    else {
        return option(None::<TokenStream>);
    };
    let made = |id: TokenStream| match kind {
        None => id,
        Some(kind) => {
            let part = part_of(row, kind);
            quote!(::fcp::__private::Row::new(#part, #id.number()))
        }
    };
    match (is_option, kind) {
        (false, _) => option(Some(made(quote!(self.row)))),
        (true, None) => quote!(self.row),
        (true, Some(_)) => {
            let made = made(quote!(id));
            quote!(self.row.map(|id| #made))
        }
    }
}
