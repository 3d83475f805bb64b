//! Checks of a selector.

use syn::{FnArg, ItemFn, Type};

use super::LEGAL;
use crate::docs::Docs;
use crate::errors::Errors;
use crate::function::{first, plain, wrong_output};
use crate::names::{is_key, key};
use crate::options::Options;
use crate::types;

/// A validated selector.
pub struct Selector {
    /// Its name: `range`.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Whether it selects rows beyond the default universe.
    pub bears_type: bool,
    /// The first sentence of its doc comment.
    pub summary: String,
    /// The model.
    pub model: Type,
    /// The value after its name.
    pub value: Value,
    /// Whether it may reject its value.
    pub fallible: bool,
}

/// The value after a selector's name.
pub enum Value {
    /// None.
    None,
    /// Required.
    One(Type),
    /// Optional.
    Optional(Type),
}

/// The selectors shared by all domains.
const UNIVERSAL: &[&str] = &["all", "recent", "not"];

/// Reports every mistake.
pub fn check(function: &ItemFn, options: &Options, errors: &Errors) -> Option<Selector> {
    let sig = &function.sig;
    plain(sig, "selector", LEGAL, errors);
    let name = key(&sig.ident);
    let mut aliases: Vec<String> = Vec::new();
    for alias in options.texts("alias") {
        if alias.value() == name || aliases.contains(&alias.value()) {
            errors.at(
                alias,
                format!("`{}` is given twice; leave it out", alias.value()),
            );
        }
        aliases.push(alias.value());
    }
    let tokens = options.texts("alias").into_iter().map(syn::LitStr::span);
    let spans = std::iter::once(sig.ident.span()).chain(tokens);
    for (name, span) in std::iter::once(&name).chain(&aliases).zip(spans) {
        if UNIVERSAL.contains(&name.as_str()) {
            errors.on(
                span,
                format!("every domain has `@{name}` already; call yours something else"),
            );
        }
        if !is_key(name) {
            errors.on(
                span,
                format!(
                    "`@{name}` cannot be typed; a selector is called by a lower-case word: `range`"
                ),
            );
        }
    }
    let summary = Docs::of(&function.attrs).summary(
        &sig.ident,
        "a selector needs a doc comment: `/// Notes that sound within a span of time.`",
        errors,
    );
    let model = first(sig).and_then(types::shared);
    if model.is_none() && sig.receiver().is_none() {
        let message = format!("a selector looks at the model: `{LEGAL}`");
        match first(sig) {
            Some(first) => errors.at(first, message),
            None => errors.at(&sig.ident, message),
        }
    }
    let value = value(function, errors);
    let fallible = fallible(function, errors);
    Some(Selector {
        name,
        aliases,
        bears_type: options.word("bears_type").is_some(),
        summary,
        model: model?.clone(),
        value,
        fallible: fallible?,
    })
}

fn value(function: &ItemFn, errors: &Errors) -> Value {
    let mut values = function
        .sig
        .inputs
        .iter()
        .skip(1)
        .filter_map(|argument| match argument {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        });
    let value = match values.next() {
        None => Value::None,
        Some(ty) => match types::argument(ty, "Option") {
            Some(inner) => Value::Optional(inner.clone()),
            None => Value::One(ty.clone()),
        },
    };
    if let Value::One(ty) | Value::Optional(ty) = &value
        && !matches!(
            ty,
            Type::Path(_) | Type::Group(_) | Type::Paren(_) | Type::Macro(_)
        )
    {
        errors.at(
            ty,
            "the value of a selector is owned: a value, or a `Ref<T>`",
        );
    }
    for surplus in values {
        errors.at(
            surplus,
            "a selector has one value; one of several parts is a type of its own: `@range:1.1-4.4`",
        );
    }
    value
}

fn fallible(function: &ItemFn, errors: &Errors) -> Option<bool> {
    let output = &function.sig.output;
    if types::returned(output).is_some_and(|ty| types::is(ty, "Pick")) {
        return Some(false);
    }
    if types::result(output).is_some_and(|ty| types::is(ty, "Pick")) {
        return Some(true);
    }
    let message = "a selector picks: `-> Pick<'_>`, or `-> Result<Pick<'_>, ValueError>`";
    wrong_output(&function.sig, message, errors);
    None
}
