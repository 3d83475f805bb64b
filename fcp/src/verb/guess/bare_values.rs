//! Loose words: values without their key, and directions without a sign.

use super::missing_words::filler;
use super::{Wrong, parted};
use crate::domain::Domain;
use crate::model::{Level, ModelExt};
use crate::op::{OpWord, Quoted, quote_value};
use crate::verb::{Place, Takes};

/// Words for directions.
const WAYS: &[(&str, char)] = &[
    ("up", '+'),
    ("higher", '+'),
    ("louder", '+'),
    ("more", '+'),
    ("plus", '+'),
    ("down", '-'),
    ("lower", '-'),
    ("softer", '-'),
    ("less", '-'),
    ("minus", '-'),
];

/// Words that change the meaning of an op.
pub(super) const TURNS: &[&str] = &[
    "not", "no", "without", "except", "but", "before", "after", "off", "until", "under", "above",
    "below",
];

/// Returns whether a word is a direction or a restriction: it is never left out.
pub(in crate::verb) fn turns(word: &str) -> bool {
    let is = |other: &str| word.eq_ignore_ascii_case(other);
    TURNS.iter().any(|word| is(word)) || way(word).is_some()
}

fn way(word: &str) -> Option<char> {
    let own = WAYS.iter().find(|(own, _)| word.eq_ignore_ascii_case(own));
    own.map(|(_, sign)| *sign)
}

/// `up 2` and `2 down` as `+2` and `-2`.
pub(super) fn ways<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let rest: Vec<usize> = wrong.rest().collect();
    let is_number = |text: &str| {
        let digits = text.trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
        text.starts_with(|c: char| c.is_ascii_digit()) && digits.parse::<f64>().is_ok()
    };
    let pairs = rest.windows(2).filter_map(|pair| {
        let [first, second] = [wrong.text(pair[0]), wrong.text(pair[1])];
        let (sign, size) = match (way(first), way(second)) {
            (Some(sign), None) => (sign, second),
            (None, Some(sign)) => (sign, first),
            _ => return None,
        };
        let whole = wrong.words[pair[0]].to(wrong.words[pair[1]]);
        is_number(size).then(|| whole.replace(wrong.op, &format!("{sign}{size}")))
    });
    pairs.collect()
}

/// With each unused key before the only word that fits nowhere. A number would fit many keys and is
/// skipped. A word after a text is part of it, and a capitalised word after a name is part of that.
pub(super) fn keyed<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let loose = wrong.bound(|binder| {
        let rest = wrong.rest().map(|word| word - 1);
        let plain = |word: &usize| match parsed.words.get(*word) {
            Some(OpWord::Positional(text)) => text.quoted == Quoted::No,
            _ => false,
        };
        let words = rest.filter(plain).collect::<Vec<_>>();
        let last = words
            .iter()
            .filter_map(|word| binder.param_of(*word))
            .last();
        let loose: Vec<usize> = words
            .iter()
            .copied()
            .filter(|word| binder.param_of(*word).is_none())
            .collect();
        (loose, last.map(|param| (param.spec)()))
    });
    let Some(([word], last)) = loose.as_ref().map(|(loose, last)| (loose.as_slice(), last)) else {
        return Vec::new();
    };
    let text = wrong.text(word + 1);
    let named = last.is_some_and(|last| last.free);
    let is_name = named && text.starts_with(char::is_uppercase);
    let is_word = text.starts_with(char::is_alphabetic) && parted(text).0.is_empty();
    // Next to selectors, a name was meant to pick rows as well.
    let selects = parsed.selectors().next().is_some() && wrong.is_name(text);
    let is_noise = turns(text) || filler(text) || text.eq_ignore_ascii_case("here");
    if is_name || selects || !is_word || is_noise {
        return Vec::new();
    }
    let given = |key: &str| parsed.params().any(|written| written.key == key);
    let open = wrong.params().iter().filter(|param| {
        let spec = (param.spec)();
        // Skips texts and counts; after a name also places, since either may have any name.
        let free = !spec.free && spec.name != "N" && (!named || spec.prefixes.is_empty());
        param.place == Place::Key && free && !param.keys().any(given)
    });
    let span = wrong.words[word + 1];
    let put = |key: &str| span.replace(wrong.op, &format!("{key}:{text}"));
    open.map(|param| put(param.name)).collect()
}

/// A name next to selectors as one of them, if nothing else takes it: `@range:1 @track:Keys` for
/// `@range:1 Keys`.
pub(super) fn beside<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let is_selector = |word: usize| wrong.text(word).starts_with('@');
    let selects = wrong.params().iter().any(|it| it.takes == Takes::Rows);
    if !selects || !wrong.rest().any(is_selector) {
        return Vec::new();
    }
    let loose = wrong.bound(|binder| {
        let rest = wrong.rest().filter(|word| !is_selector(*word));
        let loose = rest.filter(|word| wrong.deletes() || binder.param_of(word - 1).is_none());
        loose.collect::<Vec<_>>()
    });
    let names: Vec<&str> = wrong.registry.selector_names().collect();
    let selector = |word: &usize| {
        let (key, name) = parted(wrong.text(*word));
        let name = name.trim_matches('"');
        let tables = wrong.model.tables();
        let mut kinds = tables
            .filter(|(_, _, rows)| !rows.labelled(name, Level::Normalised).is_empty())
            .map(|(_, _, rows)| rows.shape().kind);
        let kind = kinds.next().filter(|kind| names.contains(kind))?;
        let only = key.is_empty() && kinds.next().is_none();
        only.then(|| format!("@{kind}:{}", quote_value(name)))
    };
    let loose = loose.unwrap_or_default();
    let mut meant = loose
        .iter()
        .filter_map(|word| Some((wrong.words[*word], selector(word)?)));
    match (meant.next(), meant.next()) {
        (Some((span, selector)), None) => vec![span.replace(wrong.op, &selector)],
        _ => Vec::new(),
    }
}
