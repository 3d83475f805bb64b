//! Emits a model: its shape as data, its events, and one arm per container.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use super::check::{Model, Part};
use crate::names::key;

/// Emits the trait implementation.
pub fn expand(input: &DeriveInput, model: &Model) -> TokenStream {
    let ident = &input.ident;
    let event = format_ident!("{ident}Event");
    let events = events(input, model);
    let event_traits = event_traits(input, model);
    let default = default(input, model);
    let shape = shape(model);
    let questions = questions(model);
    let changes = changes(model, &quote!(#event));
    let line = line(model);
    let bounds = bounds(model);
    let tables = numbered(model).map(|(ix, part)| table(input, model, ix, part));
    quote! {
        #events
        #event_traits
        #default

        #[automatically_derived]
        #[allow(unused_variables)]
        impl ::fcp::__private::Model for #ident
        #bounds
        {
            type Event = #event;

            const SHAPE: &'static ::fcp::__private::ModelShape = &#shape;

            #questions
            #changes
            #line
        }

        #(#tables)*
    }
}

/// The containers with their indices.
fn numbered(model: &Model) -> impl Iterator<Item = (Literal, &Part)> {
    let parts = model.parts.iter().enumerate();
    parts.map(|(ix, part)| (Literal::usize_unsuffixed(ix), part))
}

/// The required traits of all containers. As a `where` clause they keep an invalid container from
/// causing further errors in emitted code.
fn bounds(model: &Model) -> TokenStream {
    let bounds = model.parts.iter().map(|part| match (&part.row, &part.ty) {
        (Some(row), _) => quote_spanned!(row.span()=> #row: ::fcp::__private::Entity),
        (None, ty) => quote_spanned!(ty.span()=> #ty: ::fcp::__private::Journaled),
    });
    quote!(where #(#bounds,)*)
}

/// `<Table<Note> as Journaled>`, for a path that continues with `::…`.
fn journaled(part: &Part) -> TokenStream {
    let ty = &part.ty;
    quote_spanned!(ty.span()=> <#ty as ::fcp::__private::Journaled>)
}

fn events(input: &DeriveInput, model: &Model) -> TokenStream {
    let (ident, vis) = (&input.ident, &input.vis);
    let event = format_ident!("{ident}Event");
    let doc = format!(" A change of a [`{ident}`].");
    let bounds = bounds(model);
    let variants = model.parts.iter().map(|part| {
        let (variant, name) = (&part.variant, key(&part.ident));
        let doc = format!(" In [`{ident}::{}`].", part.ident);
        let journaled = journaled(part);
        quote! {
            #[doc = #doc]
            #[serde(rename = #name)]
            #variant(#journaled::Change)
        }
    });
    quote! {
        #[doc = #doc]
        #[derive(::fcp::__private::serde::Serialize, ::fcp::__private::serde::Deserialize)]
        #[serde(crate = "::fcp::__private::serde")]
        #vis enum #event
        #bounds
        {
            #(#variants),*
        }
    }
}

/// The code of derives, without a derive's name in errors about an invalid container.
fn event_traits(input: &DeriveInput, model: &Model) -> TokenStream {
    let event = format_ident!("{}Event", input.ident);
    let bounds = bounds(model);
    let clones = model.parts.iter().map(|part| {
        let variant = &part.variant;
        quote!(Self::#variant(change) => Self::#variant(::core::clone::Clone::clone(change)),)
    });
    let debugs = model.parts.iter().map(|part| {
        let (variant, name) = (&part.variant, part.variant.to_string());
        quote!(Self::#variant(change) => f.debug_tuple(#name).field(change).finish(),)
    });
    let equals = model.parts.iter().map(|part| {
        let variant = &part.variant;
        quote!((Self::#variant(one), Self::#variant(other)) => one == other,)
    });
    // A single variant needs no fallback arm.
    let others = (model.parts.len() > 1).then(|| quote!(_ => false,));
    quote! {
        #[automatically_derived]
        impl ::core::clone::Clone for #event
        #bounds
        {
            fn clone(&self) -> Self {
                match self {
                    #(#clones)*
                }
            }
        }

        #[automatically_derived]
        impl ::core::fmt::Debug for #event
        #bounds
        {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    #(#debugs)*
                }
            }
        }

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #event
        #bounds
        {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    #(#equals)*
                    #others
                }
            }
        }
    }
}

fn default(input: &DeriveInput, model: &Model) -> TokenStream {
    let ident = &input.ident;
    let bounds = bounds(model);
    let parts = model.parts.iter().map(|part| {
        let ident = &part.ident;
        let journaled = journaled(part);
        quote!(#ident: #journaled::attach(&ids))
    });
    quote! {
        #[automatically_derived]
        impl ::core::default::Default for #ident
        #bounds
        {
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

/// The read methods of a model.
fn questions(model: &Model) -> TokenStream {
    let ids = model.parts.iter().map(|part| {
        let ident = &part.ident;
        quote!(::fcp::__private::Journaled::ids(&self.#ident))
    });
    let parts = numbered(model).map(|(ix, part)| {
        let ident = &part.ident;
        quote!(#ix => ::core::option::Option::Some(::fcp::__private::Journaled::part(&self.#ident)),)
    });
    let rows = numbered(model).map(|(ix, part)| {
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

/// The methods that drain, reverse and replay changes.
fn changes(model: &Model, event: &TokenStream) -> TokenStream {
    let drains = model.parts.iter().map(|part| {
        let (ident, variant) = (&part.ident, &part.variant);
        quote!(::fcp::__private::Journaled::drain_into(&mut self.#ident, &mut events, #event::#variant);)
    });
    let forgets = model.parts.iter().map(|part| {
        let ident = &part.ident;
        quote!(::fcp::__private::Journaled::forget(&mut self.#ident);)
    });
    let reverses = model.parts.iter().map(|part| {
        let (ident, variant) = (&part.ident, &part.variant);
        quote!(#event::#variant(change) => ::fcp::__private::Journaled::reverse(&mut self.#ident, change),)
    });
    let replays = model.parts.iter().map(|part| {
        let (ident, variant) = (&part.ident, &part.variant);
        quote!(#event::#variant(change) => ::fcp::__private::Journaled::replay(&mut self.#ident, change),)
    });
    let rows = numbered(model).map(|(ix, part)| {
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

        fn forget(&mut self) {
            #(#forgets)*
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
    let arms = numbered(model).filter_map(|(ix, part)| {
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

fn table(input: &DeriveInput, all: &Model, ix: Literal, part: &Part) -> Option<TokenStream> {
    let (model, ident, ty) = (&input.ident, &part.ident, &part.ty);
    let row = part.row.as_ref()?;
    let bounds = bounds(all);
    Some(quote! {
        #[automatically_derived]
        impl ::fcp::__private::HasTable<#row> for #model
        #bounds
        {
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
