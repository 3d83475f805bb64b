//! Checks of a warning.

use quote::ToTokens;
use syn::{Expr, FnArg, ItemFn, Lit, Type, UnOp};

use super::LEGAL;
use crate::docs::Docs;
use crate::errors::Errors;
use crate::function::{plain, wrong_output};
use crate::names::{is_key, key};
use crate::options::Options;
use crate::types;

/// A validated warning.
pub struct Lint {
    /// Its code: `stuck`.
    pub code: String,
    /// The first sentence of its doc comment.
    pub summary: String,
    /// Its weight; the highest come first.
    pub weight: i32,
    /// The model.
    pub model: Type,
    /// Its subject.
    pub sight: Sight,
}

/// Subject of a warning.
pub enum Sight {
    /// A row of a kind.
    Row(Box<Type>),
    /// Many rows of any kind at once.
    Rows,
    /// An op.
    Op,
}

/// Reports every mistake.
pub fn check(function: &ItemFn, options: &Options, errors: &Errors) -> Option<Lint> {
    let sig = &function.sig;
    plain(sig, "warning", LEGAL, errors);
    let code = key(&sig.ident);
    if !is_key(&code) {
        errors.at(
            &sig.ident,
            format!("`{code}` is not a code; a code is a lower-case word: `stuck`"),
        );
    }
    let summary = Docs::of(&function.attrs).summary(
        &sig.ident,
        "a warning needs a doc comment: `/// A note that never ends.`",
        errors,
    );
    let weight = options.expr("weight").map_or(Some(0), |weight| {
        let read = whole(weight);
        match read {
            Some(0) => errors.at(weight, "0 is the usual weight; leave it out"),
            None => errors.at(weight, "a weight is a whole number: `weight = 10`"),
            Some(_) => {}
        }
        read
    });
    if let Some(model) = many(function) {
        let legal = "a warning about many rows returns rows with messages: `-> Vec<(Row, String)>`";
        if !returns_rows(function) {
            wrong_output(sig, legal, errors);
        }
        return Some(Lint {
            code,
            summary,
            weight: weight?,
            model,
            sight: Sight::Rows,
        });
    }
    let answers = types::returned(&sig.output)
        .and_then(|ty| types::argument(ty, "Option"))
        .is_some_and(|ty| types::is(ty, "String"));
    if !answers {
        wrong_output(
            sig,
            "a warning returns a message, or none: `-> Option<String>`",
            errors,
        );
    }
    let (model, sight) = match of_op(function) {
        Some(model) => (model, Sight::Op),
        None => {
            let (model, row) = rows(function, errors)?;
            (model, Sight::Row(Box::new(row)))
        }
    };
    Some(Lint {
        code,
        summary,
        weight: weight?,
        model,
        sight,
    })
}

/// The model, if the function takes many rows: `(drawing: &Drawing, rows: &[Row])`.
fn many(function: &ItemFn) -> Option<Type> {
    let mut inputs = function.sig.inputs.iter();
    let (Some(FnArg::Typed(model)), Some(FnArg::Typed(rows)), None) =
        (inputs.next(), inputs.next(), inputs.next())
    else {
        return None;
    };
    let Type::Slice(slice) = types::shared(&rows.ty)? else {
        return None;
    };
    let model = types::shared(&model.ty)?;
    types::is(&slice.elem, "Row").then(|| model.clone())
}

/// The model, if the function takes an op: `(song: &Song, op: &ParsedOp<'_>)`.
fn of_op(function: &ItemFn) -> Option<Type> {
    let mut inputs = function.sig.inputs.iter();
    let (Some(FnArg::Typed(model)), Some(FnArg::Typed(op)), None) =
        (inputs.next(), inputs.next(), inputs.next())
    else {
        return None;
    };
    let (model, op) = (types::shared(&model.ty)?, types::shared(&op.ty)?);
    types::is(op, "ParsedOp").then(|| model.clone())
}

/// Whether a function returns `Vec<(Row, String)>`.
fn returns_rows(function: &ItemFn) -> bool {
    let returned = types::returned(&function.sig.output);
    let Some(Type::Tuple(returned)) =
        returned.and_then(|returned| types::argument(returned, "Vec"))
    else {
        return false;
    };
    let parts: Vec<&Type> = returned.elems.iter().collect();
    matches!(parts.as_slice(), [row, text] if types::is(row, "Row") && types::is(text, "String"))
}

/// The model and the kind of row of a warning about one row.
fn rows(function: &ItemFn, errors: &Errors) -> Option<(Type, Type)> {
    let sig = &function.sig;
    let params: Vec<&Type> = sig
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        })
        .collect();
    let [model, id, row] = params.as_slice() else {
        if sig.receiver().is_none() {
            errors.at(
                &sig.ident,
                format!("a warning takes the model, the id of a row, and the row: `{LEGAL}`"),
            );
        }
        return None;
    };
    let model = types::shared(model).or_else(|| {
        errors.at(model, format!("a warning looks at the model: `{LEGAL}`"));
        None
    });
    let id = types::argument(id, "Id").or_else(|| {
        errors.at(id, "the second parameter is the row's id: `id: Id<Note>`");
        None
    });
    let of = types::shared(row).or_else(|| {
        errors.at(row, "the third parameter is the row: `note: &Note`");
        None
    });
    let (model, id, of) = (model?, id?, of?);
    let spelled = |ty: &Type| ty.to_token_stream().to_string();
    if spelled(id) != spelled(of) {
        errors.at(
            row,
            format!("the id is a `{}`'s, so the row is one too", spelled(id)),
        );
        return None;
    }
    Some((model.clone(), of.clone()))
}

fn whole(weight: &Expr) -> Option<i32> {
    match weight {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => whole(&unary.expr)?.checked_neg(),
        _ => None,
    }
}
