//! What is emitted: one static, whose function is thin, and the test of its examples.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::check::Checked;
use super::input::Input;
use super::param::{Holds, Param, Place};
use super::{Role, Run};

/// What registers a function.
pub fn expand(role: &Role, input: &Input, checked: &Checked) -> TokenStream {
    let model = checked.run.model();
    let registered = registered(role, model, &verb(input, checked));
    let defaults = checked.params.iter().filter_map(default);
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
    // What is wrong with the model is told at the model.
    let ty = quote_spanned!(model.span()=> ::fcp::__private::Verb<#model>);
    quote! {
        static VERB: #ty = #verb;
        ::fcp::__private::inventory::submit! {
            ::fcp::__private::Registered { item: &VERB, role: ::fcp::__private::Role::#variant }
        }
    }
}

fn verb(input: &Input, checked: &Checked) -> TokenStream {
    let Checked {
        phrase,
        aliases,
        category,
        summary,
        doc,
        ..
    } = checked;
    let model = checked.run.model();
    let params = checked.params.iter().map(|param| param_data(param, model));
    let examples = checked.examples.iter().map(|example| {
        let (script, line) = (&example.script, Literal::u32_unsuffixed(example.line));
        quote!(::fcp::__private::Example { script: #script, line: #line })
    });
    let deletes = input.options.word("deletes").is_some();
    let run = run(input, checked);
    quote! {
        ::fcp::__private::Verb {
            phrase: #phrase,
            aliases: &[#(#aliases),*],
            category: #category,
            summary: #summary,
            doc: #doc,
            params: &[#(#params),*],
            examples: &[#(#examples),*],
            source: ::fcp::__private::Source { file: ::core::file!(), line: ::core::line!() },
            deletes: #deletes,
            run: #run,
        }
    }
}

fn param_data(param: &Param, model: &Type) -> TokenStream {
    let Param {
        name,
        aliases,
        ty,
        doc,
        ..
    } = param;
    let place = match &param.place {
        Place::Key => quote!(Key),
        Place::Word(None) => quote!(Word(::core::option::Option::None)),
        Place::Word(Some(key)) => quote!(Word(::core::option::Option::Some(#key))),
        Place::Rest => quote!(Rest),
        Place::Flag => quote!(Flag),
    };
    let required = param.required();
    let many = param.holds == Holds::Many;
    let (takes, spec) = if param.holds == Holds::Flag {
        (
            quote!(::fcp::__private::Takes::Value),
            quote!(::fcp::__private::no_value),
        )
    } else {
        (
            quote_spanned!(ty.span()=> <#ty as ::fcp::__private::FromArg<#model>>::TAKES),
            quote_spanned!(ty.span()=> <#ty as ::fcp::__private::FromArg<#model>>::spec),
        )
    };
    let default = match &param.default {
        None => quote!(::core::option::Option::None),
        Some(_) => {
            let default = default_name(param);
            quote!(::core::option::Option::Some(|| ::std::string::ToString::to_string(&#default())))
        }
    };
    quote! {
        ::fcp::__private::Param {
            name: #name,
            aliases: &[#(#aliases),*],
            place: ::fcp::__private::Place::#place,
            takes: #takes,
            required: #required,
            many: #many,
            default: #default,
            doc: #doc,
            spec: #spec,
        }
    }
}

/// The function that makes a default. The underscores keep it apart from the author's own functions.
fn default_name(param: &Param) -> Ident {
    format_ident!(
        "__default_{}",
        param.ident.unraw(),
        span = Span::call_site()
    )
}

fn default(param: &Param) -> Option<TokenStream> {
    let value = param.default.as_ref()?;
    let (name, ty) = (default_name(param), &param.ty);
    Some(quote! {
        fn #name() -> #ty {
            #value
        }
    })
}

/// The names of the emitted function's own variables, which no name of the author's can mean.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The function: it binds the words to the parameters and calls the author's.
fn run(input: &Input, checked: &Checked) -> TokenStream {
    let (model, call) = (local("model"), local("call"));
    let binder = local("binder");
    let author = &input.item.sig.ident;
    let names: Vec<Ident> = (0..checked.params.len())
        .map(|ix| format_ident!("a{ix}", span = Span::mixed_site()))
        .collect();
    let looked_at = match checked.run {
        Run::Edit(_) => quote!(&*#model),
        _ => quote!(#model),
    };
    let reads = checked
        .params
        .iter()
        .zip(&names)
        .enumerate()
        .map(|(ix, (param, name))| {
            let ty = &param.ty;
            let ix = Literal::usize_unsuffixed(ix);
            match param.holds {
                Holds::Flag => quote!(let #name = #binder.flag(#ix);),
                Holds::Many => quote_spanned!(ty.span()=> let #name = #binder.many::<#ty>(#ix);),
                Holds::One if param.default.is_none() => {
                    quote_spanned!(ty.span()=> let #name = #binder.required::<#ty>(#ix);)
                }
                Holds::One | Holds::Optional => {
                    quote_spanned!(ty.span()=> let #name = #binder.optional::<#ty>(#ix);)
                }
            }
        });
    let read: Vec<&Ident> = checked
        .params
        .iter()
        .zip(&names)
        .filter(|(param, _)| param.holds != Holds::Flag)
        .map(|(_, name)| name)
        .collect();
    let bound = if read.is_empty() {
        quote!(true = #binder.is_sound())
    } else {
        quote! {
            (#(::core::option::Option::Some(#read),)* true) = (#(#read,)* #binder.is_sound())
        }
    };
    let given = checked
        .params
        .iter()
        .zip(&names)
        .map(|(param, name)| match &param.default {
            Some(_) => {
                let default = default_name(param);
                quote!(#name.unwrap_or_else(#default))
            }
            None => name.to_token_stream(),
        });
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
        Run::Export(_) => ("Export", answer),
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
