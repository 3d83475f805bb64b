//! Mistakes of letters: typos, letter case, joined words.

use super::place::{Facts, Kind, Piece, answers};
use super::{Wrong, one_of};
use crate::diag::Span;
use crate::testing::Walk;

pub fn verb(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    word(facts, random, &[facts.verb])
}

pub fn second_word(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    word(facts, random, &[facts.second?])
}

/// A typo in a type, alone or qualifying a name.
pub fn kind(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    word(facts, random, &kinds(facts))
}

pub fn reference(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let selected = |piece: &Piece| piece.kind == Kind::Selector;
    word(facts, random, &named(facts, |piece| !selected(piece)))
}

pub fn key(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    word(facts, random, &keys(facts))
}

/// A typo in one of the words of a value.
pub fn choice(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let listed = |piece: &Piece| piece.is_shown() && !piece.is_free();
    // In a word of two letters, a typo hides what was meant: `n` for `on`.
    let long = |piece: &Piece| piece.text.chars().count() > 2;
    let pieces = facts.pieces(|piece| long(piece) && (piece.is_choice() || listed(piece)));
    let piece = one_of(random, &pieces)?;
    let wrong = typo(random, facts.at(piece.value))?;
    let choices = piece.spec.map_or(&[][..], |spec| spec.choices);
    let right = piece.shows(&wrong) || choices.iter().any(|choice| answers(choice, &wrong));
    (!right).then(|| facts.with(piece.value, &wrong).into())
}

pub fn selector(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let pieces = facts.pieces(|piece| piece.kind == Kind::Selector);
    let spans: Vec<Span> = pieces.iter().filter_map(|piece| piece.key).collect();
    word(facts, random, &spans)
}

/// A typo in a row's name or a type in a selector; in other values, a typo makes another valid one.
pub fn selector_value(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let mut spans = named(facts, |piece| piece.kind == Kind::Selector);
    let types =
        |piece: &Piece| piece.kind == Kind::Selector && facts.lexicon.kinds.contains(&piece.text);
    spans.extend(facts.pieces(types).iter().map(|piece| piece.value));
    word(facts, random, &spans)
}

pub fn key_case(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let key = *one_of(random, &keys(facts))?;
    let text = facts.at(key);
    let wrong = match random.below(2) {
        0 => text.to_uppercase(),
        _ => capital(text),
    };
    other(facts, key, &wrong)
}

/// `time_sig`, `timeSig` and `TimeSig` for `time-sig`, in any compound word.
pub fn joint(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let mut spans = vec![facts.verb];
    spans.extend(facts.second);
    for piece in &facts.pieces {
        spans.extend(piece.key.filter(|_| piece.kind != Kind::Selector));
        if piece.refers() || piece.is_choice() {
            spans.push(piece.value);
        }
    }
    spans.retain(|span| {
        facts
            .at(*span)
            .trim_matches(['-', '_'])
            .contains(['-', '_'])
    });
    let span = *one_of(random, &spans)?;
    let text = facts.at(span);
    let words: Vec<&str> = text.split(['-', '_']).collect();
    let camel: String = words.iter().map(|word| capital(word)).collect();
    let wrong = match random.below(4) {
        0 => words.join("_"),
        1 => words.join("-"),
        2 => words[0]
            .chars()
            .chain(camel.chars().skip(words[0].chars().count()))
            .collect(),
        _ => camel,
    };
    other(facts, span, &wrong)
}

/// A wrong plural or singular: `notes`, `adds`.
pub fn plural(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let mut spans = vec![facts.verb];
    spans.extend(facts.second);
    spans.extend(kinds(facts));
    let span = *one_of(random, &spans)?;
    let wrong = format!("{}s", facts.at(span));
    other(facts, span, &wrong)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.as_str().chars()).collect()
}

fn kinds(facts: &Facts) -> Vec<Span> {
    let known = |span: &Span| facts.lexicon.kinds.contains(facts.at(*span));
    let mut spans = Vec::new();
    for piece in &facts.pieces {
        match (piece.kind, piece.key) {
            (Kind::Bare, Some(kind)) => spans.push(kind),
            (Kind::Bare, None) if !piece.quoted => spans.push(piece.value),
            // `on:track:Piano`
            (Kind::Keyed | Kind::Field, _) => {
                let kind = facts
                    .at(piece.value)
                    .split_once(':')
                    .map(|(kind, _)| kind.len());
                spans.extend(kind.map(|len| Span::new(piece.value.start, piece.value.start + len)));
            }
            _ => {}
        }
    }
    spans.retain(known);
    spans
}

fn keys(facts: &Facts) -> Vec<Span> {
    let keyed = facts.pieces(|piece| matches!(piece.kind, Kind::Keyed | Kind::Field));
    keyed.iter().filter_map(|piece| piece.key).collect()
}

/// The names of rows in the words that pass a test; names in a list are separate.
fn named(facts: &Facts, test: impl Fn(&Piece) -> bool) -> Vec<Span> {
    let mut spans = Vec::new();
    for piece in facts.pieces(|piece| !piece.quoted && !piece.is_free() && test(piece)) {
        let mut start = piece.value.start;
        for name in facts.at(piece.value).split([',', '|']) {
            let span = Span::new(start, start + name.len());
            start = span.end + 1;
            // `on:track:Piano`
            let kind = name.rfind(':').map_or(0, |colon| colon + 1);
            let span = Span::new(span.start + kind, span.end);
            if facts.names.contains(facts.at(span)) {
                spans.push(span);
            }
        }
    }
    spans
}

/// A typo in one of these words, unless it results in a valid word.
fn word(facts: &Facts, random: &mut Walk, spans: &[Span]) -> Option<Wrong> {
    let span = *one_of(random, spans)?;
    let wrong = typo(random, facts.at(span))?;
    other(facts, span, &wrong)
}

/// The op with one word replaced, unless the result is a valid word too.
fn other(facts: &Facts, span: Span, wrong: &str) -> Option<Wrong> {
    let right = facts.lexicon.words.contains(wrong) || facts.names.contains(wrong);
    (!right && wrong != facts.at(span)).then(|| facts.with(span, wrong).into())
}

/// A word with one letter dropped, doubled, replaced, or swapped with its neighbour; `None` for a
/// word without letters.
fn typo(random: &mut Walk, word: &str) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 2 || !letters.iter().any(|letter| letter.is_alphabetic()) {
        return None;
    }
    let at = random.below(letters.len());
    match random.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        2 if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters[at] = char::from(b'a' + u8::try_from(random.below(26)).unwrap_or(0)),
    }
    Some(letters.into_iter().collect())
}
