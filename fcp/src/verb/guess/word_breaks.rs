//! Words that were split or joined wrongly.

use super::{Wrong, blanks, parted};
use crate::diag::Span;
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::{Fault, quote, quote_value};
use crate::verb::{Place, Takes};

/// `--key value`, `--key=value`, `key=value`, `key: value`, `key :value` and `key = value` as `key:value`.
pub(super) fn keys<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let words: Vec<Span> = wrong.rest().map(|word| wrong.words[word]).collect();
    let text = |word: usize| words.get(word).map_or("", |span: &Span| span.of(wrong.op));
    let mut edits: Vec<(Span, String)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = text(at);
        let bare = word.trim_start_matches('-');
        let (key, value) = match bare.split_once(['=', ':']) {
            Some((key, value)) => (key, value),
            None => (bare, ""),
        };
        let parts = bare.len() > key.len();
        let dashed = bare.len() < word.len();
        let next = text(at + 1);
        let sign = next.starts_with([':', '=']);
        let (value, used) = match value {
            "" if sign && next.len() == 1 => (text(at + 2), 3),
            "" if sign => (&next[1..], 2),
            "" if parts || dashed => (next, 2),
            value => (value, 1),
        };
        let other = used > 1
            || dashed
            || bare
                .get(key.len()..)
                .is_some_and(|rest| rest.starts_with('='));
        if other && !value.is_empty() && wrong.has_key(key) {
            let end = words.get(at + used - 1).unwrap_or(&words[at]);
            edits.push((words[at].to(*end), format!("{key}:{value}")));
            at += used;
        } else {
            at += 1;
        }
    }
    replaced(wrong.op, edits).into_iter().collect()
}

/// The op with spans, given in order, replaced.
fn replaced(op: &str, edits: Vec<(Span, String)>) -> Option<String> {
    let some = !edits.is_empty();
    let last_first = edits.into_iter().rev();
    let op = last_first.fold(op.to_owned(), |op, (span, with)| span.replace(&op, &with));
    some.then_some(op)
}

/// Without commas and semicolons after words; or with items separated by commas and whitespace as
/// one word.
pub(super) fn lists<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let words = blanks(wrong.op);
    let ends = |span: &&Span| span.of(wrong.op).ends_with([',', ';']);
    if !words.iter().any(|span| ends(&span)) {
        return Vec::new();
    }
    let (mut joined, mut bare) = (String::new(), String::new());
    for (ix, span) in words.iter().enumerate() {
        let text = span.of(wrong.op);
        let short = text.trim_end_matches([',', ';']);
        let goes_on = text.ends_with(',')
            && ix > 0
            && words.get(ix + 1).is_some_and(|next| {
                let next = next.of(wrong.op);
                parted(next).0.is_empty() && !next.starts_with('@')
            });
        bare += short;
        bare.push(' ');
        joined += if goes_on { text } else { short };
        if !goes_on {
            joined.push(' ');
        }
    }
    vec![joined.trim_end().to_owned(), bare.trim_end().to_owned()]
}

/// Without brackets around values.
pub(super) fn brackets<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let inner = |text: &str| {
        let pairs = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];
        let inner = |(open, close)| Some(text.strip_prefix(open)?.strip_suffix(close)?.to_owned());
        pairs.into_iter().find_map(inner)
    };
    let guess = wrong.with(|_, word| {
        let (key, value) = parted(word);
        Some(format!("{key}{}", inner(value)?))
    });
    guess.into_iter().collect()
}

/// Names without `@` or `#`; selectors with their `@`.
pub(super) fn marks<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let name = |text: &str| {
        let bare = text.strip_prefix(['@', '#'])?;
        wrong
            .is_name(bare.trim_matches('"'))
            .then(|| bare.to_owned())
    };
    let named = wrong.with(|_, word| {
        let (key, value) = parted(word);
        match key {
            "" => name(value),
            key => Some(format!("{key}{}", name(value)?)),
        }
    });
    let is_selector = |key: &str| wrong.registry.selector_names().any(|name| name == key);
    let selected = wrong.with(|_, word| {
        let key = word.split(':').next().unwrap_or_default();
        let key = if key == "not" {
            word.split(':').nth(1)?
        } else {
            key
        };
        (is_selector(key) && !wrong.owns(key)).then(|| format!("@{word}"))
    });
    // One at a time: `modify minutes:30 minutes:60` sets the field that it selects by.
    let mut guesses: Vec<String> = named.into_iter().collect();
    for word in wrong.rest().take(4) {
        let one = wrong.with(|ix, text| {
            let key = text.split(':').next().unwrap_or_default();
            (ix == word && is_selector(key) && !wrong.owns(key)).then(|| format!("@{text}"))
        });
        guesses.extend(one);
    }
    guesses.extend(selected);
    guesses
}

