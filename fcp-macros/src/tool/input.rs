//! What was written: the parameters of the function, taken apart.

use syn::{FnArg, ItemFn, Pat, Type};

use crate::docs::Docs;
use crate::errors::Errors;
use crate::options::{Form, Options};

/// The options of a parameter.
const FORMS: &[Form] = &[
    Form::text("key", "key = \"in\""),
    Form::expr("default", "default = 1"),
    Form::word("flatten"),
];

/// A parameter as it was written.
pub struct Written {
    /// What stands before its colon.
    pub pat: Pat,
    /// Its type.
    pub ty: Type,
    /// The options in its `#[fcp(…)]`.
    pub options: Options,
    /// The doc comment.
    pub docs: Docs,
}

/// Takes what the macro reads out of the function's parameters.
pub fn take(function: &mut ItemFn, errors: &Errors) -> Vec<Written> {
    let mut params = Vec::new();
    for argument in &mut function.sig.inputs {
        match argument {
            // Refused later; until then it must not hide what else is wrong.
            FnArg::Receiver(receiver) => receiver.attrs.clear(),
            FnArg::Typed(typed) => {
                let docs = Docs::of(&typed.attrs);
                let options = Options::take(&mut typed.attrs, FORMS, errors);
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
