//! What is emitted for a model: its shape as data, its events, and one arm for each container.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use super::check::{Model, Part};
use crate::names::key;

/// The model's implementation.
pub fn expand(input: &DeriveInput, model: &Model) -> TokenStream {
    let ident = &input.ident;
    let event = format_ident!("{ident}Event");
    let events = events(input, model);
    let default = default(input, model);
    let shape = shape(model);
    let questions = questions(model);
    let changes = changes(model, &quote!(#event));
    let line = line(model);
    let tables = model
        .parts
        .iter()
        .enumerate()
        .map(|(ix, part)| table(input, ix, part));
    quote! {
        #events
        #default

        #[automatically_derived]
        #[allow(unused_variables)]
        impl ::fcp::__private::Model for #ident {
            type Event = #event;

            const SHAPE: &'static ::fcp::__private::ModelShape = &#shape;

            #questions
            #changes
            #line
        }

        #(#tables)*
    }
}

/// `<Table<Note> as Journaled>`, to be followed by `::…`.
fn journaled(part: &Part) -> TokenStream {
    let ty = &part.ty;
    quote_spanned!(ty.span()=> <#ty as ::fcp::__private::Journaled>)
}

fn events(input: &DeriveInput, model: &Model) -> TokenStream {
    let (ident, vis) = (&input.ident, &input.vis);
    let event = format_ident!("{ident}Event");
    let doc = format!("A change of a [`{ident}`].");
    let variants = model.parts.iter().map(|part| {
        let (variant, name) = (&part.variant, key(&part.ident));
        let doc = format!("In [`{ident}::{}`].", part.ident);
        let journaled = journaled(part);
        quote! {
            #[doc = #doc]
            #[serde(rename = #name)]
            #variant(#journaled::Change)
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(
            ::core::clone::Clone,
            ::core::fmt::Debug,
            ::core::cmp::PartialEq,
            ::fcp::__private::serde::Serialize,
            ::fcp::__private::serde::Deserialize,
        )]
        #[serde(crate = "::fcp::__private::serde")]
        #vis enum #event {
            #(#variants),*
        }
    }
}

fn default(input: &DeriveInput, model: &Model) -> TokenStream {
    let ident = &input.ident;
    let parts = model.parts.iter().map(|part| {
        let ident = &part.ident;
        let journaled = journaled(part);
        quote!(#ident: #journaled::attach(&ids))
    });
    quote! {
        #[automatically_derived]
        impl ::core::default::Default for #ident {
            fn default() -> Self {
                let ids = ::fcp::__private::Ids::default();
                Self { #(#parts),* }
            }
        }
    }
}

fn shape(model: &Model) -> TokenStream {
    let Model {
        domain,
        title,
        parts,
    } = model;
    let parts = parts.iter().map(|part| {
        let (name, view, universe) = (key(&part.ident), part.view, part.universe);
        let hidden = part.hidden;
        let journaled = journaled(part);
        let count = match &part.count {
            Some(count) => quote!(Some(#count)),
            None => quote!(None),
        };
        quote! {
            ::fcp::__private::PartShape {
                name: #name,
                count: ::core::option::Option::#count,
                view: #view,
                hidden: #hidden,
                universe: #universe,
                shape: #journaled::SHAPE,
            }
        }
    });
    quote! {
        ::fcp::__private::ModelShape { domain: #domain, title: #title, parts: &[#(#parts),*] }
    }
}

/// What a model is asked.
fn questions(model: &Model) -> TokenStream {
    let ids = model.parts.iter().map(|part| {
        let ident = &part.ident;
        quote!(::fcp::__private::Journaled::ids(&self.#ident))
    });
    let parts = model.parts.iter().enumerate().map(|(ix, part)| {
        let ident = &part.ident;
        quote!(#ix => ::core::option::Option::Some(::fcp::__private::Journaled::part(&self.#ident)),)
    });
    let rows = model.parts.iter().enumerate().map(|(ix, part)| {
        let ident = &part.ident;
        quote!(#ix => ::fcp::__private::Journaled::rows_mut(&mut self.#ident),)
    });
    let schemas = model.parts.iter().map(|part| {
        let name = key(&part.ident);
        let journaled = journaled(part);
        quote!((#name, #journaled::schema(generator)))
    });
    quote! {
        fn ids(&self) -> &::fcp::__private::Ids {
            ::fcp::__private::ids(&[#(#ids),*])
        }

        fn part(&self, ix: usize) -> ::core::option::Option<::fcp::__private::Part<'_>> {
            match ix {
                #(#parts)*
                _ => ::core::option::Option::None,
            }
        }

        fn rows_mut(&mut self, ix: usize) -> ::core::option::Option<&mut dyn ::fcp::__private::AnyTable> {
            match ix {
                #(#rows)*
                _ => ::core::option::Option::None,
            }
        }

        fn schemas(
            generator: &mut ::fcp::__private::schemars::SchemaGenerator,
        ) -> ::std::vec::Vec<(&'static str, ::fcp::__private::schemars::Schema)> {
            ::std::vec![#(#schemas),*]
        }
    }
}

/// What happens to a model.
fn changes(model: &Model, event: &TokenStream) -> TokenStream {
    let drains = model.parts.iter().map(|part| {
        let (ident, variant) = (&part.ident, &part.variant);
        quote!(events.extend(::fcp::__private::Journaled::drain(&mut self.#ident).into_iter().map(#event::#variant));)
    });
    let reverses = model.parts.iter().map(|part| {
        let (ident, variant) = (&part.ident, &part.variant);
        quote!(#event::#variant(change) => ::fcp::__private::Journaled::reverse(&mut self.#ident, change),)
    });
    let replays = model.parts.iter().map(|part| {
        let (ident, variant) = (&part.ident, &part.variant);
        quote!(#event::#variant(change) => ::fcp::__private::Journaled::replay(&mut self.#ident, change),)
    });
    let rows = model.parts.iter().enumerate().map(|(ix, part)| {
        let variant = &part.variant;
        let journaled = journaled(part);
        quote!(#event::#variant(change) => ::fcp::__private::row_of(#ix, #journaled::row_of(change)),)
    });
    let weights = model.parts.iter().map(|part| {
        let variant = &part.variant;
        let journaled = journaled(part);
        quote!(#event::#variant(change) => #journaled::weight(change),)
    });
    quote! {
        fn drain(&mut self) -> ::std::vec::Vec<#event> {
            let mut events = ::std::vec::Vec::new();
            #(#drains)*
            events
        }

        fn reverse(&mut self, event: &#event) {
            match event {
                #(#reverses)*
            }
        }

        fn replay(&mut self, event: &#event) {
            match event {
                #(#replays)*
            }
        }

        fn row_of(
            event: &#event,
        ) -> ::core::option::Option<(::fcp::__private::Row, ::fcp::__private::Fate)> {
            match event {
                #(#rows)*
            }
        }

        fn weight(event: &#event) -> usize {
            match event {
                #(#weights)*
            }
        }
    }
}

fn line(model: &Model) -> TokenStream {
    let arms = model.parts.iter().enumerate().filter_map(|(ix, part)| {
        let (line, kind) = (part.line.as_ref()?, part.row.as_ref()?);
        let shown =
            quote_spanned!(line.span()=> ::fcp::__private::line::<Self, #kind>(self, row, #line));
        Some(quote!(#ix => #shown,))
    });
    quote! {
        fn line(&self, row: ::fcp::__private::Row) -> ::core::option::Option<::std::string::String> {
            match row.part() {
                #(#arms)*
                _ => ::core::option::Option::None,
            }
        }
    }
}

fn table(input: &DeriveInput, ix: usize, part: &Part) -> Option<TokenStream> {
    let (model, ident, ty) = (&input.ident, &part.ident, &part.ty);
    let row = part.row.as_ref()?;
    Some(quote! {
        #[automatically_derived]
        impl ::fcp::__private::HasTable<#row> for #model {
            const PART: usize = #ix;

            fn table(&self) -> &#ty {
                &self.#ident
            }

            fn table_mut(&mut self) -> &mut #ty {
                &mut self.#ident
            }
        }
    })
}
