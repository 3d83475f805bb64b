//! What was perhaps meant by an op that is wrong in its form: written as in another language, cut otherwise, a word
//! short or a word too long.
//!
//! A guess is a whole op. Whether it is one that works, the session finds out by a rehearsal before it is shown, so a
//! guess may be wrong; it must not do more than what was sent could have meant. What the binder knows how to mend is
//! not guessed.

mod cuts;
mod gaps;
mod kept;
mod loose;
mod near;
mod notations;

use std::ops::Range;

pub(crate) use kept::leaves_out;

use super::{Binder, Call, Files, Param, Place, Registry, Verb};
use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::model::{Level, ModelExt};

/// No longer op is guessed at: each guess is a copy of it.
const LONGEST: usize = 8 * 1024;

/// How many guesses of a sort are made of one op.
const MOST: usize = 16;

/// An op that is wrong, and where it stands.
struct Wrong<'w, M: Domain> {
    registry: &'w Registry<M>,
    model: &'w M,
    op: &'w str,
    error: &'w Diagnostic,
    /// The words, or what blanks separate where they are none.
    words: Vec<Span>,
    /// Where one is called, and which words behind the first belong to its phrase.
    verb: Option<(&'static Verb<M>, Range<usize>)>,
}

/// One way to be wrong: what was meant if it is that, the likeliest first.
type Rule<M> = fn(&Wrong<'_, M>) -> Vec<String>;

/// Ops that may have been meant by one that is wrong, the likeliest first.
#[derive(Default)]
pub(crate) struct Guesses {
    /// With selectors as words of their own. Any other repair would leave out what they say.
    pub glued: Option<String>,
    /// What says the same in the form of an op. It goes before any repair if it works as it is.
    pub form: Vec<String>,
    /// With a number and its unit as one word, and where that stands: what it comes to is a number too.
    pub counted: Vec<(String, Span)>,
    /// The same word behind one key or another: what is meant is told only if it is one alone.
    pub keyed: Vec<String>,
    /// What something is added to, or taken from.
    pub gaps: Vec<String>,
    /// Without one word or another, or with one behind another key: which is meant is told only if it is one alone.
    pub surplus: Vec<String>,
}

/// Ops that may have been meant by one that is wrong.
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
        glued: cuts::glued(&wrong),
        counted: cuts::counted(&wrong),
        form: all(&[
            notations::bare,
            notations::object,
            notations::call,
            notations::quotes,
            notations::arrows,
            notations::phrase,
            loose::ways,
            cuts::keys,
            cuts::lists,
            cuts::brackets,
            cuts::behind_keys,
            cuts::marks,
            cuts::pairs,
            cuts::spans,
            loose::beside,
            near::kinds,
            near::verbs,
            near::targets,
            near::keys,
            near::selectors,
            near::values,
        ]),
        keyed: all(&[loose::keyed]),
        gaps: all(&[
            cuts::unclosed,
            cuts::unquoted,
            cuts::joined,
            gaps::units,
            gaps::missing,
        ]),
        surplus: all(&[gaps::surplus, near::others]),
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

    /// The verb deletes.
    fn deletes(&self) -> bool {
        self.verb.as_ref().is_some_and(|(verb, _)| verb.deletes)
    }

    /// The verb takes keys that it has not.
    fn is_open(&self) -> bool {
        self.params()
            .iter()
            .any(|param| param.place == Place::Fields)
    }

    /// The verb has such a key, or takes any.
    fn has_key(&self, key: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let word = key.starts_with(|c: char| c.is_ascii_alphabetic()) && key.bytes().all(plain);
        let known = |param: &Param| param.answers_to(key) || param.answers_to(&key.to_lowercase());
        word && (self.is_open() || self.params().iter().any(known))
    }

    /// The verb has such a key, or its phrase ends in it: `modify track:Keys`.
    fn owns(&self, key: &str) -> bool {
        let verb = self.verb.as_ref();
        let ends = |(_, second): (&str, &str)| second == key;
        self.params().iter().any(|param| param.answers_to(key))
            || verb.is_some_and(|(verb, _)| verb.phrase.split_once(' ').is_some_and(ends))
    }

    /// The words behind the phrase, by their place among all.
    fn rest(&self) -> impl Iterator<Item = usize> + '_ {
        let phrase = self
            .verb
            .as_ref()
            .map(|(_, skip)| skip.start + 1..skip.end + 1);
        (1..self.words.len())
            .filter(move |word| !phrase.as_ref().is_some_and(|phrase| phrase.contains(word)))
    }

    /// Whether a row is called so.
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

    /// The op as it is bound, as far as it can be.
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

/// What blanks separate.
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

/// Whether a text is a number, with or without a sign.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(plain)
}

/// A word in its key, with the colon, and its value.
fn parted(word: &str) -> (&str, &str) {
    match word.find(':') {
        Some(colon) if colon > 0 => word.split_at(colon + 1),
        _ => ("", word),
    }
}
