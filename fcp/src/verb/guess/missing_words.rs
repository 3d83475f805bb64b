//! Missing words and parts of words.

use super::{Wrong, parted};
use crate::diag::Span;
use crate::domain::Domain;
use crate::model::{Level, ModelExt, Row};
use crate::op::spell_param;
use crate::value::is_within;
use crate::verb::resolve::sure_word;
use crate::verb::select::kind;
use crate::verb::{Param, Place, Takes};

/// The most words tried as the superfluous one: each is compared with every name.
const MOST: usize = 8;

/// The longest word that can be noise, in bytes.
const NOISE: usize = 64;

/// Words of politeness and grammar. In an op that deletes, and among the words of a list, only
/// these are dropped: without other words the op would affect more, or do less.
const FILLERS: &[&str] = &[
    "please", "now", "the", "with", "again", "a", "an", "just", "then", "also", "kindly",
];

/// With numbers without their unit. Neither a percentage nor a part (`12th`) is turned into a plain
/// number.
pub(super) fn units<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let respelled = |spell: &dyn Fn(&str, &str) -> Option<String>| {
        let respell = |text: &str| {
            let numbers = text.split(',').map(|text| {
                let number =
                    text.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '%' | '°'));
                number.parse::<f64>().ok()?;
                spell(number, text.get(number.len()..)?)
            });
            let numbers: Option<Vec<String>> = numbers.collect();
            Some(numbers?.join(",")).filter(|other| other != text)
        };
        wrong.with(|word, text| {
            // Of an error about the whole op, the unit is not the fault.
            let blamed = wrong.error.span.is_some_and(|span| {
                let word = wrong.words[word];
                word.start <= span.start && span.end <= word.end
            });
            let (key, value) = parted(text);
            blamed
                .then(|| respell(value).map(|value| format!("{key}{value}")))
                .flatten()
        })
    };
    let bare = respelled(&|number: &str, unit: &str| {
        let is_other = unit.contains('%') || unit.eq_ignore_ascii_case("th");
        (!is_other).then(|| number.to_owned())
    });
    bare.into_iter().collect()
}

/// With the missing required reference, if only one row is possible.
pub(super) fn missing<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let bound = wrong.bound(|binder| {
        let words = (1..wrong.words.len()).filter_map(|word| {
            let param = binder.param_of(word - 1)?;
            Some((word, param))
        });
        words.collect::<Vec<_>>()
    });
    let bound = bound.unwrap_or_default();
    let is_given = |param: &Param| bound.iter().any(|(_, given)| given.name == param.name);
    let bare = |param: &Param| matches!(param.place, Place::Word(_));
    // The word in its place may have been meant for the next parameter.
    let lacks = |param: &Param| !is_given(param) && param.required;
    if !wrong.params().iter().any(lacks)
        && !bound.iter().any(|(word, param)| {
            param.takes == Takes::Reference && is_for_next(wrong, *word, param, &is_given)
        })
    {
        return Vec::new();
    }
    // Do not delete a row that was not named.
    if wrong.deletes() {
        return Vec::new();
    }
    let rows = only_rows(wrong.model);
    let mut guesses = Vec::new();
    let mut place = 0;
    for param in wrong.params() {
        if param.takes == Takes::Reference && param.required {
            guesses.extend(rows.iter().filter_map(|row| match bare(param) {
                true => Some(insert(wrong, place, row)),
                false => {
                    lacks(param).then(|| format!("{} {}", wrong.op, spell_param(param.name, row)))
                }
            }));
        }
        place += usize::from(bare(param));
    }
    guesses
}

/// Whether a word at the place of a reference can only be meant for the optional parameter after
/// it: it names no row, and the next parameter takes values that are not names, or the word is in
/// quotes as a text is.
fn is_for_next<M: Domain>(
    wrong: &Wrong<'_, M>,
    word: usize,
    reference: &Param,
    is_given: &dyn Fn(&Param) -> bool,
) -> bool {
    let text = wrong.text(word);
    let mut after = wrong.params().iter();
    after.find(|param| param.name == reference.name);
    let next = after.find(|param| param.place != Place::Key);
    next.is_some_and(|next| {
        let is_text = !(next.spec)().free || text.starts_with('"');
        is_text && !is_given(next) && !wrong.is_name(text.trim_matches('"'))
    })
}

