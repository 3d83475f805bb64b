//! Emits a row of a table: its columns as data, and two methods.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use super::check::{About, Column, Row, Set};

/// Emits the trait implementation.
pub fn expand(input: &DeriveInput, row: &Row) -> TokenStream {
    let (ident, model) = (&input.ident, &row.model);
    let columns = row.columns.iter().map(|own| column(own, row));
    let part = part(row);
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
    let set = match &column.set {
        None => quote!(::core::option::Option::None),
        Some(Set::Key(key)) => {
            quote!(::core::option::Option::Some(::fcp::__private::Set::Key(#key)))
        }
        Some(Set::Own(function)) => {
            let call =
                quote_spanned!(function.span()=> ::fcp::__private::set_column::<#model, Self, _>);
            quote!(::core::option::Option::Some(::fcp::__private::Set::Own(
                |model, row, cell| #call(model, row, cell, #function)
            )))
        }
        Some(Set::All(function)) => {
            let call =
                quote_spanned!(function.span()=> ::fcp::__private::set_columns::<#model, Self, _>);
            quote!(::core::option::Option::Some(::fcp::__private::Set::All(
                |model, rows| #call(model, rows, #function)
            )))
        }
    };
    let by = match &column.by {
        Some(op) => quote!(::core::option::Option::Some(#op)),
        None => quote!(::core::option::Option::None),
    };
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
    let model = &row.model;
    match &row.row {
        Some(About {
            kind: Some(kind), ..
        }) => quote_spanned! {kind.span()=>
            ::core::option::Option::Some(<#model as ::fcp::__private::HasTable<#kind>>::PART)
        },
        _ => match &row.part {
            Some(part) => quote!(::core::option::Option::Some(#part)),
            None => quote!(::core::option::Option::None),
        },
    }
}

/// The row of the model that a row refers to.
fn about(row: &Row) -> TokenStream {
    let model = &row.model;
    match &row.row {
        None => quote!(::core::option::Option::None),
        Some(About {
            option: true,
            kind: None,
        }) => quote!(self.row),
        Some(About {
            option: false,
            kind: None,
        }) => quote!(::core::option::Option::Some(self.row)),
        Some(About {
            option,
            kind: Some(kind),
        }) => {
            let part =
                quote_spanned!(kind.span()=> <#model as ::fcp::__private::HasTable<#kind>>::PART);
            match option {
                true => quote!(self.row.map(|id| ::fcp::__private::Row::new(#part, id.number()))),
                false => quote! {
                    ::core::option::Option::Some(::fcp::__private::Row::new(#part, self.row.number()))
                },
            }
        }
    }
}
