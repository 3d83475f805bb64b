//! Mistakes of words: synonyms, extra words, missing words, words in the wrong place.

use super::place::{Facts, Kind, Piece};
use super::{Wrong, one_of};
use crate::diag::Span;
use crate::testing::Walk;
use crate::verb::{Place, Takes};

/// Synonyms of verbs among people and programs. Independent of the runtime's own list, so that they
/// test it.
const ACTS: &[&[&str]] = &[
    &["add", "create", "new", "insert", "make"],
    &["remove", "delete", "del", "rm", "erase", "drop"],
    &["modify", "change", "update", "edit", "alter", "adjust"],
    &["copy", "duplicate", "clone", "dup"],
    &["move", "shift", "translate", "mv"],
    &["rename", "relabel"],
    &["connect", "link", "join"],
    &["rotate", "turn"],
    &["scale", "resize"],
    &["finish", "complete", "done"],
    &["group", "combine"],
    &["repeat", "replicate"],
    &["set", "assign"],
];

/// Synonyms of keys.
const KEYS: &[&[&str]] = &[
    &["at", "pos", "position", "start", "location", "time"],
    &["dur", "duration", "length", "len"],
    &["size", "dimensions", "dim"],
    &["id", "identifier"],
    &["in", "parent", "container", "within"],
    &["to", "target", "destination", "dest"],
    &["from", "source", "src"],
    &["by", "amount", "delta", "offset"],
    &["name", "title", "label"],
    &["text", "content", "label"],
    &["count", "number", "n"],
    &["times", "repeat", "count"],
    &["fill", "color", "colour"],
    &["r", "radius"],
    &["priority", "prio", "importance"],
    &["minutes", "mins", "duration"],
    &["gap", "spacing", "distance"],
    &["about", "around", "pivot", "origin"],
    &["with", "using"],
    &["type", "kind"],
    &["points", "vertices", "coords"],
    &["colors", "colours"],
    &["angle", "degrees"],
    &["channel", "ch", "chan"],
    &["width", "w"],
    &["height", "h"],
];

pub fn verb_synonym(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let mut spans = vec![facts.verb];
    spans.extend(facts.second);
    let span = *one_of(random, &spans)?;
    let wrong = synonym(random, ACTS, facts.at(span))?;
    // If the domain has such a verb, that one was meant.
    let known = |phrase: &String| phrase.split(' ').any(|word| word == wrong);
    let known = facts.lexicon.phrases.iter().any(known);
    (!known).then(|| facts.with(span, wrong).into())
}

pub fn key_synonym(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let keyed = facts.pieces(|piece| matches!(piece.kind, Kind::Keyed | Kind::Field));
    let key = one_of(random, &keyed)?.key?;
    let wrong = synonym(random, KEYS, facts.at(key))?;
    let known = facts.keys.contains(&wrong)
        || facts.open && facts.lexicon.words.contains(wrong)
        || facts
            .pieces
            .iter()
            .any(|piece| piece.key.map(|key| facts.at(key)) == Some(wrong));
    (!known).then(|| facts.with(key, wrong).into())
}

