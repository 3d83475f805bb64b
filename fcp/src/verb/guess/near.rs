//! Words that are much like one that was meant. The binder mends by the nearest; here others that are near are tried too.

use super::Wrong;
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::value::{meant_act, meant_key, nearest, nearest_word};
use crate::verb::Role;

/// How many words that are near are tried.
const NEAR: usize = 3;

/// With the type that was meant in front of names.
pub(super) fn kinds<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let shapes = || M::kinds().map(|(_, shape)| shape);
    let names = || {
        shapes().flat_map(|shape| {
            std::iter::once(shape.kind).chain(shape.sorts.iter().map(|sort| sort.name))
        })
    };
    let meant = |kind: &str| {
        let near = nearest_word(kind, names())?;
        (M::kind(kind).is_none()).then_some(near)
    };
    let guess = wrong.with(|_, word| {
        if word.starts_with('@') {
            return None;
        }
        let (before, kind, name) = match word.split(':').collect::<Vec<_>>().as_slice() {
            [kind, name] => (String::new(), *kind, *name),
            [key, kind, name] => (format!("{key}:"), *kind, *name),
            _ => return None,
        };
        let own = before.is_empty() && wrong.params().iter().any(|param| param.answers_to(kind));
        let kind = meant(kind).filter(|_| !own)?;
        wrong
            .is_name(name.trim_matches('"'))
            .then(|| format!("{before}{kind}:{name}"))
    });
    guess.into_iter().collect()
}

/// With another word for the verb, or one that is near; or another second word.
pub(super) fn verbs<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Some(first) = wrong.words.first() else {
        return Vec::new();
    };
    let word = first.of(wrong.op);
    if wrong.verb.is_none() {
        let phrases = wrong.registry.phrases(Role::Verb);
        let mut meant: Vec<&str> = meant_act(word, phrases.iter().copied())
            .into_iter()
            .collect();
        meant.extend(nearest(word, phrases.iter().copied(), NEAR));
        return meant
            .into_iter()
            .map(|word| first.replace(wrong.op, word))
            .collect();
    }
    let word = word.to_lowercase();
    let seconds: Vec<&str> = wrong.registry.following(Role::Verb, &word).collect();
    let behind = wrong.words.iter().skip(1).take(2);
    let near = behind.flat_map(|span| {
        let near = nearest_word(span.of(wrong.op), seconds.iter().copied());
        near.map(|second| span.replace(wrong.op, second))
    });
    near.collect()
}

/// With keys that the verb has: another word for one, or those that are near.
pub(super) fn keys<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let given = |key: &str| parsed.params().any(|written| written.key == key);
    let keys = wrong.params().iter().flat_map(crate::verb::Param::keys);
    let known: Vec<&str> = keys.filter(|key| !given(key)).collect();
    let own = |key: &str| wrong.params().iter().any(|param| param.answers_to(key));
    let mut guesses = Vec::new();
    for written in parsed.params().filter(|written| !own(&written.key)).take(4) {
        let lower = written.key.to_lowercase();
        let mut meant: Vec<&str> = meant_key(&lower, known.iter().copied())
            .into_iter()
            .collect();
        meant.extend(nearest(&lower, known.iter().copied(), NEAR));
        guesses.extend(
            meant
                .into_iter()
                .map(|key| written.key_span.replace(wrong.op, key)),
        );
    }
    guesses
}

/// With selectors that are near.
pub(super) fn selectors<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let known: Vec<&str> = wrong.registry.selector_names().collect();
    let unknown = parsed
        .selectors()
        .filter(|selector| !known.contains(&&*selector.kind));
    let near = unknown.take(4).flat_map(|selector| {
        let near = nearest(&selector.kind, known.iter().copied(), known.len());
        let put = |name| selector.kind_span.replace(wrong.op, name);
        near.into_iter().map(put).collect::<Vec<_>>()
    });
    near.collect()
}

/// With words that stand for themselves in what a value may be, `none` in `REF|none`, where a letter is wrong.
pub(super) fn values<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let near = parsed.params().filter_map(|written| {
        let mut params = wrong.params().iter();
        let spec = (params.find(|param| param.answers_to(&written.key))?.spec)();
        let mut words = spec
            .name
            .split('|')
            .chain(spec.doc.split([' ', ',', ';', ':']));
        let meant = words.find(|word| {
            let literal = word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase());
            literal && strsim::damerau_levenshtein(word, &written.value) == 1
        })?;
        Some(written.value_span.replace(wrong.op, meant))
    });
    near.collect()
}
