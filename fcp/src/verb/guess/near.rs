//! Words similar to valid ones. The binder repairs with the nearest; here other near words are
//! tried too.

use super::{Wrong, parted};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::value::{
    is_slip, is_typo, is_within, meant_act, meant_field, meant_key, nearest, nearest_word,
};
use crate::verb::{Param, Place, Role, Takes, Verb};

/// The number of near words tried.
const NEAR: usize = 3;

/// The length of the names of types that have no similar ones.
const SHORT: usize = 2;

/// With the probable type before names.
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
    let first = wrong.rest().next();
    let guess = wrong.with(|ix, word| {
        if word.starts_with('@') {
            return None;
        }
        // `remove cm volume`: too short for a similarity, but only one type is that near.
        if Some(ix) == first && word.chars().count() == SHORT && !wrong.is_name(word) {
            let mut near = names()
                .filter(|name| name.len() == SHORT && *name != word && is_within(name, word, 1));
            return near
                .next()
                .filter(|_| near.next().is_none())
                .map(str::to_owned);
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

/// With a synonym or a near word for the verb; or another second word.
pub(super) fn verbs<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Some(first) = wrong.words.first() else {
        return Vec::new();
    };
    let word = first.of(wrong.op);
    if wrong.verb.is_none() {
        let phrases = wrong.registry.phrases(Role::Verb);
        // `unmute Piano` reverses `mute Piano`.
        if let Some(act) = undone(word).filter(|act| phrases.contains(&&**act)) {
            return vec![format!("{} off", first.replace(wrong.op, &act))];
        }
        let mut meant: Vec<&str> = meant_act(word, phrases.iter().copied())
            .into_iter()
            .collect();
        let near = nearest(word, phrases.iter().copied(), NEAR).into_iter();
        meant.extend(near.filter(|near| is_typo(word, near)));
        return meant
            .into_iter()
            .map(|word| first.replace(wrong.op, word))
            .collect();
    }
    let word = word.to_lowercase();
    let seconds: Vec<&str> = wrong.registry.following(Role::Verb, &word).collect();
    // A selector is not part of a phrase.
    let words = wrong.words.iter().skip(1).take(2);
    let behind = words.filter(|span| !span.of(wrong.op).starts_with('@'));
    let near = behind.flat_map(|span| {
        let near = nearest_word(span.of(wrong.op), seconds.iter().copied());
        near.map(|second| span.replace(wrong.op, second))
    });
    near.collect()
}

/// The act that a word reverses: `mute` for `unmute`.
fn undone(word: &str) -> Option<String> {
    word.to_lowercase().strip_prefix("un").map(str::to_owned)
}

/// With the rows of a thing as the target instead of the thing itself, or the reverse, if the keys
/// belong to those: `modify @track:Keys vel:60` and `modify track:Keys volume:60`.
pub(super) fn targets<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let Some((verb, _)) = &wrong.verb else {
        return Vec::new();
    };
    let mut rest = wrong.rest();
    let (target, one) = match rest.next() {
        Some(word) => (wrong.words[word], wrong.text(word)),
        None => return Vec::new(),
    };
    let alone = !rest.any(|word| {
        let text = wrong.text(word);
        text.starts_with('@') || parted(text).0.is_empty()
    });
    let keys = || parsed.params().map(|written| &*written.key);
    let foreign = |key: &str| {
        let owns = |param: &Param| param.answers_to(key);
        M::kind(key).is_none() && !verb.params.iter().any(owns)
    };
    if !keys().any(foreign) {
        return Vec::new();
    }
    if let Some((first, kind)) = verb.phrase.split_once(' ') {
        let name = one.strip_prefix(kind).filter(|name| name.starts_with(':'));
        let rows = wrong.registry.called(first);
        let has = |rows: &Verb<M>| {
            let has = |key| rows.params.iter().any(|param| param.answers_to(key));
            keys().all(|key| key == kind || has(key))
        };
        return match (name, rows) {
            (Some(name), Some(rows)) if has(rows) => {
                vec![target.replace(wrong.op, &format!("@{kind}{name}"))]
            }
            _ => Vec::new(),
        };
    }
    let kinds = wrong.registry.following(Role::Verb, verb.phrase);
    let own = |kind: &str| {
        let name = match one.strip_prefix('@') {
            Some(selector) => selector.strip_prefix(kind)?.strip_prefix(':')?,
            None => one,
        };
        let whole = wrong.registry.called(&format!("{} {kind}", verb.phrase))?;
        let is_known = wrong.is_name(name.trim_matches('"'));
        let keyed = whole
            .params
            .iter()
            .any(|param| param.place == Place::Fields);
        let given = keys().next().is_some();
        (alone && keyed && given && is_known)
            .then(|| target.replace(wrong.op, &format!("{kind}:{name}")))
    };
    kinds
        .filter(|kind| M::kind(kind).is_some())
        .filter_map(own)
        .collect()
}

/// With keys of the verb: synonyms, or near ones.
pub(super) fn keys<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let given = |key: &str| parsed.params().any(|written| written.key == key);
    let keys = wrong.params().iter().flat_map(Param::keys);
    let known: Vec<&str> = keys.filter(|key| !given(key)).collect();
    let own = |key: &str| {
        let params = &mut wrong.params().iter();
        params.any(|param| {
            param.answers_to(key) || param.pairs().any(|pair| pair.keys.contains(&key))
        })
    };
    let mut guesses = Vec::new();
    // A key given twice was meant both times.
    let twice = |key: &str| parsed.params().filter(|written| written.key == key).count() > 1;
    let foreign = |key: &str| !own(key) && !twice(key);
    for written in parsed
        .params()
        .filter(|written| foreign(&written.key))
        .take(4)
    {
        let lower = written.key.to_lowercase();
        let meant = match wrong.is_open() {
            true => meant_field(&lower, known.iter().copied()),
            false => meant_key(&lower, known.iter().copied()),
        };
        let mut meant: Vec<&str> = meant.into_iter().collect();
        let near = nearest(&lower, known.iter().copied(), NEAR);
        meant.extend(
            near.into_iter().filter(|near| {
                is_typo(&lower, near) && (!wrong.is_open() || is_slip(&lower, near))
            }),
        );
        guesses.extend(
            meant
                .into_iter()
                .map(|key| written.key_span.replace(wrong.op, key)),
        );
    }
    guesses
}

