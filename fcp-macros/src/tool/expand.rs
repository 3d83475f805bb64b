//! Emits a tool: the struct of its arguments, one static, and the test of its examples.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, ItemFn};

use super::check::{Field, Param, Tool};
use crate::function::list::local;

/// Emits the registration of a tool.
pub fn expand(function: &ItemFn, tool: &Tool) -> TokenStream {
    let cfgs: Vec<&Attribute> = function
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"))
        .collect();
    let (arguments, defaults) = (arguments(tool), fields(tool).filter_map(default));
    let (state, data) = (&tool.state, data(function, tool));
    // Errors about the toolset appear at its type.
    let ty = quote_spanned!(state.span()=> ::fcp::__private::Tool<#state>);
    let test = test(function, tool, &cfgs);
    quote! {
        #(#cfgs)*
        const _: () = {
            #(#defaults)*
            #arguments
            static TOOL: #ty = #data;
            ::fcp::__private::inventory::submit! {
                ::fcp::__private::RegisteredTool { item: &TOOL }
            }
        };
        #test
    }
}

fn fields(tool: &Tool) -> impl Iterator<Item = &Field> {
    tool.params.iter().filter_map(|param| match param {
        Param::Field(field) => Some(&**field),
        Param::Cancel => None,
    })
}

/// The struct of the arguments. The underscores keep it apart from the author's own types.
fn arguments(tool: &Tool) -> TokenStream {
    let fields = fields(tool).map(|field| {
        let Field {
            ident,
            key,
            ty,
            doc,
            ..
        } = field;
        let marks = if field.flatten {
            quote!(#[serde(flatten)])
        } else {
            let default = field.default.as_ref().map(|_| {
                let name = default_name(field).to_string();
                quote!(#[serde(default = #name)])
            });
            let rename = (ident.unraw() != key).then(|| quote!(#[serde(rename = #key)]));
            quote!(#[doc = #doc] #rename #default)
        };
        quote_spanned!(ty.span()=> #marks #ident: #ty)
    });
    quote! {
        #[derive(::fcp::__private::serde::Deserialize, ::fcp::__private::schemars::JsonSchema)]
        #[serde(crate = "::fcp::__private::serde")]
        #[schemars(crate = "::fcp::__private::schemars")]
        struct __Arguments {
            #(#fields),*
        }
    }
}

fn default_name(field: &Field) -> Ident {
    format_ident!(
        "__default_{}",
        field.ident.unraw(),
        span = Span::call_site()
    )
}

/// The function that makes a default, if the field has one.
fn default(field: &Field) -> Option<TokenStream> {
    let value = field.default.as_ref()?;
    let (name, ty) = (default_name(field), &field.ty);
    Some(quote! {
        fn #name() -> #ty {
            #value
        }
    })
}

fn data(function: &ItemFn, tool: &Tool) -> TokenStream {
    let Tool {
        name,
        aliases,
        summary,
        doc,
        state,
        returned,
        ..
    } = tool;
    let examples = tool.examples.iter().map(|example| {
        let (script, line) = (&example.script, Literal::u32_unsuffixed(example.line));
        quote!(::fcp::__private::Example { script: #script, line: #line })
    });
    let hints = ["read_only", "destructive", "idempotent", "open_world"].map(|hint| {
        let is_given = tool.hints.iter().any(|own| own == hint);
        let hint = format_ident!("{hint}");
        quote!(#hint: #is_given)
    });
    let run = run(function, tool);
    // Errors about the result appear at the return type.
    let output = quote_spanned!(returned.span()=> ::fcp::__private::tool_output::<#returned>);
    let trouble =
        quote_spanned!(returned.span()=> ::fcp::__private::tool_trouble::<#state, #returned>);
    quote! {
        ::fcp::__private::Tool {
            name: #name,
            aliases: &[#(#aliases),*],
            summary: #summary,
            doc: #doc,
            hints: ::fcp::__private::Hints { #(#hints),* },
            examples: &[#(#examples),*],
            source: ::fcp::__private::Source { file: ::core::file!(), line: ::core::line!() },
            input: ::fcp::__private::tool_input::<__Arguments>,
            output: #output,
            trouble: #trouble,
            run: #run,
        }
    }
}

/// The function that reads the arguments and calls the author's function.
fn run(function: &ItemFn, tool: &Tool) -> TokenStream {
    let (author, state) = (&function.sig.ident, &tool.state);
    let (own, read) = (local("state"), local("read"));
    let (arguments, cancel) = (local("arguments"), local("cancel"));
    let given = tool.params.iter().map(|param| match param {
        Param::Cancel => cancel.to_token_stream(),
        Param::Field(field) => {
            let ident = &field.ident;
            quote!(#read.#ident)
        }
    });
    let variant = if tool.exclusive {
        "Exclusive"
    } else {
        "Shared"
    };
    let variant = Ident::new(variant, state.span());
    let read = if fields(tool).next().is_none() {
        quote!(_)
    } else {
        read.to_token_stream()
    };
    let unused = !tool
        .params
        .iter()
        .any(|param| matches!(param, Param::Cancel));
    let lent = if unused {
        quote!(_)
    } else {
        cancel.to_token_stream()
    };
    let returned = &tool.returned;
    let answer = quote_spanned!(returned.span()=> #author(#own, #(#given),*));
    let called = quote_spanned! {returned.span()=>
        ::fcp::__private::tool_call::<#state, __Arguments, #returned>(#arguments, |#read| #answer)
    };
    quote_spanned! {state.span()=>
        ::fcp::__private::ToolRun::#variant(|#own, #arguments, #lent| #called)
    }
}

/// The test that runs the examples.
fn test(function: &ItemFn, tool: &Tool, cfgs: &[&Attribute]) -> TokenStream {
    let name = format_ident!(
        "{}_examples",
        function.sig.ident.unraw(),
        span = Span::call_site()
    );
    let (state, tool) = (&tool.state, &tool.name);
    quote! {
        #(#cfgs)*
        #[cfg(test)]
        #[test]
        fn #name() {
            ::fcp::testing::tool_examples::<#state>(#tool);
        }
    }
}
