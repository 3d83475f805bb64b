//! The words of one of the runtime's own actions.

use std::borrow::Cow;

use crate::diag::{Diagnostic, Result, Span, short_name};
use crate::op::{OpWord, ParsedOp, Quoted, quote, quote_value};
use crate::value::nearest_word;

/// The bare word that an action takes, other than flags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// No bare word.
    None,
    /// One word.
    Word,
    /// A name or a path, which may contain whitespace.
    Text,
}

/// The words that an action takes.
pub(super) struct Form {
    /// Its syntax line.
    pub syntax: &'static str,
    /// Its keys.
    pub keys: &'static [&'static str],
    /// Its flags.
    pub flags: &'static [&'static str],
    /// Its bare word.
    pub bare: Bare,
}

/// A word of an action, with its span.
#[derive(Clone)]
pub(super) struct Given<'a> {
    /// The word, without key and quotes.
    pub text: Cow<'a, str>,
    /// Its span, quotes included.
    span: Span,
    /// Whether it follows a key.
    keyed: bool,
}

impl Given<'_> {
    /// The action with this word replaced.
    pub fn replaced(&self, action: &ParsedOp<'_>, text: &str) -> String {
        let word = if self.keyed {
            quote_value(text)
        } else {
            quote(text)
        };
        self.span.replace(action.raw, &word)
    }
}

/// The words of an action, sorted.
pub(super) struct Words<'a> {
    /// The bare word that is not a flag.
    pub bare: Option<Given<'a>>,
    keys: Vec<(&'a str, Given<'a>)>,
    flags: Vec<&'static str>,
}

impl<'a> Words<'a> {
    /// Sorts the words of an action. Its first word may be `verb:word`.
    pub fn of(action: &'a ParsedOp<'a>, form: &Form) -> Result<Self> {
        Self::with(action, form, &[]).map_err(|error| error.or_syntax(form.syntax))
    }

    /// Sorts the words of an action that takes more keys than its form lists.
    pub fn with(action: &'a ParsedOp<'a>, form: &Form, more: &[&str]) -> Result<Self> {
        let mut words = Self {
            bare: None,
            keys: Vec::new(),
            flags: Vec::new(),
        };
        for (ix, word) in action.words.iter().enumerate() {
            let span = word.span();
            match word {
                OpWord::Positional(word) => {
                    let given = Given {
                        text: word.text.clone(),
                        span,
                        keyed: false,
                    };
                    if word.quoted == Quoted::No {
                        lone_key(action, (form, more), &given, ix)?;
                    }
                    words.bare(action, form, given, word.quoted, ix)?;
                }
                OpWord::Param(param) if span.start == 0 => {
                    let given = Given {
                        text: param.value.clone(),
                        span: param.value_span,
                        keyed: true,
                    };
                    words.bare(action, form, given, param.quoted, ix)?;
                }
                OpWord::Param(param) => words.key(action, form, more, param)?,
                OpWord::Selector(_) | OpWord::Arrow(_) => {
                    let text = span.of(action.raw);
                    let message = format!("{} takes no {text}", action.verb.text);
                    return Err(Diagnostic::new(message).at(span).or_syntax(form.syntax));
                }
            }
        }
        Ok(words)
    }

    fn bare(
        &mut self,
        action: &ParsedOp<'_>,
        form: &Form,
        given: Given<'a>,
        quoted: Quoted,
        ix: usize,
    ) -> Result<()> {
        let mut flags = form.flags.iter();
        let flag = flags.find(|flag| flag.eq_ignore_ascii_case(&given.text));
        if let Some(flag) = flag.filter(|_| quoted == Quoted::No) {
            self.flags.push(flag);
            return Ok(());
        }
        if self.bare.is_none() && form.bare != Bare::None {
            self.bare = Some(given);
            return Ok(());
        }
        let shown = short_name(given.span.of(action.raw));
        let message = format!("{} takes no {shown} here", action.verb.text);
        let error = Diagnostic::new(message).at(given.span);
        if let Some(near) = nearest_word(&given.text, form.flags.iter().copied()) {
            return Err(error.or_try(given.span.replace(action.raw, near)));
        }
        // An unquoted path or name with spaces.
        let first = self.bare.as_ref().filter(|_| form.bare == Bare::Text);
        Err(match first {
            Some(first) => {
                let rest = action.words.get(ix..).unwrap_or(&[]).iter();
                let rest = rest.take_while(|word| matches!(word, OpWord::Positional(_)));
                let whole = rest.fold(first.span, |whole, word| whole.to(word.span()));
                let text = whole.of(action.raw).replace(['"', '\''], "");
                let whole = Given {
                    span: whole,
                    ..first.clone()
                };
                error.or_try(whole.replaced(action, &text))
            }
            None => error.or_syntax(form.syntax),
        })
    }

