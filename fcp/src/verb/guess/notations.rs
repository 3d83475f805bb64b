//! Ops in other notations.

use serde_json::Value;

use super::{Wrong, blanks, parted};
use crate::diag::Span;
use crate::domain::Domain;
use crate::op::{quote, spell_param};
use crate::value::{fold, meant_act};
use crate::verb::bind::TYPOGRAPHIC;
use crate::verb::qualified;
use crate::verb::{Param, Place, Role, Takes, Verb};

/// Without surrounding marks: backticks, a prompt, a list bullet, the tool's own name.
pub(super) fn bare<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    const SIGNS: &[char] = &['!', '?', '>', '$', '-', '*', '+', '/', '•', ':'];
    let mut text = wrong.op;
    loop {
        let before = text;
        text = text.trim_matches('`').trim();
        text = text.trim_start_matches(SIGNS).trim_start();
        text = text.trim_end_matches([';', ',']);
        let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.len() < text.len() {
            let numbered = digits.strip_prefix(". ").or(digits.strip_prefix(") "));
            text = numbered.map_or(text, str::trim_start);
        }
        if let Some((first, rest)) = text.split_once(char::is_whitespace)
            && first
                .trim_end_matches(':')
                .eq_ignore_ascii_case(M::SHAPE.domain)
            && wrong.registry.called(first).is_none()
        {
            text = rest.trim_start();
        }
        if text == before {
            break;
        }
    }
    vec![text.to_owned()]
}

/// `{"verb": "add", "type": "task"}`
pub(super) fn object<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    const VERBS: &[&str] = &[
        "verb",
        "op",
        "action",
        "command",
        "operation",
        "type",
        "name",
    ];
    const NESTED: &[&str] = &["args", "arguments", "params", "parameters", "options"];
    let text = wrong.op.trim_matches('`').trim();
    let Ok(Value::Object(object)) = serde_json::from_str(text) else {
        return Vec::new();
    };
    let of_verb = VERBS
        .iter()
        .find(|key| object.get(**key).is_some_and(Value::is_string));
    let Some(key) = of_verb else {
        return Vec::new();
    };
    let verb = object.get(*key).and_then(Value::as_str).unwrap_or_default();
    let mut given_params: Vec<(Option<&str>, String)> = Vec::new();
    for (name, value) in object.iter().filter(|(name, _)| name != key) {
        match value {
            Value::Object(inner) if NESTED.contains(&name.as_str()) => {
                given_params.extend(
                    inner
                        .iter()
                        .filter_map(|(name, value)| Some((Some(&**name), plain(value)?))),
                );
            }
            value => given_params.extend(plain(value).map(|value| (Some(&**name), value))),
        }
    }
    spelt(wrong, verb, &given_params).into_iter().collect()
}

/// A JSON value in the op's notation.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(if *on { "on" } else { "off" }.to_owned()),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(plain).collect();
            items.map(|items| items.join(","))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// `add(type="task", in="Walls")`
pub(super) fn call<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let text = wrong.op.trim_matches('`').trim_end_matches(';').trim();
    let Some((verb, inner)) = text.split_once('(') else {
        return Vec::new();
    };
    let Some(inner) = inner.strip_suffix(')') else {
        return Vec::new();
    };
    let verb = verb.trim();
    // `svg.add(…)`
    let verb = verb
        .strip_prefix(M::SHAPE.domain)
        .and_then(|verb| verb.strip_prefix('.'))
        .unwrap_or(verb);
    if !is_word(&verb.replace('.', "")) {
        return Vec::new();
    }
    let mut given_params = Vec::new();
    for argument in arguments(inner) {
        let (name, value) = match argument.split_once(['=', ':']) {
            Some((name, value)) if is_word(name.trim()) => (Some(name.trim()), value.trim()),
            _ => (None, argument),
        };
        let value = match serde_json::from_str::<Value>(value)
            .ok()
            .as_ref()
            .and_then(plain)
        {
            Some(value) => value,
            None => value.trim_matches('\'').to_owned(),
        };
        given_params.push((name, value));
    }
    spelt(wrong, verb, &given_params).into_iter().collect()
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The parts between commas, except commas in quotes.
fn arguments(text: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (None, ',') => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            (Some(open), _) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    found.push(&text[start..]);
    found
        .into_iter()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect()
}

