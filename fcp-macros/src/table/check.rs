//! Checks of a table.

use syn::ext::IdentExt;
use syn::{FnArg, GenericArgument, ItemFn, PathArguments, Type, TypeParamBound};

use super::LEGAL;
use crate::docs::Docs;
use crate::errors::Errors;
use crate::function::{plain, wrong_output};
use crate::options::Options;
use crate::types;

/// A validated table.
pub struct Table {
    /// Its name.
    pub name: String,
    /// The first sentence of its doc comment.
    pub summary: String,
    /// The model.
    pub model: Type,
    /// The struct of its rows.
    pub row: Type,
    /// Whether the function takes the set of columns to be read.
    pub wanted: bool,
}

/// Reports every mistake.
pub fn check(function: &ItemFn, options: &Options, errors: &Errors) -> Option<Table> {
    let sig = &function.sig;
    plain(sig, "table", LEGAL, errors);
    crate::place::check(&sig.ident, "tables", "table", errors);
    let summary = Docs::of(&function.attrs).summary(
        &sig.ident,
        "a table needs a doc comment: `/// Notes, with their places in the song.`",
        errors,
    );
    let row = types::returned(&sig.output).and_then(item);
    if row.is_none() {
        wrong_output(
            sig,
            &format!("a table yields its rows: `{LEGAL}`, or a `Vec` of them"),
            errors,
        );
    }
    let params = sig.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let params: Vec<&Type> = params.collect();
    let model = params.first().and_then(|ty| types::shared(ty));
    let wanted = params.get(1).is_some_and(|ty| types::is(ty, "Wanted"));
    if model.is_none() || params.len() > 2 || (params.len() == 2 && !wanted) {
        errors.at(
            &sig.ident,
            format!("a table looks at the model, and may ask which columns are read: `{LEGAL}`, `wanted: Wanted<'_>`"),
        );
    }
    for option in ["insert_by", "insert_all"] {
        if let (Some(own), None) = (options.expr(option), options.text("insert")) {
            errors.at(
                own,
                format!("`{option}` needs the columns that a new row has: `insert = \"{{track}} {{tick|pos}}\"`"),
            );
        }
    }
    Some(Table {
        name: sig.ident.unraw().to_string(),
        summary,
        model: model?.clone(),
        row: row?,
        wanted,
    })
}

/// `T` of `Vec<T>` or `impl Iterator<Item = T>`.
fn item(ty: &Type) -> Option<Type> {
    if let Some(row) = types::argument(ty, "Vec") {
        return Some(row.clone());
    }
    let Type::ImplTrait(bounds) = ty else {
        return None;
    };
    bounds.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let segment = bound.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
            return None;
        };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(own) if own.ident == "Item" => Some(own.ty.clone()),
            _ => None,
        })
    })
}
