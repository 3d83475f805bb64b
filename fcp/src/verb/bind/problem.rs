//! Faults of an op, reported and repaired as one.

use super::{Binder, Problem, force_quote, is_link};
use crate::diag::{Diagnostic, Repair, Span};
use crate::domain::Domain;
use crate::op::{OpWord, Quoted, quote, repeated};
use crate::value::{FcpValue, Name, ValueError, is_synonym, meant_field, meant_key};
use crate::verb::guess::turns;
use crate::verb::{Param, Place, Takes};

impl<'c, M: Domain> Binder<'c, M> {
    pub(super) fn problem(
        &mut self,
        message: String,
        span: Option<Span>,
        fix: Option<(Span, String)>,
    ) {
        self.problems.push(Problem {
            message,
            span,
            fix,
            first: None,
            missing: None,
            look: None,
            is_of_selectors: false,
        });
    }

    pub(super) fn twice(&mut self, key: &str, first: Span, second: Span) {
        let message = format!(
            "{key}: is given twice, at bytes {} and {}",
            first.start, second.start
        );
        let again = repeated(self.call.op.raw, first, second);
        let fix = again.map(|span| (span, String::new()));
        self.problem(message, Some(second), fix);
    }

    pub(super) fn unknown_key(&mut self, written: &crate::op::Param<'_>) {
        let message = format!("{} has no {}:", self.call.verb.phrase, written.key);
        let lower = written.key.to_lowercase();
        // `by:+2` if the parameter is a bare word.
        let bare = self.params().iter().enumerate().find(|(ix, param)| {
            param.place == Place::Word(None) && param.name == lower && !self.is_given(*ix)
        });
        if let Some((ix, _)) = bare {
            return self.without_key(ix, written, message);
        }
        let params = self.params().iter().enumerate();
        // A key written later in the op is not missing.
        let is_written = |param: &Param| {
            let mut written = self.call.op.params();
            written.any(|written| param.answers_to(&written.key))
        };
        let free = params.filter(|(ix, param)| !self.is_given(*ix) && !is_written(param));
        let keys: Vec<(usize, &'static str)> = free
            .flat_map(|(ix, param)| param.keys().map(move |key| (ix, key)))
            .collect();
        // If exactly one required key is missing, any other key may have been meant as it: `at:5`
        // for `to:5`.
        let wanted = |param: &Param| param.required && param.place == Place::Key;
        let mut wanted = keys.iter().filter(|(ix, _)| wanted(&self.params()[*ix]));
        let only = match (wanted.next(), wanted.next()) {
            (Some((_, key)), None) => Some(*key),
            _ => None,
        };
        // A signed value is a distance, not a position.
        let only = only.filter(|_| !written.value.starts_with(['+', '-']) && !is_apart(&lower));
        let near = meant_key(&lower, keys.iter().map(|(_, key)| *key)).or(only);
        // `semitones:2` if the bare word is `by`.
        let bare = self.params().iter().enumerate().find(|(ix, param)| {
            let is_bare = param.place == Place::Word(None) && !self.is_given(*ix);
            near.is_none() && is_bare && is_synonym(&lower, param.name)
        });
        if let Some((ix, _)) = bare {
            return self.without_key(ix, written, message);
        }
        // `width:=w` for the NAME and VALUE of `set`.
        if near.is_none() && written.value.starts_with('=') {
            let lacking = self.params().iter().enumerate().filter(|(ix, param)| {
                let word = matches!(param.place, Place::Word(_)) && param.takes == Takes::Value;
                word && param.required && !self.is_given(*ix)
            });
            let lacking: Vec<(usize, &Param)> = lacking.collect();
            if let [(first, name), (second, value)] = lacking.as_slice()
                && name.name == "name"
            {
                let key = format!("{} {}", written.key, value.name);
                self.mended.extend([*first, *second]);
                self.problem(
                    message,
                    Some(written.key_span),
                    Some((written.key_span, key)),
                );
                return;
            }
        }
        // The word may be an unquoted text with a colon in it, or a place: `at 1:02.5`.
        let lacking = self.params().iter().enumerate().find(|(ix, param)| {
            let word = matches!(param.place, Place::Word(_)) && param.takes == Takes::Value;
            word && param.required && !self.is_given(*ix)
        });
        let bare = |at: &usize| matches!(self.call.op.words.get(*at), Some(OpWord::Positional(_)));
        let words = self.rest().filter(|(at, _)| bare(at)).count();
        let places = lacking.map(|(ix, _)| {
            let before = &self.params()[..ix];
            before
                .iter()
                .filter(|param| matches!(param.place, Place::Word(_)))
                .count()
        });
        if let Some((ix, param)) = lacking.filter(|_| places == Some(words))
            && written.quoted == Quoted::No
            && match (param.spec)() {
                spec if spec.free => near.is_none() || near != Some(&*lower) && lower.len() < 3,
                // Only values that may contain a colon.
                spec => near.is_none() && !spec.prefixes.is_empty(),
            }
        {
            let spec = (param.spec)();
            let names_it =
                spec.free && self.names_text(&lower) || spec == Name::SPEC && is_link(&lower);
            let whole = match names_it {
                true => quote(&written.value).into_owned(),
                false => force_quote(written.span.of(self.call.op.raw)),
            };
            let fix = (written.span, whole);
            self.mended.push(ix);
            self.problem(message, Some(written.key_span), Some(fix));
            return;
        }
        let meant = keys.iter().find(|(_, key)| Some(*key) == near);
        self.mended.extend(meant.map(|(ix, _)| *ix));
        let fix = near.map(|key| (written.key_span, key.to_owned()));
        self.problem(message, Some(written.key_span), fix);
    }

    /// Reports a key before a bare word, the parameter at an index.
    fn without_key(&mut self, ix: usize, written: &crate::op::Param<'_>, message: String) {
        let fix = (written.span, quote(&written.value).into_owned());
        self.mended.push(ix);
        self.problem(message, Some(written.key_span), Some(fix));
    }

    /// Reports that there is no field of this name. If `is_sure`, the first known one was meant.
    pub fn no_field(
        &mut self,
        written: &crate::op::Param<'_>,
        what: &str,
        known: &[&'static str],
        is_sure: bool,
    ) {
        let meant = known.first().filter(|_| is_sure);
        let known = known.iter().copied();
        let mut problem = Problem::unknown(&written.key, written.key_span, what, known);
        if let Some(meant) = meant {
            problem.fix = Some((written.key_span, (*meant).to_owned()));
        }
        self.problems.push(problem);
    }

    /// Reports a wrong value for a key that sets a field.
    pub fn wrong_field(&mut self, written: &crate::op::Param<'_>, error: ValueError) {
        let text = format!("{}:{}", written.key, written.value);
        let spell = |fix: &str| Self::respell(fix, Takes::Reference, true);
        let problem = Problem::wrong(&text, written.value_span, error, spell);
        self.problems.push(problem);
    }

    /// Reports a wrong word for a parameter that was read as another type.
    pub fn wrong_word(&mut self, ix: usize, error: ValueError) {
        let word = self.bound.iter().find(|bound| bound.param == ix);
        let word = word.and_then(|bound| self.call.op.words.get(bound.word));
        let span = word.map(OpWord::span);
        let subject = word.and_then(OpWord::plain).unwrap_or_default();
        let fix = error.fix.as_deref().map(|fix| quote(fix).into_owned());
        self.problem(error.about(subject), span, span.zip(fix));
    }

    /// Reports any other fault.
    pub fn wrong(
        &mut self,
        message: impl Into<String>,
        span: Option<Span>,
        fix: Option<(Span, String)>,
    ) {
        self.problem(message.into(), span, fix);
    }

    /// Returns whether everything fitted.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.problems.is_empty() && self.misnamed.is_none()
    }

    /// The faults as one error, whose repair fixes all of them.
    #[must_use]
    pub fn error(self) -> Diagnostic {
        let syntax = || self.call.verb.syntax();
        let problems = match self.misnamed {
            Some(problem) => vec![problem],
            None => self.problems,
        };
        match Problem::report(problems, self.call.op.raw) {
            error if error.repair == Repair::None => error.or_syntax(syntax()),
            error => error,
        }
    }
}

/// Whether a key says a distance, a source or a side of a place, so that another key does not mean
/// the same.
fn is_apart(key: &str) -> bool {
    meant_key(key, ["by", "from"].into_iter()).is_some() || turns(key)
}

impl Problem {
    /// A key that `what` does not have.
    pub(in crate::verb) fn unknown<'a>(
        key: &str,
        span: Span,
        what: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<&str> = known.collect();
        let near = meant_field(key, known.iter().copied());
        Self {
            message: format!("{what} has no {key}:"),
            span: Some(span),
            fix: near.map(|near| (span, near.to_owned())),
            first: None,
            missing: None,
            look: None,
            is_of_selectors: false,
        }
    }

