//! From the words of an op to the parameters of a verb.
//!
//! All that is wrong with an op is gathered before anything is said, so that the repair mends all of it at once.

use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::{OpWord, Quoted, Selector, quote, quote_value, spell_param};
use crate::value::{ValueError, nearest_word};

use super::{Arg, Call, FromArg, Param, Place, Run, Scope, Takes, qualified};

/// What a word was found to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    /// The parameter.
    param: usize,
    /// The word, as an index of the op's words.
    word: usize,
}

/// Something wrong with the op, and the bytes that would mend it.
struct Problem {
    message: String,
    span: Option<Span>,
    fix: Option<(Span, String)>,
    first: Option<String>,
    missing: Option<String>,
}

/// Matches the words of one op to the parameters of its verb, and reads them.
pub struct Binder<'c, M: Domain> {
    call: &'c Call<'c, M>,
    scope: Scope<'c, M>,
    bound: Vec<Bound>,
    selectors: Vec<&'c Selector<'c>>,
    problems: Vec<Problem>,
    /// Parameters that the repair of something else gives: none of them is missing.
    mended: Vec<usize>,
    /// Up to here words are mended as one text.
    joined: Option<usize>,
}

impl<'c, M: Domain> Binder<'c, M> {
    /// Matches words to parameters. What does not fit is a problem that [`Self::error`] tells.
    #[must_use]
    pub fn new(model: &'c M, call: &'c Call<'c, M>) -> Self {
        let asks = matches!(call.verb.run, Run::Ask(_));
        let scope = Scope {
            model,
            registry: call.registry,
            recent: call.recent,
            strict: call.verb.deletes,
            may_be_empty: asks,
        };
        let mut binder = Self {
            call,
            scope,
            bound: Vec::with_capacity(call.op.words.len()),
            selectors: Vec::new(),
            problems: Vec::new(),
            mended: Vec::new(),
            joined: None,
        };
        binder.keys();
        binder.words();
        binder.selectors();
        binder
    }

