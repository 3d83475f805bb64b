//! Checks of a function.

use syn::{Safety, Signature};

use super::entry::Entry;
use super::input::Input;
use super::param::{Param, Place};
use super::{Role, Run, parameter_conflicts};
use crate::docs::{Example, OPS};
use crate::errors::Errors;
use crate::names::{is_key, phrase};
use crate::place;

/// A validated function.
pub struct Checked {
    /// The phrase that starts the op.
    pub phrase: String,
    /// Other phrases.
    pub aliases: Vec<String>,
    /// The heading on the card.
    pub category: String,
    /// The first sentence of the doc comment.
    pub summary: String,
    /// The doc comment without its examples.
    pub doc: String,
    /// The examples.
    pub examples: Vec<Example>,
    /// Its kind of run.
    pub run: Run,
    /// The parameters, without the model.
    pub params: Vec<Entry>,
}

/// Reports every mistake. Returns `None` if the kind of run is unknown: nothing is emitted then.
pub fn check(role: &Role, input: &Input, errors: &Errors) -> Option<Checked> {
    plain(&input.item.sig, role.noun, role.legal, errors);
    let run = (role.run)(&input.item.sig, errors);
    if input.item.sig.inputs.is_empty() && run.is_none() {
        errors.at(
            &input.item.sig.ident,
            format!(
                "a {}'s first parameter is the model: `{}`",
                role.noun, role.legal
            ),
        );
    }
    let skip = match &run {
        Some(run) => usize::from(run.takes_model()),
        // Whatever the first parameter is, an error was reported for it.
        None => usize::from(input.item.sig.receiver().is_none()),
    };
    let written = input.params.iter().skip(skip);
    let params: Vec<Entry> = written
        .filter_map(|written| Entry::read(role.owner(), written, errors))
        .collect();
    let own: Vec<&Param> = params.iter().filter_map(Entry::one).collect();
    for model in input.params.iter().take(skip) {
        for word in model.options.words() {
            errors.at(
                word,
                "the model is not a parameter of the op and takes no options",
            );
        }
    }
    parameter_conflicts::check(role.owner(), &own, errors);

    let (phrase, aliases) = phrases(role, input, errors);
    if let Some(word) = input.options.word("infix") {
        let targets = |param: &&&Param| param.rows || matches!(param.place, Place::Word(_));
        if !phrase.contains(' ') || own.first().filter(targets).is_none() {
            errors.at(
                word,
                "the target comes between the two words of such a phrase, and is the first parameter: \
                 `modify TARGET close`",
            );
        }
    }
    let category = category(role, input, errors);
    let missing = format!(
        "a {} needs a doc comment: `/// Put notes on a track.`",
        role.noun
    );
    let ident = &input.item.sig.ident;
    let summary = input.docs.summary(ident, &missing, errors);
    let (doc, examples) = input.docs.split(OPS, errors);
    if role.example && examples.is_empty() {
        errors.at(ident, no_example(role, &phrase, &own));
    }
    place::check(ident, role.directory, role.noun, errors);
    Some(Checked {
        phrase,
        aliases,
        category,
        summary,
        doc,
        examples,
        run: run?,
        params,
    })
}

/// Rejects all but plain functions.
pub fn plain(sig: &Signature, noun: &str, legal: &str, errors: &Errors) {
    if let Some(receiver) = sig.receiver() {
        errors.at(receiver, format!("a {noun} is not a method: `{legal}`"));
    }
    if let Some(token) = &sig.asyncness {
        errors.at(
            token,
            format!("a {noun} is not an `async` function: `{legal}`"),
        );
    }
    if let Some(token) = &sig.abi {
        errors.at(token, format!("a {noun} is a plain function: `{legal}`"));
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.at(token, format!("a {noun} is a safe function: `{legal}`"));
    }
    if !sig.generics.params.is_empty() {
        errors.at(
            &sig.generics.params,
            format!("a {noun} is not generic, not even over a lifetime: `{legal}`"),
        );
    } else if let Some(clause) = &sig.generics.where_clause {
        errors.at(clause, format!("a {noun} is not generic: `{legal}`"));
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic, format!("a {noun} is a plain function: `{legal}`"));
    }
}

/// The phrase and its aliases.
fn phrases(role: &Role, input: &Input, errors: &Errors) -> (String, Vec<String>) {
    let ident = &input.item.sig.ident;
    let mut own = phrase(ident);
    let mut place = ident.span();
    if let Some(name) = input.options.text("name") {
        let given = name.value();
        if given == own {
            errors.at(name, "the function's name says this already; leave it out");
        } else if given.replace(['-', '.'], " ") != own {
            errors.at(
                name,
                format!(
                    "`{given}` is not the function's name; call the function `{}`, or make this an `alias`",
                    given.replace([' ', '-', '.'], "_")
                ),
            );
        }
        own = given;
        place = name.span();
    }
    let legal = |phrase: &str, span| {
        let words: Vec<&str> = phrase.split(' ').collect();
        if words.len() > 2 {
            errors.on(
                span,
                format!(
                    "`{phrase}` has {} words; a {} is called by one word or two: `add note`, `time-sig`",
                    words.len(),
                    role.noun
                ),
            );
        } else if !words.iter().all(|word| is_key(word)) {
            errors.on(
                span,
                format!(
                    "`{phrase}` cannot be typed; a {} is called by lower-case words: `add note`",
                    role.noun
                ),
            );
        }
    };
    legal(&own, place);
    let mut aliases = Vec::new();
    for alias in input.options.texts("alias") {
        let given = alias.value();
        if given == own || aliases.contains(&given) {
            errors.at(alias, format!("`{given}` is given twice; leave it out"));
        }
        legal(&given, alias.span());
        aliases.push(given);
    }
    (own, aliases)
}

fn category(role: &Role, input: &Input, errors: &Errors) -> String {
    let given = input.options.text("category");
    match (given, role.category) {
        (Some(given), usual) => {
            if usual == Some(given.value().as_str()) {
                errors.at(given, "this is the usual category; leave it out");
            }
            if !given.value().starts_with(char::is_uppercase) {
                errors.at(
                    given,
                    "a category is a heading, with a capital letter: `category = \"Notes\"`",
                );
            }
            given.value()
        }
        (None, Some(usual)) => usual.to_owned(),
        (None, None) => {
            if !input.options.mentions("category") {
                errors.on(
                    input.item.sig.ident.span(),
                    format!(
                        "a {} needs a heading on the card: `#[{}(category = \"Notes\")]`",
                        role.noun, role.attribute
                    ),
                );
            }
            String::new()
        }
    }
}

/// The error for a missing example, with one to write.
fn no_example(role: &Role, phrase: &str, params: &[&Param]) -> String {
    let mut op = phrase.to_owned();
    for param in params.iter().filter(|param| param.required()) {
        let value = param.name.to_uppercase();
        match param.place {
            Place::Key => op.push_str(&format!(" {}:{value}", param.name)),
            _ => op.push_str(&format!(" {value}")),
        }
    }
    format!(
        "a {} shows an example in its doc comment, which runs as a test:\n\n/// ```fcp\n/// {op}\n/// > …\n/// ```",
        role.noun
    )
}