fn synonym(random: &mut Walk, groups: &[&[&'static str]], word: &str) -> Option<&'static str> {
    let of = groups.iter().filter(|group| group.contains(&word));
    let others: Vec<&'static str> = of.flat_map(|group| group.iter().copied()).collect();
    let other = *one_of(random, &others)?;
    (other != word).then_some(other)
}

/// `add track Piano` for `track add Piano`.
pub fn swapped_phrase(facts: &Facts, _: &mut Walk) -> Option<Wrong> {
    let second = facts
        .second
        .filter(|second| second.start == facts.verb.end + 1)?;
    let swapped = format!("{} {}", facts.at(second), facts.at(facts.verb));
    if facts.lexicon.phrases.contains(&swapped) {
        return None;
    }
    Some(facts.with(facts.verb.to(second), &swapped).into())
}

/// A missing word that the syntax line requires.
pub fn missing(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let must = |piece: &Piece| {
        piece
            .param
            .is_some_and(|param| param.required && !param.many)
    };
    let given = |piece: &Piece| {
        let name = piece.param.map(|param| param.name);
        facts
            .pieces
            .iter()
            .filter(|other| other.param.map(|param| param.name) == name)
            .count()
    };
    let selected = facts
        .pieces
        .iter()
        .filter(|piece| piece.kind == Kind::Selector)
        .count();
    let pieces = facts.pieces(|piece| match piece.kind {
        Kind::Selector => selected == 1,
        _ => must(piece) && given(piece) == 1,
    });
    let piece = one_of(random, &pieces)?;
    Some(facts.with(with_blank(facts, piece.span), "").into())
}

/// A meaningless word, anywhere after the phrase.
pub fn surplus(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    const WORDS: &[&str] = &["please", "now", "here", "the", "with", "again", "x"];
    let word = random.pick(WORDS)?;
    if facts.names.contains(word) {
        return None;
    }
    let free = |piece: &&Piece| piece.is_free();
    let mut places = vec![facts.op.len()];
    // Before or after a text, it would be part of the text.
    if !facts.pieces.iter().any(|piece| free(&piece)) {
        places.extend(facts.pieces.iter().map(|piece| piece.span.start - 1));
    } else if facts
        .pieces
        .last()
        .is_some_and(|piece| piece.kind == Kind::Bare && free(&piece))
    {
        return None;
    }
    let at = *one_of(random, &places)?;
    Some(facts.with(Span::new(at, at), &format!(" {word}")).into())
}

/// A repeated key: the same, under an alias, or with another value. It is unclear which of two
/// values was meant; the first counts.
pub fn repeated(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let once = |piece: &Piece| {
        !piece
            .param
            .is_some_and(|param| param.many && param.place != Place::Fields)
    };
    let pieces =
        facts.pieces(|piece| matches!(piece.kind, Kind::Keyed | Kind::Field) && once(piece));
    let piece = one_of(random, &pieces)?;
    let key = facts.at(piece.key?);
    let names: Vec<&str> = match (piece.kind, piece.param) {
        (Kind::Keyed, Some(param)) => param.keys().collect(),
        _ => vec![key],
    };
    let name = one_of(random, &names)?;
    let value = match piece.number().filter(|_| random.below(3) == 0) {
        Some(_) => format!("{}1", facts.at(piece.value)),
        None => facts.at(piece.value).to_owned(),
    };
    Some(format!("{} {name}:{value}", facts.op).into())
}

/// `key value` for `key:value`.
pub fn no_colon(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let colon = colon(facts, random)?;
    Some(facts.with(colon, " ").into())
}

/// `key=value`
pub fn equals(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let colon = colon(facts, random)?;
    Some(facts.with(colon, "=").into())
}

/// `key: value`
pub fn blank_behind(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let colon = colon(facts, random)?;
    Some(facts.with(colon, ": ").into())
}

/// `key :value`
pub fn blank_before(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let colon = colon(facts, random)?;
    Some(facts.with(colon, " :").into())
}

/// `--key value` or `--key=value`
pub fn dashes(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let colon = colon(facts, random)?;
    let with = if random.below(2) == 0 { " " } else { "=" };
    let op = facts.with(colon, with);
    let start = facts
        .pieces
        .iter()
        .find(|piece| piece.span.start < colon.start && colon.end <= piece.span.end)?;
    let start = start.span.start;
    Some(Span::new(start, start).replace(&op, "--").into())
}

/// The colon of one of the keys.
fn colon(facts: &Facts, random: &mut Walk) -> Option<Span> {
    let keyed = facts.pieces(|piece| matches!(piece.kind, Kind::Keyed | Kind::Field));
    let key = one_of(random, &keyed)?.key?;
    Some(Span::new(key.end, key.end + 1))
}

/// `pitch:C4` for `@pitch:C4`. Not for types: without the sign they would name a row.
pub fn no_at(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let kinds = &facts.lexicon.kinds;
    let plain = |piece: &Piece| {
        let kind = piece.key.map_or("", |key| facts.at(key));
        piece.kind == Kind::Selector && !kinds.contains(kind)
    };
    let pieces = facts.pieces(plain);
    let piece = one_of(random, &pieces)?;
    let sign = Span::new(piece.span.start, piece.span.start + 1);
    Some(facts.with(sign, "").into())
}

/// `@Piano` or `#Piano` for `Piano`.
pub fn marked_name(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let named = |piece: &Piece| {
        let reference = piece.param.is_some_and(|param| param.takes != Takes::Value);
        piece.refers() && reference && !piece.quoted && piece.kind != Kind::Selector
    };
    let pieces = facts.pieces(named);
    let piece = one_of(random, &pieces)?;
    let mark = random.pick(&["@", "#"])?;
    // `@dot` is a valid selector if one has that name.
    if mark == "@" && facts.lexicon.words.contains(&piece.text) {
        return None;
    }
    let at = piece.value.start;
    Some(facts.with(Span::new(at, at), mark).into())
}

/// Other arrows.
pub fn arrow(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let pieces = facts.pieces(|piece| piece.kind == Kind::Arrow);
    let piece = one_of(random, &pieces)?;
    let others: &[&str] = match &*piece.text {
        "->" => &["=>", "→", "-->", "to", ">", "→"],
        "<->" => &["<=>", "↔", "<-->"],
        _ => &["—", "---", "–"],
    };
    let other = random.pick(others)?;
    Some(facts.with(piece.span, other).into())
}

/// A word with the whitespace before it.
fn with_blank(facts: &Facts, span: Span) -> Span {
    let start = facts
        .op
        .get(..span.start)
        .map_or(0, |before| before.trim_end().len());
    Span::new(start, span.end)
}