    fn params(&self) -> &'static [Param] {
        self.call.verb.params
    }

    /// The op's words behind the phrase, with their index.
    fn rest(&self) -> impl Iterator<Item = (usize, &'c OpWord<'c>)> + use<'c, M> {
        self.call.op.words.iter().enumerate().skip(self.call.skip)
    }

    /// Whether a word is `KIND:NAME`, and not a parameter the verb has. Of a verb that sets fields only the word that
    /// is its target is: later ones may be fields that are called like a kind.
    fn qualifies(&self, at: usize, word: &OpWord<'_>) -> bool {
        if self.takes_fields().is_some() {
            let first = self
                .rest()
                .find(|(_, word)| !matches!(word, OpWord::Selector(_)));
            let selects = self.takes_rows().is_some() && self.call.op.selectors().next().is_some();
            if selects || self.takes_rows().is_none() || first.is_none_or(|(first, _)| first != at)
            {
                return false;
            }
        }
        match word {
            OpWord::Param(param) => {
                let key: &str = &param.key;
                let bare = |p: &Param| matches!(p.place, Place::Word(_) | Place::Rest);
                let prefix = |p: &Param| bare(p) && (p.spec)().prefixes.contains(&key);
                !self.params().iter().any(|p| p.answers_to(key))
                    && (M::kind(key).is_some() || self.params().iter().any(prefix))
            }
            _ => false,
        }
    }

    /// Parameters that are written `key:value`.
    fn keys(&mut self) {
        for (word, op_word) in self.rest() {
            let OpWord::Param(written) = op_word else {
                continue;
            };
            if self.qualifies(word, op_word) || self.pages(&written.key) {
                continue;
            }
            let Some(param) = self
                .params()
                .iter()
                .position(|param| param.answers_to(&written.key))
            else {
                match self.takes_fields() {
                    Some(param) => {
                        let twin = self
                            .fields()
                            .into_iter()
                            .find(|other| other.key == written.key);
                        match twin {
                            Some(twin) => self.twice(&written.key, twin.span, written.span),
                            None => self.bound.push(Bound { param, word }),
                        }
                    }
                    None => self.unknown_key(written),
                }
                continue;
            };
            let earlier = self
                .bound
                .iter()
                .find(|bound| bound.param == param)
                .map(|bound| bound.word);
            if let Some(earlier) = earlier
                && !self.params()[param].many
            {
                let first = self.call.op.words[earlier].span();
                self.twice(self.params()[param].name, first, written.span);
                continue;
            }
            self.bound.push(Bound { param, word });
        }
    }

    fn twice(&mut self, key: &str, first: Span, second: Span) {
        let message = format!(
            "{key}: is given twice, at bytes {} and {}",
            first.start, second.start
        );
        let fix = (self.with_blank(second), String::new());
        self.problem(message, Some(second), Some(fix));
    }

    /// `limit:` and `from:` page every query, `as:` says where every export goes.
    fn pages(&self, key: &str) -> bool {
        match self.call.verb.run {
            Run::Ask(_) => matches!(key, "limit" | "from"),
            Run::Export(_) => key == "as" && !self.params().iter().any(|p| p.answers_to(key)),
            Run::Edit(_) | Run::Make(_) => false,
        }
    }

    fn unknown_key(&mut self, written: &crate::op::Param<'_>) {
        let message = format!("{} has no {}:", self.call.verb.phrase, written.key);
        let lower = written.key.to_lowercase();
        // `by:+2` where the parameter is a bare word.
        let bare = self.params().iter().enumerate().find(|(ix, param)| {
            param.place == Place::Word(None) && param.name == lower && !self.is_given(*ix)
        });
        if let Some((ix, _)) = bare {
            let fix = (written.span, quote(&written.value).into_owned());
            self.mended.push(ix);
            self.problem(message, Some(written.key_span), Some(fix));
            return;
        }
        let params = self.params().iter().enumerate();
        let free = params.filter(|(ix, _)| !self.is_given(*ix));
        let keys: Vec<(usize, &'static str)> = free
            .flat_map(|(ix, param)| param.keys().map(move |key| (ix, key)))
            .collect();
        let near = nearest_word(&lower, keys.iter().map(|(_, key)| *key));
        let meant = keys.iter().find(|(_, key)| Some(*key) == near);
        self.mended.extend(meant.map(|(ix, _)| *ix));
        let fix = near.map(|key| (written.key_span, key.to_owned()));
        self.problem(message, Some(written.key_span), fix);
    }

    /// Whether the op, or the repair of something in it, gives a parameter.
    fn is_given(&self, param: usize) -> bool {
        self.mended.contains(&param) || self.bound.iter().any(|bound| bound.param == param)
    }

    /// Bare words, references and flags, in the order written.
    fn words(&mut self) {
        let rows = self.takes_rows();
        let any_selectors = self.call.op.selectors().next().is_some();
        let mut slots: Vec<usize> = Vec::new();
        for (ix, param) in self.params().iter().enumerate() {
            let keyed = self.bound.iter().any(|bound| bound.param == ix);
            let by_selectors = any_selectors && (Some(ix) == rows || self.named_by() == Some(ix));
            if matches!(param.place, Place::Word(_)) && !keyed && !by_selectors {
                slots.push(ix);
            }
        }
        let mut slots = slots.into_iter();
        let rest = self
            .params()
            .iter()
            .position(|param| param.place == Place::Rest);
        let mut last: Option<Bound> = None;
        for (word, op_word) in self.rest() {
            match op_word {
                OpWord::Selector(_) => continue,
                OpWord::Param(_) if !self.qualifies(word, op_word) => continue,
                OpWord::Positional(text) if text.quoted == Quoted::No => {
                    let flag = |param: &Param| {
                        param.place == Place::Flag && param.name.eq_ignore_ascii_case(&text.text)
                    };
                    if let Some(param) = self.params().iter().position(flag) {
                        self.bound.push(Bound { param, word });
                        continue;
                    }
                    // `force` lets an export write over a file.
                    if matches!(self.call.verb.run, Run::Export(_)) && text.text == "force" {
                        continue;
                    }
                }
                _ => {}
            }
            let arrow = matches!(op_word, OpWord::Arrow(_));
            let slot = if arrow { rest } else { slots.next().or(rest) };
            match slot {
                Some(param) => {
                    let bound = Bound { param, word };
                    self.bound.push(bound);
                    last = Some(bound);
                }
                None => self.surplus(word, last, rows.filter(|_| any_selectors)),
            }
        }
    }

    /// A word that no parameter takes.
    fn surplus(&mut self, word: usize, last: Option<Bound>, rows: Option<usize>) {
        let (raw, words) = (self.call.op.raw, &self.call.op.words);
        let span = words[word].span();
        if self.joined.is_some_and(|joined| span.end <= joined) {
            return;
        }
        let text = span.of(raw);
        // `dur=q` was meant as `dur:q`.
        if let Some((key, value)) = text.split_once('=')
            && let Some(ix) = self
                .params()
                .iter()
                .position(|param| param.answers_to(&key.to_lowercase()))
        {
            let param = &self.params()[ix];
            let key = if param.answers_to(key) {
                key.to_owned()
            } else {
                key.to_lowercase()
            };
            let message = format!("{text} has = where : belongs");
            self.mended.push(ix);
            self.problem(message, Some(span), Some((span, format!("{key}:{value}"))));
            return;
        }
        if let Some((ix, whole, with)) = self.unkeyed(word) {
            let message = format!("{} takes no {text} here", self.call.verb.phrase);
            self.mended.push(ix);
            self.problem(message, Some(whole), Some((whole, with)));
            self.joined = Some(whole.end);
            return;
        }
        // A text behind a key goes on.
        if let Some(OpWord::Param(written)) = word.checked_sub(1).and_then(|ix| words.get(ix))
            && written.quoted == Quoted::No
            && let Some(bound) = self.bound.iter().find(|bound| bound.word == word - 1)
            && (self.params()[bound.param].spec)().free
        {
            let more = words[word..].iter();
            let more = more.take_while(|word| matches!(word, OpWord::Positional(_)));
            let whole = more.fold(written.value_span, |whole, word| whole.to(word.span()));
            let text = whole.of(raw).replace('"', "");
            let message = format!("{text} has blanks; a text with blanks is quoted");
            self.problem(message, Some(whole), Some((whole, force_quote(&text))));
            self.joined = Some(whole.end);
            return;
        }
        if rows.is_some() {
            let message = format!("{text} stands beside selectors; name rows one way or the other");
            // Which of the two was meant cannot be told, and either alone may match more than both.
            self.problem(message, Some(span), None);
            return;
        }
        // Words behind a text were meant as one text.
        if let Some(last) = last {
            let before = words[last.word].span();
            if (self.params()[last.param].spec)().free
                && raw.get(before.end..span.start).is_some_and(is_blank)
            {
                let more = words[word..].iter();
                let more = more.take_while(|word| matches!(word, OpWord::Positional(_)));
                let whole = more.fold(before, |whole, word| whole.to(word.span()));
                let joined = whole.of(raw).replace('"', "");
                let message = format!("{text} is one word too many; a text with blanks is quoted");
                self.problem(message, Some(whole), Some((whole, force_quote(&joined))));
                self.joined = Some(whole.end);
                return;
            }
        }
        let message = format!("{} takes no {text} here", self.call.verb.phrase);
        self.problem(message, Some(span), None);
    }

    /// A value whose key is missing, or stands before it as a word: the parameter, the words, and how they are written.
    fn unkeyed(&self, word: usize) -> Option<(usize, Span, String)> {
        let (raw, words) = (self.call.op.raw, &self.call.op.words);
        let plain = |word: &OpWord<'_>| match word {
            OpWord::Positional(text) if text.quoted == Quoted::No => Some(text.span),
            _ => None,
        };
        let span = plain(&words[word])?;
        let text = span.of(raw);
        let key = text.trim_end_matches([':', '=']);
        let named = |param: &Param| param.place == Place::Key && param.answers_to(key);
        let next = words.get(word + 1).and_then(plain);
        if let (Some(ix), Some(value)) = (self.params().iter().position(named), next) {
            let written = format!("{key}:{}", value.of(raw));
            return (!self.is_given(ix)).then(|| (ix, span.to(value), written));
        }
        // A number alone goes to the key that must be given, else to the first that may.
        if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-')) {
            return None;
        }
        let free = |(ix, param): &(usize, &Param)| {
            param.place == Place::Key && !(param.spec)().free && !self.is_given(*ix)
        };
        let params = || self.params().iter().enumerate().filter(free);
        let (ix, param) = params()
            .find(|(_, param)| param.required)
            .or_else(|| params().next())?;
        Some((ix, span, format!("{}:{text}", param.name)))
    }

    fn takes_fields(&self) -> Option<usize> {
        self.params()
            .iter()
            .position(|param| param.place == Place::Fields)
    }

    /// The keys that set fields, as they were written.
    #[must_use]
    pub fn fields(&self) -> Vec<&'c crate::op::Param<'c>> {
        let Some(fields) = self.takes_fields() else {
            return Vec::new();
        };
        let words = self
            .bound
            .iter()
            .filter(|bound| bound.param == fields)
            .map(|bound| bound.word);
        words
            .filter_map(|word| match &self.call.op.words[word] {
                OpWord::Param(param) => Some(param),
                _ => None,
            })
            .collect()
    }

    /// Notes that the value of a key that sets a field is wrong.
    pub fn wrong_field(&mut self, written: &crate::op::Param<'_>, error: ValueError) {
        let fix = error.fix.as_deref().map(|fix| {
            (
                written.value_span,
                Self::respell(fix, Takes::Reference, true),
            )
        });
        self.problems.push(Problem {
            message: error.about(&format!("{}:{}", written.key, written.value)),
            span: Some(written.value_span),
            fix,
            first: error.first.map(Into::into),
            missing: error.missing.map(Into::into),
        });
    }

    /// Notes that there is no field of this name.
    pub fn no_field(&mut self, written: &crate::op::Param<'_>, what: &str, known: &[&'static str]) {
        let near = nearest_word(&written.key.to_lowercase(), known.iter().copied());
        let message = format!("{what} has no {}:", written.key);
        self.problem(
            message,
            Some(written.key_span),
            near.map(|key| (written.key_span, key.to_owned())),
        );
    }

    /// Notes that the word of a parameter is wrong, which was read as another type.
    pub fn wrong_word(&mut self, ix: usize, error: ValueError) {
        let word = self.bound.iter().find(|bound| bound.param == ix);
        let word = word.and_then(|bound| self.call.op.words.get(bound.word));
        let span = word.map(OpWord::span);
        let subject = word.and_then(OpWord::plain).unwrap_or_default();
        let fix = error.fix.as_deref().map(|fix| quote(fix).into_owned());
        self.problem(error.about(subject), span, span.zip(fix));
    }

    /// Notes anything else that is wrong.
    pub fn wrong(
        &mut self,
        message: impl Into<String>,
        span: Option<Span>,
        fix: Option<(Span, String)>,
    ) {
        self.problem(message.into(), span, fix);
    }

    /// What values may look at.
    #[must_use]
    pub const fn scope(&self) -> &Scope<'c, M> {
        &self.scope
    }

    /// The reference that was meant by a selector where none is taken: `@track:Piano` where a track is wanted.
    fn named_by(&self) -> Option<usize> {
        let first = self.call.op.selectors().next();
        first.filter(|first| self.takes_rows().is_none() && !first.negated && first.has_value)?;
        let keyed = |ix: usize| {
            self.bound.iter().any(|bound| {
                bound.param == ix && matches!(self.call.op.words[bound.word], OpWord::Param(_))
            })
        };
        let mut params = self.params().iter().enumerate();
        params
            .find(|(ix, param)| param.takes == Takes::Reference && !keyed(*ix))
            .map(|(ix, _)| ix)
    }

    fn takes_rows(&self) -> Option<usize> {
        self.params()
            .iter()
            .position(|param| param.takes == Takes::Rows)
    }

    fn selectors(&mut self) {
        self.selectors = self.call.op.selectors().collect();
        if let (None, Some(first)) = (self.takes_rows(), self.selectors.first()) {
            let (text, span) = (first.span.of(self.call.op.raw), first.span);
            let near = self.named_by();
            self.mended.extend(near);
            let fix = near.map(|ix| match self.params()[ix].place {
                Place::Key => spell_param(self.params()[ix].name, &first.value),
                _ => quote(&first.value).into_owned(),
            });
            let message = format!("{} takes no selectors: {text}", self.call.verb.phrase);
            self.problem(message, Some(span), fix.map(|fix| (span, fix)));
        }
    }

    fn problem(&mut self, message: String, span: Option<Span>, fix: Option<(Span, String)>) {
        self.problems.push(Problem {
            message,
            span,
            fix,
            first: None,
            missing: None,
        });
    }

    /// A word with the blank before it.
    fn with_blank(&self, span: Span) -> Span {
        let before = self.call.op.raw.get(..span.start).unwrap_or("");
        Span::new(before.trim_end().len(), span.end)
    }

    /// Reads a parameter that must be given. Nothing comes back if it is not or is wrong.
    pub fn required<T: FromArg<M>>(&mut self, ix: usize) -> Option<T> {
        let found = self.optional(ix)?;
        if found.is_none() && !self.mended.contains(&ix) {
            let param = self.params().get(ix)?;
            let message = format!("{} needs {}", self.call.verb.phrase, param.syntax());
            self.problem(message, None, None);
        }
        found
    }

    /// Reads a parameter that may be left out. Nothing comes back if it is wrong.
    #[allow(clippy::option_option)]
    pub fn optional<T: FromArg<M>>(&mut self, ix: usize) -> Option<Option<T>> {
        if T::TAKES == Takes::Rows && !self.selectors.is_empty() {
            let selectors = std::mem::take(&mut self.selectors);
            let span = selectors
                .iter()
                .map(|s| s.span)
                .reduce(Span::to)
                .unwrap_or_default();
            let arg = Arg {
                text: "",
                kind: None,
                quoted: false,
                span,
                whole: span,
                op: self.call.op.raw,
                selectors: &selectors,
            };
            return match T::from_arg(&arg, &self.scope) {
                Ok(value) => Some(Some(value)),
                Err(error) => {
                    self.wrong_selector(error, &selectors);
                    None
                }
            };
        }
        match self
            .bound
            .iter()
            .find(|bound| bound.param == ix)
            .map(|bound| bound.word)
        {
            None => Some(None),
            Some(word) => self.read(ix, word).map(Some),
        }
    }

    /// Reads a parameter that takes several words.
    pub fn many<T: FromArg<M>>(&mut self, ix: usize) -> Option<Vec<T>> {
        let words: Vec<usize> = self
            .bound
            .iter()
            .filter(|b| b.param == ix)
            .map(|b| b.word)
            .collect();
        let mut values = Vec::with_capacity(words.len());
        let mut sound = true;
        for word in words {
            match self.read(ix, word) {
                Some(value) => values.push(value),
                None => sound = false,
            }
        }
        sound.then_some(values)
    }

    /// Whether a flag stands in the op.
    #[must_use]
    pub fn flag(&self, ix: usize) -> bool {
        self.bound.iter().any(|bound| bound.param == ix)
    }

    fn read<T: FromArg<M>>(&mut self, ix: usize, word: usize) -> Option<T> {
        let op_word = self.call.op.words.get(word)?;
        let param = self.params().get(ix)?;
        let by_key = matches!(op_word, OpWord::Param(written) if param.answers_to(&written.key));
        let arg = match op_word {
            OpWord::Param(written) if by_key => Arg {
                text: &written.value,
                kind: None,
                quoted: written.quoted == Quoted::Whole,
                span: written.value_span,
                whole: written.span,
                op: self.call.op.raw,
                selectors: &[],
            },
            OpWord::Param(written) => Arg {
                text: &written.value,
                kind: Some(&written.key),
                quoted: written.quoted != Quoted::No,
                span: written.span,
                whole: written.span,
                op: self.call.op.raw,
                selectors: &[],
            },
            OpWord::Positional(text) => Arg {
                text: &text.text,
                kind: None,
                quoted: text.quoted != Quoted::No,
                span: text.span,
                whole: text.span,
                op: self.call.op.raw,
                selectors: &[],
            },
            OpWord::Arrow(arrow) => Arg {
                span: arrow.span,
                whole: arrow.span,
                op: self.call.op.raw,
                ..Arg::word(arrow.kind.as_str())
            },
            OpWord::Selector(_) => return None,
        };
        match T::from_arg(&arg, &self.scope) {
            Ok(value) => Some(value),
            Err(error) => {
                let subject = match arg.kind {
                    Some(kind) => format!("{kind}:{}", arg.text),
                    None if by_key => format!("{}:{}", param.name, arg.text),
                    None => arg.text.to_owned(),
                };
                let kind = arg.kind.filter(|_| T::TAKES != Takes::Value);
                let fix = error.fix.as_deref().map(|fix| {
                    // What was qualified stays so: the phrase may hang on the kind.
                    let kind = kind.filter(|_| !fix.contains([':', '#']));
                    let fix = kind.map_or_else(|| fix.to_owned(), |kind| format!("{kind}:{fix}"));
                    (arg.span, Self::respell(&fix, T::TAKES, by_key))
                });
                self.problems.push(Problem {
                    message: error.about(&subject),
                    span: Some(arg.span),
                    fix,
                    first: error.first.map(Into::into),
                    missing: error.missing.map(Into::into),
                });
                None
            }
        }
    }

    /// A fix as a word of its own, or behind a key. A reference `db:Orders` keeps its kind; other text is quoted where
    /// it would be misread.
    fn respell(fix: &str, takes: Takes, by_key: bool) -> String {
        let reference = qualified::<M>(fix).filter(|_| takes != Takes::Value);
        reference.unwrap_or_else(|| match by_key {
            true => quote_value(fix).into_owned(),
            false => quote(fix).into_owned(),
        })
    }

    fn wrong_selector(&mut self, error: ValueError, selectors: &[&Selector<'_>]) {
        // Which one is wrong shows in the fix, or in the message; a single one needs no telling.
        let at = error.selector.map(usize::from);
        let span = at
            .and_then(|at| selectors.get(at))
            .map(|selector| selector.span);
        let fix = span.zip(error.selector_fix.as_deref().map(str::to_owned));
        let subject = span.map_or("", |span| span.of(self.call.op.raw));
        self.problems.push(Problem {
            message: error.about(subject),
            span,
            fix,
            first: error.first.map(Into::into),
            missing: error.missing.map(Into::into),
        });
    }

    /// Whether everything fitted.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// What did not fit, as one error whose repair mends all of it.
    #[must_use]
    pub fn error(self) -> Diagnostic {
        let mut problems = self.problems;
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
        // Later spans first, so that earlier ones stay true.
        let mut mended = Some(self.call.op.raw.to_owned());
        let mut end = usize::MAX;
        for problem in problems.iter().rev() {
            mended = match (mended, &problem.fix) {
                (Some(raw), Some((span, with))) if span.end <= end => {
                    end = span.start;
                    Some(span.replace(&raw, with))
                }
                _ => None,
            };
        }
        if let Some(op) = mended.filter(|op| op != self.call.op.raw) {
            return error.or_try(op);
        }
        if let Some(first) = problems.into_iter().find_map(|problem| problem.first) {
            return error.or_try(first);
        }
        error.or_syntax(self.call.verb.syntax())
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// A text in quotes, whether it needs them or not.
fn force_quote(text: &str) -> String {
    let quoted = quote(text);
    if quoted.starts_with(['"', '\'']) {
        quoted.into_owned()
    } else {
        format!("\"{quoted}\"")
    }
}
