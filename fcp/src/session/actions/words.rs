//! The words of an action of the runtime's own.

use std::borrow::Cow;

use crate::diag::{Diagnostic, Result, Span};
use crate::op::{OpWord, ParsedOp, Quoted};
use crate::value::nearest_word;

/// The words of an action, sorted.
pub(super) struct Words<'a> {
    /// The bare words that are no flags.
    pub bare: Vec<Cow<'a, str>>,
    keys: Vec<(&'a str, &'a str)>,
    flags: Vec<&'static str>,
}

impl<'a> Words<'a> {
    /// Sorts the words of an action that takes these keys and flags, and at most `most` other words.
    pub fn of(
        action: &'a ParsedOp<'a>,
        syntax: &str,
        keys: &[&'static str],
        flags: &[&'static str],
        most: usize,
    ) -> Result<Self> {
        let mut words = Self {
            bare: Vec::new(),
            keys: Vec::new(),
            flags: Vec::new(),
        };
        for word in &action.words {
            let span = word.span();
            let text = span.of(action.raw);
            match word {
                OpWord::Positional(word) => {
                    let flag = flags
                        .iter()
                        .find(|flag| flag.eq_ignore_ascii_case(&word.text));
                    match flag.filter(|_| word.quoted == Quoted::No) {
                        Some(flag) => words.flags.push(flag),
                        None if words.bare.len() < most => words.bare.push(word.text.clone()),
                        None => {
                            let error = Diagnostic::new(format!(
                                "{} takes no {text} here",
                                action.verb.text
                            ))
                            .at(span);
                            let near = nearest_word(&word.text, flags.iter().copied());
                            return Err(match (near, most) {
                                (Some(near), _) => error.or_try(span.replace(action.raw, near)),
                                // A path or a name with blanks was not quoted.
                                (None, 1) => {
                                    let from = action.words.iter().find_map(|w| match w {
                                        OpWord::Positional(first) => Some(first.span.start),
                                        _ => None,
                                    });
                                    let whole = Span::new(from.unwrap_or(span.start), span.end);
                                    let quoted =
                                        format!("\"{}\"", whole.of(action.raw).replace('"', ""));
                                    error.or_try(whole.replace(action.raw, &quoted))
                                }
                                _ => error.or_syntax(syntax),
                            });
                        }
                    }
                }
                OpWord::Param(param)
                    if keys.contains(&&*param.key) || *param.key == *action.verb.text =>
                {
                    if words.keys.iter().any(|(key, _)| *key == param.key) {
                        return Err(Diagnostic::new(format!("{}: is given twice", param.key))
                            .or_syntax(syntax));
                    }
                    words.keys.push((&param.key, &param.value));
                }
                OpWord::Param(param) => {
                    let error =
                        Diagnostic::new(format!("{} has no {}:", action.verb.text, param.key))
                            .at(span);
                    return Err(
                        match nearest_word(&param.key.to_lowercase(), keys.iter().copied()) {
                            Some(near) => error.or_try(param.key_span.replace(action.raw, near)),
                            None => error.or_syntax(syntax),
                        },
                    );
                }
                OpWord::Selector(_) | OpWord::Arrow(_) => {
                    let error =
                        Diagnostic::new(format!("{} takes no {text}", action.verb.text)).at(span);
                    return Err(error.or_syntax(syntax));
                }
            }
        }
        Ok(words)
    }

    /// The value of a key.
    pub fn key(&self, key: &str) -> Option<&'a str> {
        self.keys
            .iter()
            .find(|(own, _)| *own == key)
            .map(|(_, value)| *value)
    }

    /// Whether a flag stands there.
    pub fn flag(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }
}