/// An op from a verb and its arguments, named or not.
fn spelt<M: Domain>(
    wrong: &Wrong<'_, M>,
    called: &str,
    given_params: &[(Option<&str>, String)],
) -> Option<String> {
    let folded = |text: &str| fold(&text.replace('.', ""));
    let called = called.trim();
    let mut verbs = wrong.registry.verbs();
    let verb = verbs.find(|verb| {
        let mut phrases = std::iter::once(&verb.phrase).chain(verb.aliases);
        phrases.any(|phrase| folded(phrase) == folded(called))
    });
    let phrase = verb.map_or(called, |verb| verb.phrase);
    let params = verb.map_or(&[][..], |verb| verb.params);
    let bare = |param: &Param| matches!(param.place, Place::Word(_) | Place::Rest);
    let at = |name: &str| {
        let mut all = params.iter().enumerate();
        all.find(|(_, param)| bare(param) && (param.name == name || param.answers_to(name)))
    };
    let mut words: Vec<(usize, String)> = Vec::new();
    let (mut keys, mut unnamed) = (Vec::new(), Vec::new());
    for (name, value) in given_params {
        let place = name.and_then(at);
        // Rows may be under any name.
        let loose = value.starts_with('@') || qualified::<M>(value).is_some();
        let key = name.is_some_and(|name| params.iter().any(|param| param.answers_to(name)));
        match (place, name) {
            (Some((ix, param)), _) => words.push((ix, word::<M>(value, param.takes))),
            (None, Some(name)) if key || !loose => keys.push(spell_param(name, value)),
            _ => unnamed.push(value),
        }
    }
    // Unnamed arguments fill the remaining places.
    let given: Vec<usize> = words.iter().map(|(ix, _)| *ix).collect();
    let free = params
        .iter()
        .enumerate()
        .filter(|(ix, param)| bare(param) && !given.contains(ix));
    let mut free = free.map(|(ix, param)| (ix, param.takes));
    for value in unnamed {
        let (ix, takes) = free.next().unwrap_or((usize::MAX, Takes::Rows));
        words.push((ix, word::<M>(value, takes)));
    }
    words.sort_by_key(|(ix, _)| *ix);
    let mut words: Vec<String> = words
        .into_iter()
        .map(|(_, word)| word)
        .chain(keys)
        .collect();
    if let Some((first, second)) = phrase.split_once(' ').filter(|_| is_around(verb)) {
        words.insert(1.min(words.len()), second.to_owned());
        return Some(format!("{first} {}", words.join(" ")));
    }
    (!phrase.is_empty()).then(|| {
        format!("{phrase} {}", words.join(" "))
            .trim_end()
            .to_owned()
    })
}

fn is_around<M: Domain>(verb: Option<&'static Verb<M>>) -> bool {
    verb.is_some_and(|verb| verb.infix)
}

/// A value as a bare word.
fn word<M: Domain>(value: &str, takes: Takes) -> String {
    let selectors = takes == Takes::Rows && value.starts_with('@');
    match qualified::<M>(value) {
        Some(name) => name,
        None if selectors => value.to_owned(),
        None => quote(value).into_owned(),
    }
}

/// With straight quotes for typographic ones.
pub(super) fn quotes<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    vec![wrong.op.replace(TYPOGRAPHIC, "\"")]
}

/// With the supported arrows.
pub(super) fn arrows<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    if !wrong
        .params()
        .iter()
        .any(|param| param.place == Place::Rest)
    {
        return Vec::new();
    }
    let meant = |_: usize, word: &str| {
        let arrow = match word {
            "=>" | "→" | "⇒" | "➔" | "-->" | "==>" | ">" | "to" => "->",
            "<=>" | "↔" | "⇔" | "<-->" => "<->",
            "—" | "–" | "---" | "―" => "--",
            _ => return None,
        };
        Some(arrow.to_owned())
    };
    wrong.with(meant).into_iter().collect()
}

/// With the words of the phrase as the verb has them: in order, separate, and complete.
pub(super) fn phrase<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let words = blanks(wrong.op);
    let (Some(first), second) = (words.first(), words.get(1)) else {
        return Vec::new();
    };
    let first_word = first.of(wrong.op).to_lowercase();
    let mut guesses = Vec::new();
    if let Some(second) = second {
        let swapped = format!("{} {first_word}", second.of(wrong.op).to_lowercase());
        if wrong
            .registry
            .called(&swapped)
            .is_some_and(|verb| !verb.infix)
        {
            guesses.push(first.to(*second).replace(wrong.op, &swapped));
        }
    }
    if wrong.verb.is_some() {
        return guesses;
    }
    // Something added by a verb of its own: `pedal` for `add pedal`.
    if let Some(second) = second.filter(|_| meant_act(&first_word, ["add"].into_iter()).is_some())
        && wrong
            .registry
            .called(&second.of(wrong.op).to_lowercase())
            .is_some()
    {
        guesses.insert(0, Span::new(0, second.start).replace(wrong.op, ""));
    }
    let joined = fold(&first_word.replace('.', ""));
    let mut ends = Vec::new();
    for verb in wrong.registry.verbs() {
        if fold(verb.phrase) == joined && verb.phrase != first_word {
            guesses.push(first.replace(wrong.op, verb.phrase));
        }
        let second = verb.phrase.split_once(' ').map(|(_, second)| second);
        if second == Some(&*first_word) && !verb.infix {
            ends.push(verb.phrase);
        }
    }
    // If both `add task` and `remove task` exist, `task` alone is ambiguous: no guess is made. The
    // same applies if the word begins other verbs and more than a name follows it.
    let begins = wrong
        .registry
        .following(Role::Verb, &first_word)
        .next()
        .is_some();
    let is_name = words
        .iter()
        .skip(2)
        .all(|word| !parted(word.of(wrong.op)).0.is_empty());
    if let [phrase] = ends.as_slice()
        && (!begins || is_name)
    {
        guesses.push(first.replace(wrong.op, phrase));
    }
    guesses
}
