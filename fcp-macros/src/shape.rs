//! The fields of a struct and the variants of an enum, for derives.

use syn::punctuated::Punctuated;
use syn::{Data, DeriveInput, Field, Fields, Token, Variant};

use crate::errors::Errors;

/// The named fields of a struct. Reports an error for another item or a generic struct.
pub fn fields<'a>(
    input: &'a DeriveInput,
    noun: &str,
    legal: &str,
    errors: &Errors,
) -> Option<&'a Punctuated<Field, Token![,]>> {
    concrete(input, noun, legal, errors);
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(&fields.named),
            Fields::Unnamed(fields) => {
                errors.at(fields, format!("{noun} has named fields: `{legal}`"));
                None
            }
            Fields::Unit => {
                errors.at(&input.ident, format!("{noun} has named fields: `{legal}`"));
                None
            }
        },
        Data::Enum(data) => {
            errors.at(
                data.enum_token,
                format!("{noun} is a struct with named fields: `{legal}`"),
            );
            None
        }
        Data::Union(data) => {
            errors.at(
                data.union_token,
                format!("{noun} is a struct with named fields: `{legal}`"),
            );
            None
        }
    }
}

/// The variants of an enum. Reports an error for another item or a generic enum.
pub fn variants<'a>(
    input: &'a DeriveInput,
    noun: &str,
    legal: &str,
    errors: &Errors,
) -> Option<&'a Punctuated<Variant, Token![,]>> {
    concrete(input, noun, legal, errors);
    match &input.data {
        Data::Enum(data) => Some(&data.variants),
        Data::Struct(data) => {
            errors.at(
                data.struct_token,
                format!("{noun} is an enum of words: `{legal}`; a struct writes `impl FcpValue`"),
            );
            None
        }
        Data::Union(data) => {
            errors.at(
                data.union_token,
                format!("{noun} is an enum of words: `{legal}`"),
            );
            None
        }
    }
}

fn concrete(input: &DeriveInput, noun: &str, legal: &str, errors: &Errors) {
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics.params,
            format!("{noun} is not generic: `{legal}`"),
        );
    } else if let Some(clause) = &input.generics.where_clause {
        errors.at(clause, format!("{noun} is not generic: `{legal}`"));
    }
}
