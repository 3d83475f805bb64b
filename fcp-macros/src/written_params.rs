//! The parameters of a function as written.

use syn::{FnArg, ItemFn, Pat, Type};

use crate::docs::Docs;
use crate::errors::Errors;
use crate::options::{Form, Options};

/// A parameter as it was written, in a function or as a field of a group.
pub struct Written {
    /// The pattern before its colon.
    pub pat: Pat,
    /// Its type.
    pub ty: Type,
    /// The options in its `#[fcp(…)]`.
    pub options: Options,
    /// The doc comment.
    pub docs: Docs,
}

/// Takes the macro's attributes off a function's parameters. `forms` are their possible options.
pub fn take(function: &mut ItemFn, forms: &'static [Form], errors: &Errors) -> Vec<Written> {
    let mut params = Vec::new();
    for argument in &mut function.sig.inputs {
        match argument {
            // Rejected later; until then it must not hide other errors.
            FnArg::Receiver(receiver) => receiver.attrs.clear(),
            FnArg::Typed(typed) => {
                let docs = Docs::of(&typed.attrs);
                let options = Options::take(&mut typed.attrs, forms, errors);
                typed.attrs.retain(|attr| !attr.path().is_ident("doc"));
                params.push(Written {
                    pat: (*typed.pat).clone(),
                    ty: (*typed.ty).clone(),
                    options,
                    docs,
                });
            }
        }
    }
    params
}
