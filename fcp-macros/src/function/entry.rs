//! An item of a function's parameter list: one parameter, or a group.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Pat, Type};

use super::param::{Owner, Param};
use crate::errors::Errors;
use crate::types;
use crate::written_params::Written;

/// A validated parameter of the function.
pub enum Entry {
    /// A parameter of the op.
    One(Box<Param>),
    /// Several parameters of the op, held by a struct.
    Group(Box<Type>),
}

impl Entry {
    /// Reads one.
    pub fn read(owner: Owner, written: &Written, errors: &Errors) -> Option<Self> {
        match written.options.word("flatten") {
            None => Param::read(owner, written, errors).map(|param| Self::One(Box::new(param))),
            Some(flatten) => group(written, flatten, errors).map(|ty| Self::Group(Box::new(ty))),
        }
    }

    /// The parameter, if it is a single one.
    pub fn one(&self) -> Option<&Param> {
        match self {
            Self::One(param) => Some(param),
            Self::Group(_) => None,
        }
    }

    /// The span to report its errors at.
    pub fn span(&self) -> Span {
        match self {
            Self::One(param) => param.ident.span(),
            Self::Group(ty) => ty.span(),
        }
    }
}

/// The type of a group.
fn group(written: &Written, flatten: &Ident, errors: &Errors) -> Option<Type> {
    for word in written.options.words().filter(|word| *word != flatten) {
        errors.at(
            word,
            "`flatten` takes no other options; the fields of the group have their own",
        );
    }
    if let Some(doc) = written.docs.span() {
        errors.on(
            doc,
            "the fields of a group have doc comments of their own; this one would never be shown; leave it out",
        );
    }
    let Pat::Ident(_) = &written.pat else {
        errors.at(
            &written.pat,
            "a group is called by a name, not taken apart: `name: Type`",
        );
        return None;
    };
    let ty = &written.ty;
    for wrapper in ["Option", "Vec"] {
        if types::is(ty, wrapper) {
            errors.at(
                ty,
                format!(
                    "a group takes no `{wrapper}`; its fields can be optional or repeated: \
                     `#[fcp(flatten)] placed: Placement`"
                ),
            );
            return None;
        }
    }
    match ty {
        Type::Path(_) | Type::Group(_) | Type::Paren(_) => Some(ty.clone()),
        _ => {
            errors.at(
                ty,
                "a group is a struct that derives `FcpParams`: `#[fcp(flatten)] placed: Placement`",
            );
            None
        }
    }
}