/// With near selectors.
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
        let meant = |name: &&str| is_typo(&selector.kind, name);
        let put = |name| selector.kind_span.replace(wrong.op, name);
        near.into_iter().filter(meant).map(put).collect::<Vec<_>>()
    });
    near.collect()
}

/// With the @ that a selector lacks in place of the rows: `where:"bar=3"`.
pub(super) fn signs<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let first = wrong.rest().next().and_then(|word| wrong.words.get(word));
    let mut written = parsed.params();
    let written = written.find(|written| Some(&written.span) == first);
    let takes_rows = wrong.params().iter().any(|own| own.takes == Takes::Rows);
    let Some(written) = written.filter(|_| takes_rows && parsed.selectors().next().is_none())
    else {
        return Vec::new();
    };
    let mut known = wrong.registry.selector_names();
    let is_selector = known.any(|name| name == written.key) && !wrong.owns(&written.key);
    let with_sign = || {
        written
            .key_span
            .replace(wrong.op, &format!("@{}", written.key))
    };
    is_selector.then(with_sign).into_iter().collect()
}

/// With literal words from a value's description, `none` in `REF|none`, if one letter is wrong.
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
            literal && *word != written.value && is_within(word, &written.value, 1)
        })?;
        Some(written.value_span.replace(wrong.op, meant))
    });
    near.collect()
}

/// With a word that is not valid for its key after each other unused key: `program:violin`.
pub(super) fn others<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Ok(parsed) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    let blamed = |written: &&crate::op::Param<'_>| wrong.error.span == Some(written.value_span);
    let Some(written) = parsed.params().find(blamed) else {
        return Vec::new();
    };
    let own = |param: &Param| param.answers_to(&written.key);
    let is_word = written.value.starts_with(char::is_alphabetic);
    if wrong.deletes() || !is_word || !wrong.params().iter().any(own) {
        return Vec::new();
    }
    let given = |param: &Param| {
        parsed
            .params()
            .any(|written| param.answers_to(&written.key))
    };
    let free = |param: &&Param| {
        let spec = (param.spec)();
        param.place == Place::Key && param.takes == Takes::Value && !spec.free && !given(param)
    };
    let put = |param: &Param| written.key_span.replace(wrong.op, param.name);
    wrong.params().iter().filter(free).map(put).collect()
}
