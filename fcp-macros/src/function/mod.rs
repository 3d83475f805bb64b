//! The functions of verbs, queries and actions: one form, three roles.
//!
//! `input` takes them apart, `check` validates them, and `expand` emits code.

mod check;
mod entry;
mod expand;
mod input;
pub mod list;
pub mod param;
pub mod parameter_conflicts;

pub use check::plain;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Signature, Type};

use crate::errors::Errors;
use crate::options::Form;
use crate::types;

/// A role of functions, and its requirements.
pub struct Role {
    /// The macro: `fcp_verb`.
    pub attribute: &'static str,
    /// Its name: `verb`.
    pub noun: &'static str,
    /// The variant of `Role` in the runtime.
    pub variant: &'static str,
    /// The options of the macro.
    pub forms: &'static [Form],
    /// The default heading on the card, if the role has one.
    pub category: Option<&'static str>,
    /// Whether it must show an example.
    pub example: bool,
    /// Keys reserved by the runtime.
    pub reserved: &'static [&'static str],
    /// An example of a legal signature, for messages.
    pub legal: &'static str,
    /// Reads the kind of run from the signature.
    pub run: fn(&Signature, &Errors) -> Option<Run>,
    /// Directories whose files hold one such function each, of the file's name.
    pub directory: &'static str,
}

impl Role {
    /// The owner of its parameters, for messages.
    fn owner(&self) -> param::Owner {
        param::Owner {
            noun: self.noun,
            reserved: self.reserved,
        }
    }
}

/// The kind of run of a function.
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

/// Parses the function under a macro.
pub fn read(attribute: &str, legal: &str, item: &TokenStream, errors: &Errors) -> Option<ItemFn> {
    match syn::parse2(item.clone()) {
        Ok(item) => Some(item),
        Err(error) => {
            // For tokens that are not an item, syn's error is reported; for other items, ours.
            if syn::parse2::<syn::Item>(item.clone()).is_ok() {
                errors.at(
                    item,
                    format!("`#[{attribute}]` goes on a function: `{legal}`"),
                );
            } else {
                errors.push(error);
            }
            None
        }
    }
}

/// The type of the first parameter. The role reports it if it is not the model.
pub fn first(sig: &Signature) -> Option<&Type> {
    match sig.inputs.first()? {
        FnArg::Typed(typed) => Some(&typed.ty),
        FnArg::Receiver(_) => None,
    }
}

/// Reports a mistake in the return type.
pub fn wrong_output(sig: &Signature, message: &str, errors: &Errors) {
    let span = types::returned(&sig.output).map_or(sig.ident.span(), Spanned::span);
    errors.on(span, message);
}

/// Expands a function and its registration.
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
            // A verb has as many parameters as its op has words.
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
