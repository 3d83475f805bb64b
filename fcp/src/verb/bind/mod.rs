//! Binds the words of an op to the parameters of a verb.
//!
//! All faults of an op are gathered before any is reported, so that the repair fixes all of them at
//! once.

mod problem;
pub(crate) mod read;
mod surplus;

use crate::diag::Span;
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::{OpWord, Quoted, Selector, quote, quote_value, spell_param};

use super::arg::OpText;
use super::selected::selected;
use super::{Arg, Call, Param, Place, Run, Scope, Takes};

/// Typographic quotes, which do not quote here.
pub(super) const TYPOGRAPHIC: &[char] = &['“', '”', '„', '‟', '‘', '’', '‚', '«', '»', '`'];

/// The binding of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    /// The parameter.
    param: usize,
    /// The word, as an index of the op's words.
    word: usize,
}

/// A fault in the op, and its correction.
pub(super) struct Problem {
    message: String,
    span: Option<Span>,
    fix: Option<(Span, String)>,
    first: Option<String>,
    missing: Option<String>,
    look: Option<Box<str>>,
    /// Whether it is that the verb takes no selectors.
    is_of_selectors: bool,
}

/// Matches the words of one op to the parameters of its verb, and reads them.
pub struct Binder<'c, M: Domain> {
    call: &'c Call<'c, M>,
    scope: Scope<'c, M>,
    bound: Vec<Bound>,
    selectors: Vec<&'c Selector<'c>>,
    problems: Vec<Problem>,
    /// Another phrase was meant. The other words are then read by that phrase's parameters.
    misnamed: Option<Problem>,
    /// Parameters supplied by the repair of another fault: they are not missing.
    mended: Vec<usize>,
    /// Up to here, words are repaired as one text.
    joined: Option<usize>,
    /// The word in the format's own selector language that restricts the selected rows: a selector
    /// of CSS next to `@where:`.
    native: Option<usize>,
}

impl<'c, M: Domain> Binder<'c, M> {
    /// Binds words to parameters. Faults are reported by [`Self::error`].
    #[must_use]
    pub fn new(model: &'c M, call: &'c Call<'c, M>) -> Self {
        let asks = matches!(call.verb.run, Run::Ask(_));
        let scope = Scope {
            model,
            registry: call.registry,
            recent: call.recent,
            files: call.files,
            sql: call.sql,
            strict: call.verb.deletes,
            may_be_empty: asks,
            op_text: OpText::new(call.op.raw),
        };
        let mut binder = Self {
            call,
            scope,
            bound: Vec::with_capacity(call.op.words.len()),
            selectors: Vec::new(),
            problems: Vec::new(),
            misnamed: None,
            mended: Vec::new(),
            joined: None,
            native: None,
        };
        binder.quotes();
        binder.keys();
        binder.words();
        binder.selectors();
        binder
    }

