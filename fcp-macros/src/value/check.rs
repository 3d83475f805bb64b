//! Checks of a value.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use syn::{DeriveInput, Variant};

use super::{FORMS, LEGAL, WORD_FORMS};
use crate::docs::Docs;
use crate::errors::Errors;
use crate::names::{fold, kebab};
use crate::options::Options;
use crate::shape;

/// A validated value.
#[derive(Default)]
pub struct Words {
    /// Its placeholder in a syntax line: `FIGURE`.
    pub name: String,
    /// The first line of its doc comment, without the full stop.
    pub doc: String,
    /// The words, in the order of the enum.
    pub words: Vec<Word>,
}

/// A word of the value.
pub struct Word {
    /// The variant.
    pub variant: Ident,
    /// The word.
    pub word: String,
    /// Other spellings.
    pub aliases: Vec<String>,
    /// The doc comment, on one line.
    pub doc: String,
}

/// Reports every mistake.
pub fn check(input: &DeriveInput, errors: &Errors) -> Words {
    let options = Options::of_item(&input.attrs, FORMS, errors);
    let usual = kebab(&input.ident).to_uppercase();
    let name = match options.text("name") {
        Some(name) => {
            if name.value() == usual {
                errors.at(name, "the enum's name says this already; leave it out");
            } else if name.value().contains(char::is_whitespace) {
                errors.at(
                    name,
                    "a name in a syntax line has no spaces: `name = \"FIGURE\"`",
                );
            }
            name.value()
        }
        None => usual,
    };
    let Some(variants) = shape::variants(input, "a value", LEGAL, errors) else {
        return Words::default();
    };
    if variants.is_empty() {
        errors.at(
            &input.ident,
            format!("a value has words to choose from: `{LEGAL}`"),
        );
    }
    let mut taken = BTreeMap::new();
    let words = variants
        .iter()
        .map(|variant| word(variant, &mut taken, errors));
    Words {
        name,
        words: words.collect(),
        doc: Docs::of(&input.attrs).phrase(),
    }
}

fn word(variant: &Variant, taken: &mut BTreeMap<String, String>, errors: &Errors) -> Word {
    if !variant.fields.is_empty() {
        errors.at(
            &variant.fields,
            format!(
                "a word has no fields: `{LEGAL}`; a value of several parts writes `impl FcpValue`"
            ),
        );
    }
    let options = Options::of_item(&variant.attrs, WORD_FORMS, errors);
    let usual = kebab(&variant.ident);
    let mut spellings: Vec<(String, Span)> = Vec::new();
    match options.text("word") {
        Some(word) => {
            if word.value() == usual {
                errors.at(word, "the variant's name says this already; leave it out");
            }
            spellings.push((word.value(), word.span()));
        }
        None => spellings.push((usual, variant.ident.span())),
    }
    let aliases = options.texts("alias");
    spellings.extend(aliases.iter().map(|alias| (alias.value(), alias.span())));
    for (word, span) in &spellings {
        if fold(word).is_empty()
            || word
                .contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '\''))
        {
            errors.on(
                *span,
                "a word has neither spaces nor quotes: `word = \"dotted-half\"`",
            );
        }
        if let Some(other) = taken.insert(fold(word), variant.ident.to_string()) {
            errors.on(
                *span,
                format!(
                    "`{word}` means `{other}` already; case, hyphens and underscores do not count"
                ),
            );
        }
    }
    let mut spellings = spellings.into_iter().map(|(spelling, _)| spelling);
    Word {
        variant: variant.ident.clone(),
        word: spellings.next().unwrap_or_default(),
        aliases: spellings.collect(),
        doc: Docs::of(&variant.attrs).line(),
    }
}
