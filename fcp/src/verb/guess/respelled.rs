//! Repairs that change nothing but spelling.

use rustc_hash::{FxHashMap, FxHashSet};

use super::filler;
use crate::value::{fold, meant_act, meant_key, nearest_word};

/// The most words that one repair respells.
const SLIPS: usize = 8;

/// Returns whether a repair is the op with only its slips of the pen mended: every word of the
/// repair is one of the op's, or near one. Nothing is added; only fillers and repeated words are
/// left out.
pub(crate) fn only_respells(op: &str, repair: &str) -> bool {
    let (own, mended) = (words(op), words(repair));
    if own.concat() == mended.concat() {
        return true;
    }
    // Equal words are paired first, whatever their order.
    let mut left: FxHashMap<&str, usize> = FxHashMap::default();
    for word in &own {
        *left.entry(word).or_default() += 1;
    }
    let mut new = Vec::new();
    for word in &mended {
        match left.get_mut(word.as_str()).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => new.push(word),
        }
    }
    let mut left: Vec<&str> = remaining(&own, left);
    if new.len() > SLIPS {
        return false;
    }
    for word in new {
        match left.iter().position(|other| is_near(other, word)) {
            Some(at) => drop(left.remove(at)),
            None => return false,
        }
    }
    let mended: FxHashSet<&str> = mended.iter().map(String::as_str).collect();
    left.into_iter()
        .all(|word| filler(word) || mended.contains(word))
}

/// The words that are left, as often as they are, in order.
fn remaining<'w>(words: &'w [String], mut left: FxHashMap<&str, usize>) -> Vec<&'w str> {
    let mut is_left = |word: &&str| match left.get_mut(*word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let words = words.iter().map(String::as_str);
    words.filter(|word| is_left(word)).collect()
}

/// Returns whether a repair lacks a number of the op.
pub(crate) fn renumbers(op: &str, repair: &str) -> bool {
    let (own, left) = (numbers(op), numbers(repair));
    own.iter().any(|number| !left.contains(number))
}

/// The runs of digits in a text.
fn numbers(text: &str) -> FxHashSet<&str> {
    let runs = text.split(|c: char| !c.is_ascii_digit());
    runs.filter(|run| !run.is_empty()).collect()
}

/// The words of a text in lower case. A full stop and a sign belong to the word they precede: `.hot`
/// is not `hot`, nor `-5` the number `5`.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '*' | '%');
    let words = text.split(|c: char| !is_part(c));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns whether a slip of the pen, another word for it, or a unit explains the difference.
fn is_near(word: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let first = |text: &str| {
        let first = text.chars().next();
        first.filter(|c| matches!(c, '.' | '*' | '+' | '-'))
    };
    if first(word) != first(other) {
        return false;
    }
    // A number that is one past a bound.
    if let (Some(a), Some(b)) = (number(word), number(other)) {
        return (a - b).abs() <= 1.0 && !word.contains('.') && !other.contains('.');
    }
    if number(other).is_some() {
        let unit = word.strip_prefix(other).unwrap_or_default();
        return !unit.is_empty() && unit.chars().all(char::is_alphabetic);
    }
    let one = || std::iter::once(other);
    fold(word) == fold(other)
        || nearest_word(word, one()).is_some()
        || meant_key(word, one()).is_some()
        || meant_act(word, one()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repair_of_spelling_adds_no_words() {
        for (op, repair, is_only) in [
            ("remove @class:hott", "remove @class:hot", true),
            ("remove a", "remove a unlink:on", false),
            ("remove c", "remove a,b,c", false),
            ("style c fill:redd", "style c fill:red", true),
            ("style c fill:red", "style .hot fill:red", false),
            ("style hot fill:red", "style .hot fill:red", false),
            ("style c fil=red", "style c fill:red", true),
            ("rm a", "remove a", true),
            ("clip a with:mk", "clip a with:cl", false),
            ("note P C4 length:q", "note P C4 dur:q", true),
            ("note P C4 at:1 at:1", "note P C4 at:1", true),
            ("note P C4 at:1 please", "note P C4 at:1", true),
            ("note P C4,E4 at:1", "note P C4 at:1", false),
            ("move a by:-5,5", "move a by:5,5", false),
            ("move a by:15", "move a by:1.5", false),
            ("move a by:15px", "move a by:15", true),
            ("time_sig 3/4", "time-sig 3/4", true),
            ("phrase P C4 E4", "phrase P \"C4 E4\"", true),
            ("remove @not:hot", "remove @hot", false),
        ] {
            assert_eq!(only_respells(op, repair), is_only, "{op}");
        }
    }
}