    /// A text that is not a valid value. `spell` writes the correction in the op's syntax.
    pub(in crate::verb) fn wrong(
        text: &str,
        span: Span,
        error: ValueError,
        spell: impl Fn(&str) -> String,
    ) -> Self {
        Self {
            message: error.about(text),
            span: Some(span),
            fix: error.fix.as_deref().map(|fix| (span, spell(fix))),
            first: error.first.map(Into::into),
            missing: error.missing.map(Into::into),
            look: error.look,
            is_of_selectors: false,
        }
    }

    /// Several faults as one error, whose repair fixes all of them.
    pub(in crate::verb) fn report(mut problems: Vec<Self>, op: &str) -> Diagnostic {
        problems.sort_by_key(|problem| problem.span.map_or(usize::MAX, |span| span.start));
        let mut messages: Vec<&str> = Vec::new();
        for problem in &problems {
            if !messages.contains(&problem.message.as_str()) {
                messages.push(&problem.message);
            }
        }
        let mut message = messages
            .iter()
            .take(2)
            .copied()
            .collect::<Vec<_>>()
            .join("; ");
        if messages.len() > 2 {
            message.push_str(&format!("; and {} more", messages.len() - 2));
        }
        let mut error = Diagnostic::new(message);
        error.span = problems.first().and_then(|problem| problem.span);
        error.missing = problems.iter().find_map(|problem| problem.missing.clone());
        error.look = problems.iter().find_map(|problem| problem.look.clone());
        // Later spans first, so that earlier ones remain valid.
        let mut mended = Some(op.to_owned());
        let mut end = usize::MAX;
        for problem in problems.iter().rev() {
            mended = match (mended, &problem.fix) {
                (Some(op), Some((span, with))) if span.end <= end => {
                    end = span.start;
                    Some(span.replace(&op, with))
                }
                _ => None,
            };
        }
        if let Some(mended) = mended.filter(|mended| mended != op) {
            return error.or_try(mended);
        }
        // Suggest making the missing row first only if nothing else is wrong: otherwise the word
        // may not be a name at all.
        let alone = problems.len() == 1;
        match problems.into_iter().find_map(|problem| problem.first) {
            Some(first) if alone => error.or_try(first),
            _ => error,
        }
    }
}