/// With the open quote closed: before a key, or at the end.
pub(super) fn unclosed<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let Err(error) = crate::op::parse(wrong.op) else {
        return Vec::new();
    };
    if error.fault != Fault::UnterminatedQuote {
        return Vec::new();
    }
    let (_, value) = parted(error.span.of(wrong.op));
    let mark = if value.starts_with('\'') || error.span.of(wrong.op).starts_with('\'') {
        '\''
    } else {
        '"'
    };
    let keyed = |span: &&Span| {
        let (key, value) = parted(span.of(wrong.op));
        span.start > error.span.start
            && !value.is_empty()
            && wrong.has_key(key.trim_end_matches(':'))
    };
    let words = blanks(wrong.op);
    let ends = words
        .iter()
        .filter(keyed)
        .map(|span| span.start.saturating_sub(1))
        .take(6);
    let close = |at: usize| Span::new(at, at).replace(wrong.op, &mark.to_string());
    ends.chain([wrong.op.len()]).map(close).collect()
}

/// With quotes around a text after its key whose later words were read separately: `rhythm:q e h`.
pub(super) fn behind_keys<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let is_free = |key: &str| {
        let mut params = wrong.params().iter();
        params.any(|param| param.answers_to(key) && (param.spec)().free)
    };
    match wrong.params().iter().any(|it| it.place == Place::Rest) {
        true => quoted(wrong, |key| key.is_some_and(is_free)),
        false => Vec::new(),
    }
}

/// With quotes around words that were meant as one.
pub(super) fn unquoted<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    quoted(wrong, |_| true)
}

/// With quotes around words, if `fits` accepts the key of the first one.
fn quoted<M: Domain>(wrong: &Wrong<'_, M>, fits: impl Fn(Option<&str>) -> bool) -> Vec<String> {
    let words = blanks(wrong.op);
    let phrase = wrong.verb.as_ref().map_or(1, |(_, skip)| skip.end + 1);
    // A key of another verb is not part of a text either.
    let is_key = |key: &str| {
        let mut verbs = wrong.registry.verbs();
        wrong.has_key(key) || verbs.any(|verb| verb.params.iter().any(|it| it.answers_to(key)))
    };
    let keyed = |span: &Span| {
        let (key, _) = parted(span.of(wrong.op));
        span.of(wrong.op).starts_with('@') || is_key(key.trim_end_matches(':'))
    };
    let key_of = |span: &Span| {
        let (key, _) = parted(span.of(wrong.op));
        key.strip_suffix(':').filter(|key| wrong.has_key(key))
    };
    let words_of = words.iter().enumerate().skip(phrase);
    let looked = words_of.filter(|(_, span)| fits(key_of(span))).take(6);
    let mut guesses = Vec::new();
    for (ix, span) in looked {
        let more = words[ix + 1..].iter().take_while(|span| !keyed(span));
        let Some(last) = more.clone().last() else {
            continue;
        };
        // Something like `KEY:VALUE` or `:=` next to a text is a mistake, not part of it.
        let is_written = |span: &Span| {
            let (key, value) = parted(span.of(wrong.op));
            !key.is_empty() && !value.is_empty() || span.of(wrong.op).starts_with(":=")
        };
        if is_written(span) && key_of(span).is_none() || more.clone().any(is_written) {
            continue;
        }
        let key = key_of(span);
        // A quoted value ends at its quote.
        let value = span.of(wrong.op).get(key.map_or(0, |key| key.len() + 1)..);
        let own = |mark: char| {
            value.is_some_and(|value| {
                value.len() > 1 && value.starts_with(mark) && value.ends_with(mark)
            })
        };
        if own('"') || own('\'') {
            continue;
        }
        let start = span.start + key.map_or(0, |key| key.len() + 1);
        let whole = Span::new(start, last.end);
        let text = whole.of(wrong.op).trim_matches('"');
        let quoted = match key {
            Some(_) => quote_value(text),
            None => quote(text),
        };
        guesses.push(whole.replace(wrong.op, &quoted));
    }
    guesses
}

/// With a space before each selector attached to another word: `remove@pitch:C4`,
/// `@track:Keys@range:1`.
pub(super) fn glued<M: Domain>(wrong: &Wrong<'_, M>) -> Option<String> {
    let names: Vec<&str> = wrong.registry.selector_names().collect();
    let begins = |text: &str| {
        let name = text.strip_prefix("not:").unwrap_or(text);
        let (name, value) = name.split_once(':').unwrap_or((name, "-"));
        names.contains(&name) && !value.is_empty()
    };
    let selects = wrong.params().iter().any(|it| it.takes == Takes::Rows);
    let mut edits = Vec::new();
    for (ix, span) in wrong.words.iter().enumerate() {
        let text = span.of(wrong.op);
        let text = text.split(['"', '\'']).next().unwrap_or_default();
        let cuts = text.match_indices('@').map(|(at, _)| at);
        let mut start = 0;
        for at in cuts.filter(|at| *at > 0) {
            let next = text.get(at + 1..).unwrap_or_default();
            let next = next.split('@').next().unwrap_or_default();
            // After a verb, a selector, or another word for rows.
            let before = text.get(start..at).unwrap_or_default();
            let stands = match ix {
                0 if start == 0 => wrong.registry.called(&before.to_lowercase()).is_some(),
                // `@not:@class:hot` is one selector with a sign too many.
                _ => !before.eq_ignore_ascii_case("@not:") && (before.starts_with('@') || selects),
            };
            if stands && begins(next) {
                let place = span.start + at;
                edits.push((Span::new(place, place), " ".to_owned()));
                start = at;
            }
        }
    }
    replaced(wrong.op, edits)
}

