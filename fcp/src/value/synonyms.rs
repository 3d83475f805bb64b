//! Synonyms from other programs and common language.

use super::{is_within, nearest_word};

/// Synonyms of verbs.
const ACTS: &[&[&str]] = &[
    &["add", "create", "insert", "new", "make", "append", "put"],
    &["remove", "delete", "del", "rm", "erase", "drop", "destroy"],
    &[
        "modify", "change", "edit", "update", "set", "alter", "adjust",
    ],
    &["copy", "duplicate", "clone", "dup", "cp"],
    &["move", "shift", "translate", "mv"],
    &["rename", "relabel"],
    &["connect", "link", "join"],
    &["group", "combine", "bundle"],
    &["rotate", "turn", "spin"],
    &["scale", "resize"],
    &["finish", "complete"],
    &["repeat", "replicate"],
];

/// Synonyms of keys; a word may be in several rows.
const KEYS: &[&[&str]] = &[
    &[
        "at", "position", "pos", "location", "start", "time", "place", "bar", "measure",
    ],
    &["dur", "duration", "length", "len"],
    &["minutes", "mins", "min", "duration"],
    &["size", "dimensions", "dims", "dim"],
    &["width", "w"],
    &["height", "h"],
    &["r", "radius"],
    &["id", "identifier", "name"],
    &["name", "title", "label"],
    &["text", "content", "label", "caption"],
    &["in", "parent", "container", "within", "inside", "into"],
    &["to", "target", "destination", "dest"],
    &["from", "source", "src", "start"],
    &["by", "delta", "offset", "amount", "distance", "semitones"],
    &["every", "step", "spacing"],
    &["gap", "spacing", "distance", "margin"],
    &["about", "around", "pivot", "origin"],
    &["angle", "degrees", "rotation"],
    &["count", "number", "times", "copies", "n"],
    &["times", "repeat", "repeats"],
    &["fill", "color", "colour"],
    &["colors", "colours"],
    &["opacity", "alpha"],
    &["points", "vertices", "coordinates", "coords"],
    &["type", "kind"],
    &["priority", "prio", "importance"],
    &["ch", "channel", "chan"],
    &["with", "using"],
];

/// Synonyms of selectors.
const SELECTORS: &[&[&str]] = &[
    &["range", "bar", "bars", "measure", "measures"],
    &["track", "channel", "instrument", "part"],
    &["velocity", "loudness", "dynamics"],
    &["type", "kind"],
    &["all", "everything", "any"],
];

/// The selector among `known` that was probably meant by a word.
pub(crate) fn meant_selector<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    meant(SELECTORS, word, known)
}

/// The verb among `known` that was probably meant by a word: a synonym or a similar word.
pub(crate) fn meant_act<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    meant(ACTS, word, known)
}

/// The key among `known` that was probably meant by another: a synonym or a similar word.
pub(crate) fn meant_key<'a>(
    key: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    meant(KEYS, key, known)
}

/// Returns whether two words are synonyms as keys.
pub(crate) fn is_synonym(key: &str, other: &str) -> bool {
    let mut groups = KEYS.iter();
    groups.any(|group| group.contains(&key) && group.contains(&other))
}

/// The field key among `known` that was probably meant. There may be many fields, and a short key
/// resembles many unrelated ones.
pub(crate) fn meant_field<'a>(
    key: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let meant = meant_key(key, known.clone())?;
    let nearest = nearest_word(key, known) == Some(meant);
    (!nearest || is_slip(key, meant)).then_some(meant)
}

/// Returns whether a key is another one with one typo, or too long for an accidental similarity.
pub(crate) fn is_slip(key: &str, other: &str) -> bool {
    key.len() > SHORT || is_within(&key.to_lowercase(), other, 1)
}

/// The longest key that may resemble others by accident.
const SHORT: usize = 5;

fn meant<'a>(
    groups: &[&[&str]],
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    let same = known.clone().find(|known| *known == word);
    let groups = groups.iter().filter(|group| group.contains(&&*word));
    let mut others = groups.flat_map(|group| group.iter());
    same.or_else(|| others.find_map(|other| known.clone().find(|known| known == other)))
        .or_else(|| nearest_word(&word, known))
}
