//! Words that fit nowhere, and the places where they may belong.

use super::{Binder, Bound, force_quote, is_between, is_blank, is_link};
use crate::diag::Span;
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::{OpWord, Quoted, quote, spell_param};
use crate::value::{Color, FcpValue, Name, nearest_word};
use crate::verb::guess::{filler, turns};
use crate::verb::{Param, Place, Takes};

impl<'c, M: Domain> Binder<'c, M> {
    /// Reports a word that no parameter takes.
    pub(super) fn surplus(&mut self, word: usize, last: Option<Bound>, rows: Option<usize>) {
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
            let message = format!("{text} has = instead of :");
            self.mended.push(ix);
            self.problem(message, Some(span), Some((span, format!("{key}:{value}"))));
            return;
        }
        if let Some(near) = self.second_word(word, text) {
            let message = format!("{} takes no {text} here", self.call.verb.phrase);
            self.problem(message, Some(span), Some((span, near.to_owned())));
            self.misnamed = self.problems.pop();
            return;
        }
        if let Some((ix, whole, with)) = self.unkeyed(word) {
            let message = format!("{} takes no {text} here", self.call.verb.phrase);
            self.mended.push(ix);
            self.problem(message, Some(whole), Some((whole, with)));
            self.joined = Some(whole.end);
            return;
        }
        if let Some((ix, with)) = self.file_name(word) {
            let message = format!("{} takes no {text} here", self.call.verb.phrase);
            self.mended.push(ix);
            self.problem(message, Some(span), Some((span, with)));
            return;
        }
        // A text after a key continues.
        if let Some(OpWord::Param(written)) = word.checked_sub(1).and_then(|ix| words.get(ix))
            && written.quoted == Quoted::No
            && let Some(bound) = self.bound.iter().find(|bound| bound.word == word - 1)
            && (self.params()[bound.param].spec)().free
        {
            let more = words[word..].iter();
            let more = more.take_while(|word| matches!(word, OpWord::Positional(_)));
            let whole = more.fold(written.value_span, |whole, word| whole.to(word.span()));
            self.joined = Some(whole.end);
            // With the sign in the quotes, an expression would be a text.
            if let Some(expr) = whole.of(raw).strip_prefix('=') {
                let message = format!("{expr} has spaces; quote an expression with spaces");
                let expr = expr.replace('\\', "\\\\").replace('"', "\\\"");
                self.problem(message, Some(whole), Some((whole, format!("=\"{expr}\""))));
                return;
            }
            let text = whole.of(raw).replace('"', "");
            let message = format!("{text} has spaces; quote a text with spaces");
            self.problem(message, Some(whole), Some((whole, force_quote(&text))));
            return;
        }
        if rows.is_some() {
            let message = format!("{text} and selectors both name rows; use one of them");
            // It is unclear which of the two was meant, and either alone may match more than both.
            self.problem(message, Some(span), None);
            return;
        }
        // Words after a text were meant as one text.
        if let Some(last) = last {
            let before = words[last.word].span();
            if (self.params()[last.param].spec)().free
                && raw.get(before.end..span.start).is_some_and(is_blank)
            {
                let more = words[word..].iter();
                let more = more.take_while(|word| matches!(word, OpWord::Positional(_)));
                let whole = more.fold(before, |whole, word| whole.to(word.span()));
                // `rename Keys to Piano`: the word between the two names is not part of either.
                let linked = is_link(before.of(raw))
                    && (self.params()[last.param].spec)() == Name::SPEC
                    && self.bound.iter().any(|bound| {
                        bound.word + 1 == last.word
                            && self.params()[bound.param].takes == Takes::Reference
                    });
                // `replace "a" with "b"`: the word between two texts in quotes is not, either.
                let is_between = is_between(before.of(raw))
                    && whole.end == span.end
                    && matches!(&words[word], OpWord::Positional(text) if text.quoted == Quoted::Whole);
                let joined = match linked {
                    true => Span::new(span.start, whole.end),
                    false => whole,
                };
                let joined = joined.of(raw).replace('"', "");
                let fix = match (is_between, linked) {
                    (true, _) => span.of(raw).to_owned(),
                    (false, true) => quote(&joined).into_owned(),
                    (false, false) => force_quote(&joined),
                };
                let message = format!("{text} is an extra word; quote a text with spaces");
                self.problem(message, Some(whole), Some((whole, fix)));
                self.joined = Some(whole.end);
                return;
            }
        }
        let message = format!("{} takes no {text} here", self.call.verb.phrase);
        let named = self.new_name(&words[word]);
        self.mended.extend(named.as_ref().map(|(ix, _)| *ix));
        self.problem(message, Some(span), named.map(|(_, fix)| (span, fix)));
    }

    /// A file name whose key `as:` is missing: its parameter, and its corrected spelling.
    pub(super) fn file_name(&self, word: usize) -> Option<(usize, String)> {
        let OpWord::Positional(text) = self.call.op.words.get(word)? else {
            return None;
        };
        let (stem, ending) = text.text.rsplit_once('.')?;
        let is_ending =
            ending.starts_with(char::is_alphabetic) && ending.chars().all(char::is_alphanumeric);
        let mut params = self.params().iter();
        let ix = params.position(|param| param.place == Place::Key && param.answers_to("as"))?;
        let is_meant = !stem.is_empty() && is_ending && !self.is_given(ix);
        is_meant.then(|| (ix, spell_param("as", &text.text)))
    }

    /// The key by which the op names the row that it makes, and a word as its value: `add circle moon`.
    fn new_name(&self, word: &OpWord<'_>) -> Option<(usize, String)> {
        let text = match word {
            OpWord::Positional(text) if self.call.verb.makes() => &*text.text,
            _ => return None,
        };
        // `red` was meant as a fill, and `here` as a place.
        let is_value = Color::read(text).is_some() || M::kind(text).is_some();
        let is_noise = turns(text) || filler(text) || text.eq_ignore_ascii_case("here");
        let is_word = text.starts_with(char::is_alphabetic) && !is_value && !is_noise;
        let names = |param: &Param| param.place == Place::Key && (param.spec)().names;
        let ix = self.params().iter().position(names)?;
        let key = self.params().get(ix)?.name;
        (is_word && !self.is_given(ix)).then(|| (ix, spell_param(key, text)))
    }

    /// A value whose key is missing or precedes it as a separate word: the parameter, the words,
    /// and their corrected spelling.
    pub(super) fn unkeyed(&self, word: usize) -> Option<(usize, Span, String)> {
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
        // A lone number goes to the required key, or else to the first key.
        if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-')) {
            return None;
        }
        let free = |(ix, param): &(usize, &Param)| {
            param.place == Place::Key && !(param.spec)().free && !self.is_given(*ix)
        };
        let keys = || {
            let params = self.params().iter().enumerate();
            params.filter(|(_, param)| param.place == Place::Key)
        };
        let is_signed = text.starts_with(['+', '-']);
        let way = |(_, param): &(usize, &Param)| (param.spec)().name.starts_with('±');
        // In a verb that changes rows by an amount, a number is a distance, not a position. And a
        // number after one that is as long or less may belong to that one: `1 4`, `120 140`.
        let count = |span: Span| span.of(raw).parse::<u32>().ok();
        let before = word.checked_sub(1).and_then(|before| plain(&words[before]));
        let pair = before.and_then(count).zip(count(span));
        let digits = |number: u32| number.checked_ilog10();
        let goes_on =
            pair.is_some_and(|(first, next)| first < next || digits(first) == digits(next));
        let doubtful = goes_on || is_signed && self.takes_rows().is_some();
        let (ix, param) = keys()
            .find(|key| free(key) && is_signed && way(key))
            .or_else(|| keys().find(|key| free(key) && key.1.required && !is_signed))
            .or_else(|| keys().next().filter(|key| free(key) && !doubtful))?;
        Some((ix, span, format!("{}:{text}", param.name)))
    }

    /// The second word of an infix phrase that was probably meant by a word after the target.
    fn second_word(&self, word: usize, text: &str) -> Option<&'static str> {
        let before = self.call.op.words.get(..word)?;
        let behind = word == 1
            || !before.is_empty()
                && before
                    .iter()
                    .all(|word| matches!(word, OpWord::Selector(_)));
        if !behind {
            return None;
        }
        let (registry, first) = (self.call.registry, &*self.call.op.verb.text);
        let all = registry.verbs().filter_map(|verb| {
            let (word, second) = verb.phrase.split_once(' ')?;
            (verb.infix && word == first).then_some(second)
        });
        nearest_word(&text.to_lowercase(), all)
    }

    /// The reference that was meant by a selector in a verb without selectors: `@track:Piano`
    /// instead of a track's name.
    pub(super) fn named_by(&self) -> Option<usize> {
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
}
