//! The methods of a kind of row: one arm per field, each a single call into the runtime.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::check::Kind;
use super::field::{Field, Holds, Seen, Selector};

/// The fields with their indices.
fn numbered(kind: &Kind) -> impl Iterator<Item = (Literal, &Field)> {
    let fields = kind.fields.iter().enumerate();
    fields.map(|(ix, field)| (Literal::usize_unsuffixed(ix), field))
}

/// `fn label`.
pub fn label(kind: &Kind) -> TokenStream {
    let label = if let Some(method) = &kind.label {
        quote_spanned!(method.span()=> Self::#method(self))
    } else if let Some(field) = kind.label() {
        let ident = &field.ident;
        quote_spanned!(field.ty.span()=> ::fcp::__private::Label::label(&self.#ident))
    } else {
        quote!(::core::option::Option::None)
    };
    quote! {
        fn label(&self) -> ::core::option::Option<::std::borrow::Cow<'_, str>> {
            #label
        }
    }
}

/// `fn parent`.
pub fn parent(kind: &Kind) -> TokenStream {
    let parent = match kind.parent() {
        Some((field, _)) => number(field),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        fn parent(&self) -> ::core::option::Option<u32> {
            #parent
        }
    }
}

/// The number of the id in a field.
fn number(field: &Field) -> TokenStream {
    let ident = &field.ident;
    if field.option {
        quote!(self.#ident.map(::fcp::__private::Id::number))
    } else {
        quote!(::core::option::Option::Some(self.#ident.number()))
    }
}

/// A member of the runtime's `values` for a type. Errors about the type appear at the field's type.
pub fn values(ty: &Type, what: &str) -> TokenStream {
    let what = Ident::new(what, ty.span());
    quote_spanned!(ty.span()=> ::fcp::__private::values::<#ty>().#what)
}

/// `fn field`.
pub fn field(kind: &Kind) -> TokenStream {
    let arms = numbered(kind).filter_map(|(ix, field)| {
        let ident = &field.ident;
        let Holds::Value(ty) = &field.holds else {
            return None;
        };
        let show = values(ty, "show");
        let text = if field.option {
            quote!(self.#ident.as_ref().map(#show))
        } else {
            quote!(::core::option::Option::Some((#show)(&self.#ident)))
        };
        (field.seen != Seen::Hidden).then(|| quote!(#ix => #text,))
    });
    quote! {
        fn field(&self, ix: usize) -> ::core::option::Option<::std::string::String> {
            match ix {
                #(#arms)*
                _ => ::core::option::Option::None,
            }
        }
    }
}

/// `fn reference`.
pub fn reference(kind: &Kind) -> TokenStream {
    let arms = numbered(kind).filter_map(|(ix, field)| {
        let number = number(field);
        matches!(field.holds, Holds::Refers(_)).then(|| quote!(#ix => #number,))
    });
    quote! {
        fn reference(&self, ix: usize) -> ::core::option::Option<u32> {
            match ix {
                #(#arms)*
                _ => ::core::option::Option::None,
            }
        }
    }
}

/// The runtime's function that reads a field's value.
fn reader(field: &Field) -> TokenStream {
    match (&field.holds, field.option) {
        (Holds::Value(ty), false) => values(ty, "read"),
        (Holds::Value(ty), true) => values(ty, "read_option"),
        (Holds::Refers(_), false) => quote!(::fcp::__private::reference),
        (Holds::Refers(_), true) => quote!(::fcp::__private::optional_reference),
    }
}

/// `fn set`.
pub fn set(kind: &Kind) -> TokenStream {
    let arms = numbered(kind)
        .filter(|(_, field)| field.seen == Seen::Settable)
        .map(|(ix, field)| {
            let (ident, reader) = (&field.ident, reader(field));
            quote!(#ix => {
                self.#ident = (#reader)(input)?;
                ::core::result::Result::Ok(())
            })
        });
    quote! {
        fn set(
            &mut self,
            ix: usize,
            input: ::fcp::__private::FieldInput<'_>,
        ) -> ::core::result::Result<(), ::fcp::__private::ValueError> {
            match ix {
                #(#arms)*
                _ => ::core::result::Result::Err(::fcp::__private::fixed(Self::SHAPE, ix)),
            }
        }
    }
}

/// `fn build`.
pub fn build(kind: &Kind) -> TokenStream {
    let row = if kind.addable() {
        let fields = numbered(kind).map(|(ix, field)| {
            let (ident, reader) = (&field.ident, reader(field));
            let otherwise = match &field.default {
                Some(default) => quote!(#default),
                None => quote!(::core::option::Option::None),
            };
            let value = match (field.seen, field.may_be_left_out()) {
                (Seen::Settable, false) => {
                    quote!(::fcp::__private::given(input(#ix), #ix, #reader)?)
                }
                (Seen::Settable, true) => {
                    quote!(::fcp::__private::given_or(input(#ix), #ix, #reader, || #otherwise)?)
                }
                _ => otherwise,
            };
            quote!(#ident: #value)
        });
        quote!(::core::result::Result::Ok(Self { #(#fields),* }))
    } else {
        quote!(::core::result::Result::Err(
            ::fcp::__private::Build::NotAddable
        ))
    };
    quote! {
        fn build(
            input: &dyn Fn(usize) -> ::core::option::Option<::fcp::__private::FieldInput<'static>>,
        ) -> ::core::result::Result<Self, ::fcp::__private::Build> {
            #row
        }
    }
}

/// `fn select`.
pub fn select(kind: &Kind) -> TokenStream {
    let arms = numbered(kind).filter_map(|(ix, field)| {
        let (ident, selector) = (&field.ident, field.selector?);
        // The runtime compares references itself.
        let Holds::Value(ty) = &field.holds else {
            return None;
        };
        let test = match selector {
            Selector::Equal => quote_spanned!(ty.span()=> ::fcp::__private::equal),
            Selector::Range => quote_spanned!(ty.span()=> ::fcp::__private::range),
        };
        let value = if field.option {
            quote!(row.#ident.as_ref())
        } else {
            quote!(::core::option::Option::Some(&row.#ident))
        };
        Some(quote!(#ix => #test(text, |row: &Self| #value),))
    });
    quote! {
        fn select(
            ix: usize,
            text: &str,
        ) -> ::core::result::Result<::fcp::__private::RowTest<Self>, ::fcp::__private::ValueError> {
            match ix {
                #(#arms)*
                _ => ::core::result::Result::Err(::fcp::__private::no_selector(Self::SHAPE, ix)),
            }
        }
    }
}

/// `fn content`.
pub fn content(kind: &Kind) -> TokenStream {
    let feeds = kind.fields.iter().filter(|field| field.hashed).filter_map(|field| {
        let ident = &field.ident;
        match field.holds {
            Holds::Value(_) => {
                let feed = quote_spanned!(field.ty.span()=> ::fcp::__private::feed(&self.#ident, hasher));
                Some(quote!(#feed;))
            }
            // Ids differ between equal contents; whether there is an id does not.
            Holds::Refers(_) if field.option => {
                Some(quote!(::fcp::__private::feed(&self.#ident.is_some(), hasher);))
            }
            Holds::Refers(_) => None,
        }
    });
    quote! {
        fn content(&self, hasher: &mut dyn ::core::hash::Hasher) {
            #(#feeds)*
        }
    }
}