/// A number and the word after it as one word, `-1octave` for `-1 octave`, each with the new word's
/// place.
pub(super) fn counted<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<(String, Span)> {
    if wrong.params().iter().any(|it| it.place == Place::Rest) {
        return Vec::new();
    }
    let is_unit = |text: &str| text == "%" || text.chars().all(char::is_alphabetic);
    let rest: Vec<usize> = wrong.rest().collect();
    let joined = rest.windows(2).filter_map(|pair| {
        let [number, unit] = [wrong.text(pair[0]), wrong.text(pair[1])];
        let (_, value) = parted(number);
        if !super::is_number(value)
            || !is_unit(unit)
            || super::bare_values::turns(unit)
            || wrong.has_key(unit)
        {
            return None;
        }
        let whole = wrong.words[pair[0]].to(wrong.words[pair[1]]);
        let word = format!("{number}{unit}");
        let end = whole.start + word.len();
        let place = Span::new(end - unit.len() - value.len(), end);
        Some((whole.replace(wrong.op, &word), place))
    });
    joined.take(2).collect()
}

/// With commas between words of which the verb takes only one, if they may be a list: `Left,Right`
/// for `Left Right`.
pub(super) fn joined<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let bare: Vec<usize> = wrong
        .rest()
        .filter(|word| {
            let text = wrong.text(*word);
            !text.starts_with(['@', '"', '\'']) && parted(text).0.is_empty()
        })
        .collect();
    let next = |pair: &[usize]| pair[0] + 1 == pair[1];
    let from = (0..bare.len()).take(3);
    let runs = from.filter_map(|from| {
        let words = bare.get(from..).filter(|words| words.len() > 1)?;
        let texts: Vec<&str> = words.iter().map(|word| wrong.text(*word)).collect();
        let whole = wrong.words[words[0]].to(wrong.words[words[words.len() - 1]]);
        let turned = texts.iter().any(|text| super::bare_values::turns(text));
        // A number after names is a count, not the row of that number.
        let numbers = texts.iter().filter(|text| super::is_number(text)).count();
        let alike = numbers == 0 || numbers == texts.len();
        (words.windows(2).all(next) && !turned && alike)
            .then(|| whole.replace(wrong.op, &texts.join(",")))
    });
    runs.collect()
}

/// A place and a later one after it, which no parameter takes, as a span: `1-4` for `1 4`. A verb
/// that deletes must not delete anything between the two.
pub(super) fn spans<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let number = |word: usize| wrong.text(word).parse::<u32>().ok();
    let loose = wrong.bound(|binder| {
        let loose = |word: &usize| binder.param_of(word - 1).is_none();
        wrong.rest().filter(loose).collect::<Vec<_>>()
    });
    let Some([last]) = loose.as_deref() else {
        return Vec::new();
    };
    let Some((from, to)) = number(last - 1).zip(number(*last)) else {
        return Vec::new();
    };
    let far = match wrong.deletes() {
        true => from.checked_add(1) == Some(to),
        false => from < to,
    };
    let whole = wrong.words[last - 1].to(wrong.words[*last]);
    let span = far.then(|| whole.replace(wrong.op, &format!("{from}-{to}")));
    span.into_iter().collect()
}

/// Two words next to each other as a key and its value.
pub(super) fn pairs<M: Domain>(wrong: &Wrong<'_, M>) -> Vec<String> {
    let rest: Vec<usize> = wrong.rest().collect();
    let mut guesses = Vec::new();
    for pair in rest.windows(2).rev().take(6) {
        let [key, value] = [wrong.text(pair[0]), wrong.text(pair[1])];
        let plain = |text: &str| parted(text).0.is_empty() && !text.starts_with('@');
        let qualified = parted(value)
            .0
            .strip_suffix(':')
            .is_some_and(|kind| M::kind(kind).is_some());
        if plain(key) && (plain(value) || qualified) && wrong.has_key(key) && !wrong.is_name(key) {
            let whole = wrong.words[pair[0]].to(wrong.words[pair[1]]);
            guesses.push(whole.replace(wrong.op, &format!("{key}:{value}")));
        }
    }
    guesses
}
