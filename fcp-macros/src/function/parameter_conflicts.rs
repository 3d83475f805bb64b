//! Checks for parameters that exclude each other or are in the wrong order.

use std::collections::BTreeMap;

use super::param::{Owner, Param, Place};
use crate::errors::Errors;

/// Rejects parameters that conflict. Those of groups are checked when the lists are joined.
pub fn check(owner: Owner, params: &[&Param], errors: &Errors) {
    let mut spellings: BTreeMap<&str, &Param> = BTreeMap::new();
    let (mut rest, mut optional, mut rows, mut keys) = (None, None, None, None);
    for param in params {
        for (spelling, span) in &param.spellings {
            if let Some(other) = spellings.insert(spelling, *param) {
                errors.on(
                    *span,
                    if std::ptr::eq(other, *param) {
                        format!("`{spelling}` is given twice")
                    } else {
                        format!("`{spelling}` is the parameter `{}` already", other.ident)
                    },
                );
            }
        }
        if param.rows
            && let Some(other) = rows.replace(&param.ident)
        {
            errors.at(
                &param.ty,
                format!(
                    "an op has one set of selectors, and `{other}` takes it; name other rows by `Ref<T>`"
                ),
            );
        }
        match param.place {
            Place::Rest => {
                if let Some(other) = rest.replace(&param.ident) {
                    errors.at(
                        &param.ident,
                        format!(
                            "`{other}` takes all words that are left already; leave one of them out"
                        ),
                    );
                }
            }
            Place::Word(_) => {
                if let Some(other) = rest {
                    errors.at(
                        &param.ident,
                        format!("no word is left after `{other}`, which takes all; put it before"),
                    );
                }
                match (param.required(), optional) {
                    (true, Some(other)) => errors.at(
                        &param.ident,
                        format!(
                            "a {} is given `{}` before `{other}`, which may be left out; put it before, or make it \
                             a key",
                            owner.noun, param.ident
                        ),
                    ),
                    (true, None) => {}
                    (false, _) => optional = optional.or(Some(&param.ident)),
                }
            }
            Place::Keys => {
                if let Some(other) = keys.replace(&param.ident) {
                    errors.at(
                        &param.ident,
                        format!(
                            "`{other}` takes all keys that are left already; leave one of them out"
                        ),
                    );
                }
            }
            Place::Key | Place::Flag => {}
        }
    }
}
