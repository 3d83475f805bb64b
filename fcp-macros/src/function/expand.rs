//! Emits a function: one static with a thin function, and the test of its examples.

use std::slice;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::check::Checked;
use super::entry::Entry;
use super::input::Input;
use super::{Role, Run, list};

/// Emits the registration of a function.
pub fn expand(role: &Role, input: &Input, checked: &Checked) -> TokenStream {
    let model = checked.run.model();
    let registered = registered(role, model, &verb(role, input, checked));
    let defaults = checked
        .params
        .iter()
        .filter_map(Entry::one)
        .filter_map(list::default);
    let cfgs = &input.cfgs;
    let test = test(role, input, checked);
    quote! {
        #(#cfgs)*
        const _: () = {
            #(#defaults)*
            #registered
        };
        #test
    }
}

/// The static, and its entry in the registry.
fn registered(role: &Role, model: &Type, verb: &TokenStream) -> TokenStream {
    let variant = format_ident!("{}", role.variant);
    // Errors about the model appear at the model's type.
    let ty = quote_spanned!(model.span()=> ::fcp::__private::Verb<#model>);
    quote! {
        static VERB: #ty = #verb;
        ::fcp::__private::inventory::submit! {
            ::fcp::__private::Registered { item: &VERB, role: ::fcp::__private::Role::#variant }
        }
    }
}

fn verb(role: &Role, input: &Input, checked: &Checked) -> TokenStream {
    let Checked {
        phrase,
        aliases,
        category,
        summary,
        doc,
        ..
    } = checked;
    let params = params(role, checked);
    let examples = checked.examples.iter().map(|example| {
        let (script, line) = (&example.script, Literal::u32_unsuffixed(example.line));
        quote!(::fcp::__private::Example { script: #script, line: #line })
    });
    let deletes = input.options.word("deletes").is_some();
    let infix = input.options.word("infix").is_some();
    let run = run(input, checked);
    quote! {
        ::fcp::__private::Verb {
            phrase: #phrase,
            aliases: &[#(#aliases),*],
            category: #category,
            summary: #summary,
            doc: #doc,
            params: #params,
            examples: &[#(#examples),*],
            source: ::fcp::__private::Source { file: ::core::file!(), line: ::core::line!() },
            deletes: #deletes,
            infix: #infix,
            run: #run,
        }
    }
}

/// The static list of parameters.
fn params(role: &Role, checked: &Checked) -> TokenStream {
    let model = checked.run.model();
    let own = |params: &[Entry]| {
        let model = model.to_token_stream();
        let params = params.iter().filter_map(Entry::one);
        let params = params.map(|param| list::data(param, &model));
        quote!(&[#(#params),*])
    };
    let is_group = |entry: &Entry| entry.one().is_none();
    let Some(first) = checked.params.iter().position(is_group) else {
        return own(&checked.params);
    };
    // From the first group on, each entry has its own list, so that its errors appear at its span.
    let (before, behind) = checked.params.split_at(first);
    let before = own(before);
    let lists = behind.iter().map(|entry| match entry {
        Entry::One(_) => own(slice::from_ref(entry)),
        Entry::Group(ty) => {
            let params = group(ty, model);
            quote_spanned!(ty.span()=> #params::LIST)
        }
    });
    let reserved = role.reserved;
    let checks = behind.iter().zip(1_usize..).map(|(entry, nth)| {
        let nth = Literal::usize_unsuffixed(nth);
        quote_spanned! {entry.span()=>
            const _: () = ::fcp::__private::agree(LISTS, #nth, &[#(#reserved),*]);
        }
    });
    quote! {
        {
            const LISTS: &[&[::fcp::__private::Param]] = &[#before, #(#lists),*];
            #(#checks)*
            const ALL: [::fcp::__private::Param; ::fcp::__private::count(LISTS)] =
                ::fcp::__private::join(LISTS);
            &ALL
        }
    }
}

/// A group's implementation of `Params` for the model.
fn group(ty: &Type, model: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> <#ty as ::fcp::__private::Params<#model>>)
}

/// Counts the indices of parameters in the verb's list.
#[derive(Default)]
struct Places {
    own: usize,
    groups: TokenStream,
}

impl Places {
    /// The index of this entry.
    fn next(&mut self, entry: &Entry, model: &Type) -> TokenStream {
        let (own, groups) = (Literal::usize_unsuffixed(self.own), &self.groups);
        let at = quote!(#own #groups);
        match entry {
            Entry::One(_) => self.own += 1,
            Entry::Group(ty) => {
                let params = group(ty, model);
                self.groups.extend(quote!(+ #params::LIST.len()));
            }
        }
        at
    }
}

/// The function that binds the words to the parameters and calls the author's function.
fn run(input: &Input, checked: &Checked) -> TokenStream {
    let (model, call) = (list::local("model"), list::local("call"));
    let binder = list::local("binder");
    let model_type = checked.run.model();
    let author = &input.item.sig.ident;
    let names = list::locals(checked.params.len());
    let looked_at = match checked.run {
        Run::Edit(_) => quote!(&*#model),
        _ => quote!(#model),
    };
    let mut places = Places::default();
    let mut reads = Vec::new();
    let mut read = Vec::new();
    let mut given = Vec::new();
    for (entry, name) in checked.params.iter().zip(&names) {
        let at = places.next(entry, model_type);
        match entry {
            Entry::One(param) => {
                reads.push(list::read(param, name, &binder, &at));
                given.push(list::value(param, name));
                if list::can_fail(param) {
                    read.push(name);
                }
            }
            Entry::Group(ty) => {
                let params = group(ty, model_type);
                reads.push(
                    quote_spanned!(ty.span()=> let #name = #params::bind(&mut #binder, #at);),
                );
                given.push(name.to_token_stream());
                read.push(name);
            }
        }
    }
    let bound = if read.is_empty() {
        quote!(true = #binder.is_sound())
    } else {
        quote! {
            (#(::core::option::Option::Some(#read),)* true) = (#(#read,)* #binder.is_sound())
        }
    };
    let first = checked.run.takes_model().then(|| quote!(#model,));
    let output = input.item.sig.output.span();
    let answer = quote_spanned!(output=> #author(#first #(#given),*));
    let (variant, answer) = match &checked.run {
        Run::Edit(_) => ("Edit", answer),
        Run::Ask(_) => (
            "Ask",
            quote_spanned!(output=> ::fcp::__private::listing(#answer)),
        ),
        Run::Make(_) => ("Make", answer),
        Run::Export(_) => (
            "Export",
            quote_spanned!(output=> ::fcp::__private::exported(#answer)),
        ),
    };
    let variant = Ident::new(variant, checked.run.model().span());
    let mutable = (!read.is_empty()).then(|| quote!(mut));
    let place = checked.run.model().span();
    let run = quote_spanned!(place=> ::fcp::__private::Run::#variant);
    let new = quote_spanned!(place=> ::fcp::__private::Binder::new(#looked_at, #call));
    let error = quote_spanned!(place=> #binder.error());
    quote! {
        #run(|#model, #call| {
            let #mutable #binder = #new;
            #(#reads)*
            let #bound else {
                return ::core::result::Result::Err(#error);
            };
            #answer
        })
    }
}

/// The test that runs the examples.
fn test(role: &Role, input: &Input, checked: &Checked) -> Option<TokenStream> {
    if checked.examples.is_empty() {
        return None;
    }
    let name = format_ident!(
        "{}_examples",
        input.item.sig.ident.unraw(),
        span = Span::call_site()
    );
    let variant = format_ident!("{}", role.variant);
    let (model, phrase, cfgs) = (checked.run.model(), &checked.phrase, &input.cfgs);
    Some(quote! {
        #(#cfgs)*
        #[cfg(test)]
        #[test]
        fn #name() {
            ::fcp::testing::examples::<#model>(::fcp::__private::Role::#variant, #phrase);
        }
    })
}
