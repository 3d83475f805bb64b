//! The parts of a function as written: item, options and parameters.

use proc_macro2::TokenStream;
use syn::{Attribute, ItemFn};

use super::Role;
use super::param;
use crate::docs::Docs;
use crate::errors::Errors;
use crate::options::Options;
use crate::written_params::{self, Written};

/// A function as it was written.
pub struct Input {
    /// The function, without the attributes and docs that the macro takes off its parameters.
    pub item: ItemFn,
    /// The options of the macro.
    pub options: Options,
    /// The doc comment.
    pub docs: Docs,
    /// The parameters, including the model.
    pub params: Vec<Written>,
    /// The `#[cfg(…)]`s, which apply to all that is emitted.
    pub cfgs: Vec<Attribute>,
}

impl Input {
    /// Takes a function apart.
    pub fn read(role: &Role, attribute: TokenStream, mut item: ItemFn, errors: &Errors) -> Self {
        let options = Options::of_macro(role.attribute, role.forms, attribute, errors);
        let params = written_params::take(&mut item, param::FORMS, errors);
        let cfg = |attr: &&Attribute| attr.path().is_ident("cfg");
        Self {
            options,
            docs: Docs::of(&item.attrs),
            params,
            cfgs: item.attrs.iter().filter(cfg).cloned().collect(),
            item,
        }
    }
}