    fn params(&self) -> &'static [Param] {
        self.call.verb.params
    }

    /// The parameter that a word of the op was bound to.
    pub(crate) fn param_of(&self, word: usize) -> Option<&'static Param> {
        let bound = self.bound.iter().find(|bound| bound.word == word)?;
        self.params().get(bound.param)
    }

    /// The op's words after the phrase, with their index.
    fn rest(&self) -> impl Iterator<Item = (usize, &'c OpWord<'c>)> + use<'c, M> {
        let phrase = self.call.skip.clone();
        let words = self.call.op.words.iter().enumerate();
        words.filter(move |(word, _)| !phrase.contains(word))
    }

    /// Returns whether a word is `KIND:NAME` rather than a parameter of the verb. If the verb takes
    /// all other keys, only its target word can be: later words may be keys that equal a kind's
    /// name.
    fn qualifies(&self, at: usize, word: &OpWord<'_>) -> bool {
        if self.takes_fields().is_some() {
            let first = self
                .rest()
                .find(|(_, word)| !matches!(word, OpWord::Selector(_)));
            let selects = self.takes_rows().is_some() && self.call.op.selectors().next().is_some();
            let is_target = first.is_some_and(|(first, _)| first == at);
            if selects || !self.has_target() || !is_target {
                return false;
            }
        }
        match word {
            // `text:Outro` for the parameter TEXT is a mistake, also if there are rows of that kind.
            OpWord::Param(param) if self.params().iter().any(|p| p.is_text_named(&param.key)) => {
                false
            }
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

    /// Reports typographic quotes around a word, which would be taken as part of it.
    fn quotes(&mut self) {
        for (_, word) in self.rest() {
            let (span, keyed) = match word {
                OpWord::Positional(word) if word.quoted == Quoted::No => (word.span, false),
                OpWord::Param(written) if written.quoted == Quoted::No => {
                    (written.value_span, true)
                }
                _ => continue,
            };
            let text = span.of(self.call.op.raw);
            let inner = text
                .strip_prefix(TYPOGRAPHIC)
                .and_then(|text| text.strip_suffix(TYPOGRAPHIC));
            if let Some(inner) = inner {
                let fix = if keyed {
                    quote_value(inner)
                } else {
                    quote(inner)
                };
                let message = format!("{text} has the wrong quotes; use \"");
                self.problem(message, Some(span), Some((span, fix.into_owned())));
            }
        }
    }

    /// Binds parameters written `key:value`.
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

    /// `limit:` and `from:` page every query, `as:` names the file of every export.
    fn pages(&self, key: &str) -> bool {
        match self.call.verb.run {
            Run::Ask(_) => matches!(key, "limit" | "from"),
            Run::Export(_) => key == "as" && !self.params().iter().any(|p| p.answers_to(key)),
            Run::Edit(_) | Run::Make(_) => false,
        }
    }

    /// Returns whether the op, or the repair of another fault in it, supplies a parameter.
    fn is_given(&self, param: usize) -> bool {
        self.mended.contains(&param) || self.bound.iter().any(|bound| bound.param == param)
    }

    /// Binds bare words, references and flags, in the order written.
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
        self.native = rows
            .filter(|_| any_selectors)
            .and_then(|rows| self.native(rows, slots.len()));
        let mut slots = slots.into_iter();
        let rest = self
            .params()
            .iter()
            .position(|param| param.place == Place::Rest);
        let mut last: Option<Bound> = None;
        for (word, op_word) in self.rest() {
            match op_word {
                OpWord::Selector(_) => continue,
                OpWord::Positional(_) if self.native == Some(word) => continue,
                OpWord::Param(_) if !self.qualifies(word, op_word) => continue,
                OpWord::Positional(text) if text.quoted == Quoted::No => {
                    let flag = |param: &Param| {
                        param.place == Place::Flag && param.name.eq_ignore_ascii_case(&text.text)
                    };
                    if let Some(param) = self.params().iter().position(flag) {
                        self.bound.push(Bound { param, word });
                        continue;
                    }
                    // `force` lets an export overwrite a file.
                    if matches!(self.call.verb.run, Run::Export(_)) && text.text == "force" {
                        continue;
                    }
                }
                _ => {}
            }
            let arrow = matches!(op_word, OpWord::Arrow(_));
            let slot = if arrow { rest } else { slots.next().or(rest) };
            match (slot, op_word) {
                (Some(param), OpWord::Param(written))
                    if self.params()[param].is_text() && self.names_text(&written.key) =>
                {
                    self.unknown_key(written);
                }
                (Some(param), _) => {
                    let bound = Bound { param, word };
                    self.bound.push(bound);
                    last = Some(bound);
                }
                (None, _) => self.surplus(word, last, rows.filter(|_| any_selectors)),
            }
        }
    }

    /// The first bare word of an op with selectors, if there are more than the other parameters
    /// take, and it selects rows in the format's own language.
    fn native(&self, rows: usize, slots: usize) -> Option<usize> {
        let is_word = matches!(self.params()[rows].place, Place::Word(_));
        let mut params = self.params().iter();
        if !is_word || params.any(|param| param.place == Place::Rest) {
            return None;
        }
        let is_flag = |text: &str| {
            let mut params = self.params().iter();
            params.any(|param| param.place == Place::Flag && param.name.eq_ignore_ascii_case(text))
        };
        let bare = self.rest().filter_map(|(at, word)| match word {
            OpWord::Positional(text) if text.quoted == Quoted::No && is_flag(&text.text) => None,
            OpWord::Positional(text) => Some((at, text)),
            _ => None,
        });
        let bare: Vec<_> = bare.collect();
        let (at, text) = bare.first().filter(|_| bare.len() > slots)?;
        let arg = Arg {
            quoted: text.quoted != Quoted::No,
            ..Arg::word(&text.text)
        };
        let parts: Vec<usize> = M::kinds().map(|(part, _)| part).collect();
        let selected = selected(&self.scope, &arg, &parts)?;
        selected.is_ok_and(|rows| !rows.is_empty()).then_some(*at)
    }

    /// The text of the word that restricts the selected rows; empty if there is none.
    fn native_text(&self) -> (&'c str, bool) {
        let word = self.native.and_then(|at| self.call.op.words.get(at));
        match word {
            Some(OpWord::Positional(text)) => (&text.text, text.quoted != Quoted::No),
            _ => ("", false),
        }
    }

    /// Returns whether a key names a text: by the verb itself, as in `lyric P lyric:la`, or by what
    /// some verb calls its text. Such a key was not meant as part of the text.
    pub(super) fn names_text(&self, key: &str) -> bool {
        let mut verbs = self.call.registry.verbs();
        self.call.verb.phrase == key
            || verbs.any(|verb| verb.params.iter().any(|param| param.is_text_named(key)))
    }

    /// Returns whether the first bare word names rows.
    fn has_target(&self) -> bool {
        let is_word = |param: &&Param| matches!(param.place, Place::Word(_));
        let first = self.params().iter().find(is_word);
        first.is_some_and(|param| param.takes != Takes::Value)
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

    /// The data that is available to values.
    #[must_use]
    pub const fn scope(&self) -> &Scope<'c, M> {
        &self.scope
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
            if let Some(problem) = self.problems.last_mut() {
                problem.is_of_selectors = true;
            }
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Returns whether a word only introduces the name after it: `as`, `to`.
fn is_link(word: &str) -> bool {
    let links = ["as", "to", "into", "called", "named", "=>", "="];
    links.iter().any(|link| word.eq_ignore_ascii_case(link))
}

/// Returns whether a word only separates two texts: `with`, `by`, `to`.
fn is_between(word: &str) -> bool {
    is_link(word) || ["with", "by", "->"].contains(&&*word.to_lowercase())
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
