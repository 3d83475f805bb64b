//! Functions that ops, queries and actions call: one form, three roles.
//!
//! `input` is what was written, `check` what is refused, `expand` what is emitted.

mod check;
mod entry;
mod expand;
mod input;
pub mod list;
pub mod param;
pub mod together;

pub use check::plain;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Signature, Type};

use crate::errors::Errors;
use crate::options::Form;
use crate::types;

/// What a function is called by, and what that asks of it.
pub struct Role {
    /// The macro: `fcp_verb`.
    pub attribute: &'static str,
    /// What it makes: `verb`.
    pub noun: &'static str,
    /// The variant of `Role` in the runtime.
    pub variant: &'static str,
    /// The options of the macro.
    pub forms: &'static [Form],
    /// The heading on the card, if it need not be said.
    pub category: Option<&'static str>,
    /// It must show an example.
    pub example: bool,
    /// Keys that the runtime takes itself.
    pub reserved: &'static [&'static str],
    /// What its signature must be, as messages show it.
    pub legal: &'static str,
    /// What its signature says.
    pub run: fn(&Signature, &Errors) -> Option<Run>,
    /// Directories whose files hold one such function each, called like the function.
    pub directory: &'static str,
}

impl Role {
    /// What its parameters are told of.
    fn owner(&self) -> param::Owner {
        param::Owner {
            noun: self.noun,
            reserved: self.reserved,
        }
    }
}

/// How a function runs.
pub enum Run {
    /// It changes the model: `&mut Model`, `Result<Reply>`.
    Edit(Type),
    /// It looks at the model: `&Model`, `Result<T>`.
    Ask(Type),
    /// It makes a model: no model, `Result<Model>`.
    Make(Type),
    /// It makes a file: `&Model`, `Result<Vec<u8>>` or `Result<Exported>`.
    Export(Type),
}

impl Run {
    /// The model.
    fn model(&self) -> &Type {
        match self {
            Self::Edit(model) | Self::Ask(model) | Self::Make(model) | Self::Export(model) => model,
        }
    }

    /// Whether the function's first parameter is the model.
    fn takes_model(&self) -> bool {
        !matches!(self, Self::Make(_))
    }
}

/// An option that functions of all roles have.
pub const NAME: Form = Form::text("name", "name = \"time-sig\"");
/// See [`NAME`].
pub const ALIAS: Form = Form::texts("alias", "alias = \"add note\"");
/// See [`NAME`].
pub const CATEGORY: Form = Form::text("category", "category = \"Notes\"");

/// Reads the function a macro stands on.
pub fn read(attribute: &str, legal: &str, item: &TokenStream, errors: &Errors) -> Option<ItemFn> {
    match syn::parse2(item.clone()) {
        Ok(item) => Some(item),
        Err(error) => {
            // What is no item at all is told by syn; what is another one, here.
            if syn::parse2::<syn::Item>(item.clone()).is_ok() {
                errors.at(
                    item,
                    format!("`#[{attribute}]` stands on a function: `{legal}`"),
                );
            } else {
                errors.push(error);
            }
            None
        }
    }
}

/// The type of the first parameter. What stands in place of a model is told of by the role.
pub fn first(sig: &Signature) -> Option<&Type> {
    match sig.inputs.first()? {
        FnArg::Typed(typed) => Some(&typed.ty),
        FnArg::Receiver(_) => None,
    }
}

/// A mistake in what a function returns.
pub fn wrong_output(sig: &Signature, message: &str, errors: &Errors) {
    let span = types::returned(&sig.output).map_or(sig.ident.span(), Spanned::span);
    errors.on(span, message);
}

/// The function, and what registers it.
pub fn expand(role: &'static Role, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let errors = Errors::default();
    let Some(function) = read(role.attribute, role.legal, &item, &errors) else {
        let errors = errors.into_tokens();
        return quote!(#item #errors);
    };
    let input = input::Input::read(role, attribute, function, &errors);
    let checked = check::check(role, &input, &errors);
    let function = &input.item;
    match checked {
        Some(checked) if errors.is_empty() => {
            let registered = expand::expand(role, &input, &checked);
            // A verb has as many parameters as ops of it have words.
            let many = function.sig.inputs.len() > 7;
            let many = many.then(|| quote!(#[allow(clippy::too_many_arguments)]));
            quote!(#many #function #registered)
        }
        _ => {
            let errors = errors.into_tokens();
            quote!(#function #errors)
        }
    }
}