/// The op with a word before the bare word at this index, or at the end.
fn insert<M: Domain>(wrong: &Wrong<'_, M>, place: usize, word: &str) -> String {
    let is_selector = |ix: &usize| wrong.text(*ix).starts_with('@');
    // Selectors count as one bare word.
    let selected = usize::from(wrong.rest().any(|ix| is_selector(&ix)));
    let mut bare = wrong
        .rest()
        .filter(|ix| !is_selector(ix) && parted(wrong.text(*ix)).0.is_empty());
    let at = bare
        .nth(place.saturating_sub(selected))
        .and_then(|ix| wrong.words.get(ix));
    match at {
        Some(span) => Span::new(span.start, span.start).replace(wrong.op, &format!("{word} ")),
        None => {
            let selectors = wrong.rest().filter(is_selector).last();
            let phrase = wrong.verb.as_ref().map_or(0, |(_, skip)| skip.end);
            let names = wrong
                .rest()
                .filter(|ix| !is_selector(ix) && parted(wrong.text(*ix)).0.is_empty())
                .last();
            let behind = names.or(selectors).unwrap_or(phrase);
            let end = wrong
                .words
                .get(behind)
                .map_or(wrong.op.len(), |span| span.end);
            Span::new(end, end).replace(wrong.op, &format!(" {word}"))
        }
    }
}

/// The rows that are the only ones of their kind, as words.
fn only_rows<M: Domain>(model: &M) -> Vec<String> {
    let tables = model.tables();
    let mut words = Vec::new();
    for (part, _, rows) in tables {
        let mut ids = rows.ids();
        if let (Some(id), None) = (ids.next(), ids.next())
            && rows.label(id).is_some()
        {
            words.push(sure_word(model, Row::new(part, id)));
        }
    }
    words
}

/// Returns whether a word is filler in any position.
pub(in crate::verb) fn filler(text: &str) -> bool {
    FILLERS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Without a word that means nothing: it is not a key or a kind, names no row, and is similar to no
/// name.
pub(super) fn surplus<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let deletes = wrong.deletes();
    let selects = wrong.rest().any(|word| wrong.text(word).starts_with('@'));
    // In a verb that makes something, any other word may be its name.
    let makes = wrong.makes();
    let texts = |param: &Param| param.place != Place::Key && (param.spec)().free;
    let takes_text = wrong.params().iter().any(texts);
    // Text that describes the rows to delete is not noise; among many words that a verb takes, only
    // fillers are. A word after a number may be its unit.
    let has_meaning = |word: usize, param: Option<&'static Param>| {
        let text = wrong.text(word);
        let is_free = param.is_some_and(|param| (param.spec)().free);
        let is_many = param.is_some_and(|param| param.place == Place::Rest);
        let is_filler =
            filler(text) || !deletes && !takes_text && text.eq_ignore_ascii_case("here");
        let (key, before) = parted(wrong.text(word.saturating_sub(1)));
        let is_unit = text.len() > 1
            && super::is_number(before)
            && !key.eq_ignore_ascii_case(&format!("{text}:"))
            && !(0..word).any(|word| wrong.text(word).eq_ignore_ascii_case(text));
        match (deletes, is_many) {
            (true, _) => !is_filler || is_free && !selects,
            (false, true) => !is_filler,
            (false, false) if makes => !is_filler,
            (false, false) => is_free || kind::<M>(text, true).is_ok() || is_unit && !is_filler,
        }
    };
    let taken = wrong.bound(|binder| {
        let param = |word: usize| binder.param_of(word.checked_sub(1)?);
        (0..wrong.words.len()).map(param).collect::<Vec<_>>()
    });
    let taken = taken.unwrap_or_default();
    let plain = |text: &str| text.chars().all(char::is_alphabetic);
    let words: Vec<usize> = wrong
        .rest()
        .filter(|word| plain(wrong.text(*word)) && !super::bare_values::turns(wrong.text(*word)))
        .filter(|word| wrong.text(*word).len() <= NOISE)
        .filter(|word| !has_meaning(*word, taken.get(*word).copied().flatten()))
        .take(MOST)
        .collect();
    // A word similar to a name may be that name.
    let like = |text: &str, label: &str| label.len() > 2 && is_within(label, text, 1);
    let named = |text: &str| {
        let mut tables = wrong.model.tables();
        tables.any(|(_, _, rows)| {
            let begins = !rows.labelled(text, Level::Prefix).is_empty();
            begins || rows.labels().any(|label| like(text, &label))
        })
    };
    let mut noise: Vec<usize> = words
        .into_iter()
        .filter(|word| !named(wrong.text(*word)))
        .collect();
    // Among words without meaning here, drop fillers first.
    let fills = |word: &usize| filler(wrong.text(*word));
    if noise.iter().any(fills) {
        noise.retain(fills);
    }
    let without = |word: usize| {
        let span = wrong.words[word];
        let before = wrong
            .op
            .get(..span.start)
            .unwrap_or_default()
            .trim_end()
            .len();
        Span::new(before, span.end).replace(wrong.op, "")
    };
    noise.into_iter().map(without).collect()
}
