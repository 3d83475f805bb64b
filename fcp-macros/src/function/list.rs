//! Parameters as data, and the code that reads them, for functions and groups alike.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::param::{Holds, Param, Place};

/// The entry of a parameter in the static list.
pub fn data(param: &Param, model: &TokenStream) -> TokenStream {
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
        Place::Keys => quote!(Fields),
    };
    let required = param.required();
    let many = matches!(param.holds, Holds::Many | Holds::Keys);
    let (takes, spec) = if matches!(param.holds, Holds::Flag | Holds::Keys) {
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
            group: ::core::option::Option::None,
        }
    }
}

/// The name of the function that makes a default. Its underscores avoid the author's names.
fn default_name(param: &Param) -> Ident {
    format_ident!(
        "__default_{}",
        param.ident.unraw(),
        span = Span::call_site()
    )
}

/// The function that makes a default, if the parameter has one.
pub fn default(param: &Param) -> Option<TokenStream> {
    let value = param.default.as_ref()?;
    let (name, ty) = (default_name(param), &param.ty);
    Some(quote! {
        fn #name() -> #ty {
            #value
        }
    })
}

/// Binds `name` to a parameter's value in the op. `ix` is its index in the verb's list.
pub fn read(param: &Param, name: &Ident, binder: &Ident, ix: &TokenStream) -> TokenStream {
    let ty = &param.ty;
    match param.holds {
        Holds::Flag => quote!(let #name = #binder.flag(#ix);),
        Holds::Keys => quote_spanned!(ty.span()=> let #name: #ty = #binder.others(#ix);),
        Holds::Many => quote_spanned!(ty.span()=> let #name = #binder.many::<#ty>(#ix);),
        Holds::One if param.default.is_none() => {
            quote_spanned!(ty.span()=> let #name = #binder.required::<#ty>(#ix);)
        }
        Holds::One | Holds::Optional => {
            quote_spanned!(ty.span()=> let #name = #binder.optional::<#ty>(#ix);)
        }
    }
}

/// Whether reading a parameter can fail and then bind nothing.
pub fn can_fail(param: &Param) -> bool {
    !matches!(param.holds, Holds::Flag | Holds::Keys)
}

/// The expression passed to the author's code for a parameter that was read.
pub fn value(param: &Param, name: &Ident) -> TokenStream {
    match &param.default {
        Some(_) => {
            let default = default_name(param);
            quote!(#name.unwrap_or_else(#default))
        }
        None => name.to_token_stream(),
    }
}

/// A name for a variable of the emitted function; it cannot clash with the author's names.
pub fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Such names for `count` parameters.
pub fn locals(count: usize) -> Vec<Ident> {
    (0..count)
        .map(|ix| format_ident!("a{ix}", span = Span::mixed_site()))
        .collect()
}
