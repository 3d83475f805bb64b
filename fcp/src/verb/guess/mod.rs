//! The probable meanings of a malformed op: one in another notation, split wrongly, or with a
//! missing or superfluous word.
//!
//! A guess is a whole op. The session rehearses it before it is shown, so a guess may be wrong, but
//! it must not do more than the sent op could have meant. Faults that the binder can repair are not
//! guessed.

mod bare_values;
mod left_out;
mod missing_words;
mod near;
mod notations;
mod respelled;
mod word_breaks;

use std::ops::Range;

pub(super) use bare_values::turns;
pub(crate) use left_out::leaves_out;
pub(super) use missing_words::filler;
pub(crate) use respelled::{only_respells, renumbers};

use super::{Binder, Call, Files, Param, Place, Registry, Verb};
use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::model::{Level, ModelExt};
use crate::value::meant_act;

/// The longest op for which guesses are made: each guess is a copy of it.
const LONGEST: usize = 8 * 1024;

/// The most guesses of each rule for one op.
const MOST: usize = 16;

/// A malformed op and its context.
struct Wrong<'w, M: Domain> {
    registry: &'w Registry<M>,
    model: &'w M,
    op: &'w str,
    error: &'w Diagnostic,
    /// The words; for an op that cannot be parsed, its parts between whitespace.
    words: Vec<Span>,
    /// The verb, if the first word names one, and the range of later words that belong to its
    /// phrase.
    verb: Option<(&'static Verb<M>, Range<usize>)>,
}

