//! Emits a kind of row: its shape as data, and one method per question.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::DeriveInput;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::check::Kind;
use super::field::{Field, Holds, Seen, Selector};
use super::methods;
use crate::names::kebab;

/// Emits the trait implementation.
pub fn expand(input: &DeriveInput, kind: &Kind) -> TokenStream {
    let ident = &input.ident;
    let name = &kind.kind;
    let index = kind
        .index
        .as_ref()
        .map_or_else(|| quote!(()), |index| quote!(#index));
    let shape = shape(kind);
    let label = methods::label(kind);
    let parent = methods::parent(kind);
    let field = methods::field(kind);
    let reference = methods::reference(kind);
    let set = methods::set(kind);
    let build = methods::build(kind);
    let select = methods::select(kind);
    let content = methods::content(kind);
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl ::fcp::__private::Entity for #ident {
            type Index = #index;

            const KIND: &'static str = #name;
            // A static: a constant would be copied into each codegen unit.
            const SHAPE: &'static ::fcp::__private::EntityShape = {
                static SHAPE: ::fcp::__private::EntityShape = #shape;
                &SHAPE
            };

            #label
            #parent
            #field
            #reference
            #set
            #build
            #select
            #content
        }
    }
}

fn shape(kind: &Kind) -> TokenStream {
    let Kind {
        kind: name,
        plural,
        doc,
        fields,
        ..
    } = kind;
    let fields = fields.iter().map(field_shape);
    let parent = match kind.parent() {
        Some((_, parent)) => {
            quote_spanned!(parent.span()=> ::core::option::Option::Some(<#parent as ::fcp::__private::Entity>::KIND))
        }
        None => quote!(::core::option::Option::None),
    };
    let labelled = kind.label.is_some() || kind.label().is_some();
    let addable = kind.addable();
    quote! {
        ::fcp::__private::EntityShape {
            kind: #name,
            plural: #plural,
            doc: #doc,
            fields: &[#(#fields),*],
            parent: #parent,
            labelled: #labelled,
            addable: #addable,
            sorts: &[],
        }
    }
}

fn field_shape(field: &Field) -> TokenStream {
    let Field {
        key, aliases, doc, ..
    } = field;
    let (kind, spec) = match (&field.holds, field.seen) {
        (_, Seen::Hidden) => (quote!(Hidden), quote!(::fcp::__private::no_value)),
        (Holds::Refers(kind), _) => (
            quote_spanned!(kind.span()=> Refers(<#kind as ::fcp::__private::Entity>::KIND)),
            quote!(::fcp::__private::reference_spec),
        ),
        (Holds::Value(ty), seen) => (
            if seen == Seen::Shown {
                quote!(ReadOnly)
            } else {
                quote!(Value)
            },
            methods::values(ty, "spec"),
        ),
    };
    let optional = field.may_be_left_out();
    let column = field.ident.unraw().to_string();
    let label = field.label.is_some();
    let content = field.hashed;
    let selector = match field.selector {
        None => quote!(None),
        Some(Selector::Equal) => quote!(Some((#key, ::fcp::__private::SelectorKind::Equal))),
        Some(Selector::Range) => quote!(Some((#key, ::fcp::__private::SelectorKind::Range))),
    };
    let position = match (&field.holds, &field.position) {
        (Holds::Value(ty), Some(_)) => {
            quote_spanned!(ty.span()=> Some(::fcp::__private::Steps::of::<#ty>()))
        }
        _ => quote!(None),
    };
    quote! {
        ::fcp::__private::FieldShape {
            name: #key,
            column: #column,
            aliases: &[#(#aliases),*],
            doc: #doc,
            kind: ::fcp::__private::FieldKind::#kind,
            optional: #optional,
            label: #label,
            selector: ::core::option::Option::#selector,
            content: #content,
            position: ::core::option::Option::#position,
            spec: #spec,
        }
    }
}

/// Emits a placeholder for an invalid kind, so that its absence is not a second error.
pub fn stub(input: &DeriveInput) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let (ident, name) = (&input.ident, kebab(&input.ident));
    quote! {
        impl ::fcp::__private::Entity for #ident {
            type Index = ();

            const KIND: &'static str = #name;
            const SHAPE: &'static ::fcp::__private::EntityShape = &::fcp::__private::EntityShape {
                kind: #name,
                plural: #name,
                doc: "",
                fields: &[],
                parent: ::core::option::Option::None,
                labelled: false,
                addable: false,
                sorts: &[],
            };

            fn label(&self) -> ::core::option::Option<::std::borrow::Cow<'_, str>> {
                ::core::unreachable!()
            }
            fn parent(&self) -> ::core::option::Option<u32> {
                ::core::unreachable!()
            }
            fn field(&self, _: usize) -> ::core::option::Option<::std::string::String> {
                ::core::unreachable!()
            }
            fn reference(&self, _: usize) -> ::core::option::Option<u32> {
                ::core::unreachable!()
            }
            fn set(
                &mut self,
                _: usize,
                _: ::fcp::__private::FieldInput<'_>,
            ) -> ::core::result::Result<(), ::fcp::__private::ValueError> {
                ::core::unreachable!()
            }
            fn build(
                _: &dyn Fn(usize) -> ::core::option::Option<::fcp::__private::FieldInput<'static>>,
            ) -> ::core::result::Result<Self, ::fcp::__private::Build> {
                ::core::unreachable!()
            }
            fn select(
                _: usize,
                _: &str,
            ) -> ::core::result::Result<::fcp::__private::RowTest<Self>, ::fcp::__private::ValueError> {
                ::core::unreachable!()
            }
            fn content(&self, _: &mut dyn ::core::hash::Hasher) {
                ::core::unreachable!()
            }
        }
    }
}