    fn key(
        &mut self,
        action: &ParsedOp<'_>,
        form: &Form,
        more: &[&str],
        param: &'a crate::op::Param<'a>,
    ) -> Result<()> {
        let key: &str = &param.key;
        // Programs that bind every argument to a key send `force:true`.
        if let Some(flag) = form.flags.iter().find(|flag| **flag == key) {
            match &*param.value {
                "true" => self.flags.push(flag),
                "false" => {}
                _ => {
                    return Err(Diagnostic::new(format!("{flag} takes no value"))
                        .or_try(param.span.replace(action.raw, flag)));
                }
            }
            return Ok(());
        }
        if form.keys.contains(&key) || more.contains(&key) {
            if self.keys.iter().any(|(other, _)| *other == key) {
                return Err(
                    Diagnostic::new(format!("{key}: is given twice")).or_syntax(form.syntax)
                );
            }
            let given = Given {
                text: param.value.clone(),
                span: param.value_span,
                keyed: true,
            };
            self.keys.push((&param.key, given));
            return Ok(());
        }
        let message = format!("{} has no {key}:", action.verb.text);
        let error = Diagnostic::new(message).at(param.span);
        let keys = form.keys.iter().chain(more).copied();
        let near = nearest_word(&key.to_lowercase(), keys);
        Err(match near {
            Some(near) => error.or_try(param.key_span.replace(action.raw, near)),
            None => error.or_syntax(form.syntax),
        })
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&Given<'a>> {
        let mut keys = self.keys.iter();
        keys.find(|(own, _)| *own == key).map(|(_, given)| given)
    }

    /// The only path, given bare or as one of these keys.
    pub fn path(
        &self,
        action: &ParsedOp<'_>,
        form: &Form,
        keys: &[&str],
    ) -> Result<Option<&Given<'a>>> {
        // `as=song.mid` was meant as `as:song.mid`; a file of this name is in quotes.
        if let Some(bare) = &self.bare
            && let Some((key, path)) = bare.span.of(action.raw).split_once('=')
            && keys.contains(&key)
        {
            let error = Diagnostic::new(format!("{key}={path} has = instead of :"));
            let fixed = bare.span.replace(action.raw, &format!("{key}:{path}"));
            return Err(error.or_try(fixed));
        }
        let keyed = keys.iter().filter_map(|key| self.value(key));
        let mut all = self.bare.iter().chain(keyed);
        match (all.next(), all.next()) {
            (_, Some(_)) => {
                let error = Diagnostic::new(format!("{} takes one path", action.verb.text));
                // A misspelled flag looks like a path.
                let flag = self.bare.as_ref().and_then(|bare| {
                    let near = nearest_word(&bare.text, form.flags.iter().copied())?;
                    Some(bare.span.replace(action.raw, near))
                });
                Err(match flag {
                    Some(fixed) => error.or_try(fixed),
                    None => error.or_syntax(form.syntax),
                })
            }
            (path, None) => Ok(path),
        }
    }

    /// Returns whether a flag is given.
    pub fn flag(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }
}

/// Rejects a key without a value: `as:`, or `as` if the syntax has `as:`.
fn lone_key(
    action: &ParsedOp<'_>,
    (form, more): (&Form, &[&str]),
    given: &Given<'_>,
    ix: usize,
) -> Result<()> {
    let bare = given.text.strip_suffix(':');
    let is_meant = |key: &str| match bare {
        Some(bare) => bare == key,
        None => *given.text == *key && form.syntax.contains(&format!("{key}:")),
    };
    let mut keys = form.keys.iter().chain(more);
    let Some(key) = keys.find(|key| is_meant(key)) else {
        return Ok(());
    };
    let behind = action.words.get(ix + 1..).unwrap_or(&[]).iter();
    let value = behind.map_while(|word| Some((word.plain()?, word.span())));
    let value: Vec<_> = value
        .take_while(|(word, _)| !form.flags.contains(word))
        .collect();
    let error = Diagnostic::new(format!("{key}: has no value"));
    Err(match (value.first(), value.last()) {
        (Some((_, first)), Some((_, last))) => {
            let value = first.to(*last).of(action.raw).replace(['"', '\''], "");
            let whole = given.span.to(*last);
            error.or_try(whole.replace(action.raw, &crate::op::spell_param(key, &value)))
        }
        _ => error,
    })
}