/// A kind of mistake: returns the possible meanings, the likeliest first.
type Rule<M> = fn(&Wrong<'_, M>) -> Vec<String>;

/// Possible meanings of a malformed op, the likeliest first.
#[derive(Default)]
pub(crate) struct Guesses {
    /// With attached selectors as separate words. Any other repair would lose them.
    pub glued: Option<String>,
    /// The same content in the form of an op. Preferred to any repair if it works as it is.
    pub form: Vec<String>,
    /// With a number and its unit as one word, and that word's place; the number that they amount
    /// to is tried too.
    pub counted: Vec<(String, Span)>,
    /// With the same word after different keys: used only if exactly one works.
    pub keyed: Vec<String>,
    /// With something added or removed.
    pub gaps: Vec<String>,
    /// Without one of the words, or with one after another key: used only if exactly one works.
    pub surplus: Vec<String>,
}

/// Possible meanings of a malformed op.
pub(crate) fn guesses<M: Domain>(
    registry: &Registry<M>,
    model: &M,
    op: &str,
    error: &Diagnostic,
) -> Guesses {
    let op = op.trim();
    if op.len() > LONGEST {
        return Guesses::default();
    }
    let wrong = Wrong::new(registry, model, op, error);
    let all = |rules: &[Rule<M>]| {
        let mut guesses: Vec<String> = Vec::new();
        for guess in rules.iter().flat_map(|rule| rule(&wrong)) {
            if guess != op && !guess.is_empty() && !guesses.contains(&guess) {
                guesses.push(guess);
            }
            if guesses.len() == MOST {
                break;
            }
        }
        guesses
    };
    Guesses {
        glued: word_breaks::glued(&wrong),
        counted: word_breaks::counted(&wrong),
        form: all(&[
            foreign,
            notations::bare,
            notations::object,
            notations::call,
            notations::quotes,
            notations::arrows,
            notations::phrase,
            bare_values::ways,
            word_breaks::keys,
            word_breaks::lists,
            word_breaks::brackets,
            word_breaks::behind_keys,
            word_breaks::marks,
            word_breaks::pairs,
            word_breaks::spans,
            bare_values::beside,
            near::kinds,
            near::verbs,
            near::targets,
            near::keys,
            near::selectors,
            near::signs,
            near::values,
        ]),
        keyed: all(&[bare_values::keyed]),
        gaps: all(&[
            word_breaks::unclosed,
            word_breaks::unquoted,
            word_breaks::joined,
            missing_words::units,
            missing_words::missing,
        ]),
        surplus: all(&[missing_words::surplus, near::others]),
    }
}

impl<'w, M: Domain> Wrong<'w, M> {
    fn new(registry: &'w Registry<M>, model: &'w M, op: &'w str, error: &'w Diagnostic) -> Self {
        let parsed = crate::op::parse(op).ok();
        let words = match &parsed {
            Some(parsed) => {
                let rest = parsed.words.iter().map(crate::op::OpWord::span);
                std::iter::once(parsed.verb.span).chain(rest).collect()
            }
            None => blanks(op),
        };
        let found = |op: &crate::op::ParsedOp<'_>| {
            let found = registry.verb(op)?;
            Some((found.verb, found.skip))
        };
        let verb = match &parsed {
            Some(parsed) => found(parsed),
            None => {
                let begun = |words: usize| {
                    let end = blanks(op).get(words - 1)?.end;
                    crate::op::parse(op.get(..end)?)
                        .ok()
                        .as_ref()
                        .and_then(found)
                };
                begun(2).or_else(|| begun(1))
            }
        };
        Self {
            registry,
            model,
            op,
            error,
            words,
            verb,
        }
    }

    fn text(&self, word: usize) -> &'w str {
        self.words.get(word).map_or("", |span| span.of(self.op))
    }

    fn params(&self) -> &'static [Param] {
        self.verb.as_ref().map_or(&[], |(verb, _)| verb.params)
    }

    /// Whether the verb deletes.
    fn deletes(&self) -> bool {
        self.verb.as_ref().is_some_and(|(verb, _)| verb.deletes)
    }

    /// Whether the verb makes something new.
    fn makes(&self) -> bool {
        match &self.verb {
            Some((verb, _)) => verb.makes(),
            None => meant_act(self.text(0), ["add"].into_iter()).is_some(),
        }
    }

    /// Whether the verb takes keys beyond its own.
    fn is_open(&self) -> bool {
        self.params()
            .iter()
            .any(|param| param.place == Place::Fields)
    }

    /// Whether the verb has this key, or takes any.
    fn has_key(&self, key: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let word = key.starts_with(|c: char| c.is_ascii_alphabetic()) && key.bytes().all(plain);
        let known = |param: &Param| param.answers_to(key) || param.answers_to(&key.to_lowercase());
        word && (self.is_open() || self.params().iter().any(known))
    }

    /// Whether the verb has this key, or its phrase ends in it: `modify track:Keys`.
    fn owns(&self, key: &str) -> bool {
        let verb = self.verb.as_ref();
        let ends = |(_, second): (&str, &str)| second == key;
        self.params().iter().any(|param| param.answers_to(key))
            || verb.is_some_and(|(verb, _)| verb.phrase.split_once(' ').is_some_and(ends))
    }

    /// The words after the phrase, by their index among all.
    fn rest(&self) -> impl Iterator<Item = usize> + '_ {
        let phrase = self
            .verb
            .as_ref()
            .map(|(_, skip)| skip.start + 1..skip.end + 1);
        (1..self.words.len())
            .filter(move |word| !phrase.as_ref().is_some_and(|phrase| phrase.contains(word)))
    }

    /// Returns whether a row has this name.
    fn is_name(&self, text: &str) -> bool {
        let mut tables = self.model.tables();
        tables.any(|(_, _, rows)| !rows.labelled(text, Level::Normalised).is_empty())
    }

    /// The op with some of its words replaced.
    fn with(&self, mut other: impl FnMut(usize, &str) -> Option<String>) -> Option<String> {
        let mut op = self.op.to_owned();
        let mut differs = false;
        let rest: Vec<usize> = self.rest().collect();
        for word in rest.into_iter().rev() {
            if let Some(text) = other(word, self.text(word)) {
                op = self.words[word].replace(&op, &text);
                differs = true;
            }
        }
        differs.then_some(op)
    }

    /// Calls `look` on the bound op, if its verb is known.
    fn bound<T>(&self, look: impl FnOnce(&Binder<'_, M>) -> T) -> Option<T> {
        let parsed = crate::op::parse(self.op).ok()?;
        let found = self.registry.verb(&parsed)?;
        let call = Call {
            op: &parsed,
            skip: found.skip,
            qualified: found.qualified,
            verb: found.verb,
            registry: self.registry,
            recent: &|_, _| Vec::new(),
            files: &Files::default(),
            sql: &crate::verb::no_conditions,
            picked: None,
        };
        Some(look(&Binder::new(self.model, &call)))
    }
}

/// The op in the words that the domain has for those of the format, or of another program.
fn foreign<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let parsed = crate::op::parse(wrong.op);
    parsed.map_or_else(|_| Vec::new(), |op| wrong.model.meant_ops(&op))
}

/// The parts between whitespace.
fn blanks(op: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for word in op.split_whitespace() {
        let at = op
            .get(start..)
            .and_then(|rest| rest.find(word))
            .unwrap_or_default()
            + start;
        start = at + word.len();
        spans.push(Span::new(at, start));
    }
    spans
}

/// Returns whether a text is a number, with or without a sign.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(plain)
}

/// Splits a word into its key, with the colon, and its value.
fn parted(word: &str) -> (&str, &str) {
    match word.find(':') {
        Some(colon) if colon > 0 => word.split_at(colon + 1),
        _ => ("", word),
    }
}
