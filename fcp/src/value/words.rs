//! Values that are one of a few words, and the search for the intended word.

use serde::Serialize;

use super::ValueError;
use crate::work;

/// One word of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The word as shown on cards and in replies.
    pub word: &'static str,
    /// Other spellings with the same meaning.
    pub aliases: &'static [&'static str],
    /// Its meaning, if the word does not explain itself.
    pub doc: &'static str,
}

/// A word without case, hyphens, underscores and whitespace.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        let kept = text.bytes().filter(|byte| {
            let blank = byte.is_ascii_whitespace() || *byte == b'\x0b';
            !matches!(byte, b'-' | b'_') && !blank
        });
        return kept
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
    }
    text.chars()
        .filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The index of the choice that `text` names, by its word or an alias, ignoring case and hyphens.
///
/// # Errors
/// No choice has this name; the nearest one is the fix.
pub fn parse_choice(choices: &'static [Choice], text: &str) -> Result<usize, ValueError> {
    let folded = fold(text);
    let spellings =
        |choice: &Choice| std::iter::once(choice.word).chain(choice.aliases.iter().copied());
    if let Some(ix) = choices
        .iter()
        .position(|choice| spellings(choice).any(|word| fold(word) == folded))
    {
        return Ok(ix);
    }
    let words: Vec<&str> = choices.iter().map(|choice| choice.word).collect();
    let known = if words.len() <= 8 {
        format!(" ({})", words.join(", "))
    } else {
        String::new()
    };
    // A word equally similar to two choices has no repair.
    let near = choices.iter().filter_map(|choice| {
        let near = nearest_word(text, spellings(choice))?;
        Some((likeness(text, near), near))
    });
    let near: Vec<(f64, &str)> = near.collect();
    let best = near.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    let mut best = near.iter().filter(|(score, _)| *score >= best);
    let near = match (best.next(), best.next()) {
        (Some((_, near)), None) => Some(*near),
        _ => None,
    };
    Err(ValueError::new(format!("is not one of the words here{known}")).maybe_fix(near))
}

/// The longest text in which typos are sought, in bytes: the cost grows with the square.
const LONGEST: usize = 256;

/// The pairs of letters that are compared in the time of a step.
const PAIRS_A_STEP: usize = 2;

/// Counts the steps of comparing two texts letter by letter. False if they are not compared: one is too long, or the
/// call has taken too many steps.
fn is_compared(a: &str, b: &str) -> bool {
    let is_short = a.len().max(b.len()) <= LONGEST;
    is_short && work::spend(a.len() * b.len() / PAIRS_A_STEP).is_ok()
}

/// Returns whether a text is another one with at most so many typos: swapped, dropped, added and changed letters.
pub(crate) fn is_within(a: &str, b: &str, typos: usize) -> bool {
    a == b
        || a.len().abs_diff(b.len()) <= 4 * typos
            && is_compared(a, b)
            && strsim::damerau_levenshtein(a, b) <= typos
}

/// The least similarity of a candidate.
const LIKE: f64 = 0.5;

/// The similarity of two words, from 0 to 1; 1 only for equal ones, and 0 if it is below [`LIKE`]. Ignores case.
fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let (own, other) = (a.chars().count(), b.chars().count());
    let (shorter, longer) = (own.min(other), own.max(other));
    let is_begun = shorter >= 2 && (a.starts_with(&b) || b.starts_with(&a));
    let least = if is_begun { 0.6 } else { 0.0 };
    // The longer word has so many letters more.
    if (shorter as f64) < LIKE * longer as f64 || !is_compared(&a, &b) {
        return least;
    }
    // This distance counts typos: swapped, dropped, added and changed letters.
    strsim::normalized_damerau_levenshtein(&a, &b).max(least)
}

/// The candidates most similar to `text`, best first, at most `limit`, without distant ones.
///
/// A text of more than 256 bytes has no similar candidates.
pub fn nearest<'a>(
    text: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .filter(|candidate| text.len().max(candidate.len()) <= LONGEST)
        .map(|candidate| (likeness(text, candidate), candidate))
        .filter(|(score, _)| *score >= LIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored
        .into_iter()
        .take(limit)
        .map(|(_, candidate)| candidate)
        .collect()
}

/// The candidate most similar to `text`, if a typo or a shortened word explains the difference:
/// similar words may also mean something else, and numbers in them are never typos.
pub fn nearest_word<'a>(
    text: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let near = nearest(text, candidates, usize::MAX);
    let folded = fold(text);
    let begun = |candidate: &&&str| fold(candidate).starts_with(&*folded);
    let is_only = near.iter().filter(begun).take(2).count() == 1;
    let meant = |candidate: &&str| is_typo(text, candidate) || is_only && is_short(text, candidate);
    near.into_iter().find(meant)
}

/// Returns whether a word is another one with a typo: one wrong letter, or two in a word of six
/// letters or more, or of four that begin alike. Words with different digits are different words,
/// and a pattern is not a word.
#[must_use]
pub fn is_typo(text: &str, word: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'*';
    let digits = |text: &str| text.bytes().filter(is_digit).collect::<Vec<_>>();
    let (a, b) = (text.to_lowercase(), word.to_lowercase());
    let slips = match a.chars().count().max(b.chars().count()) {
        0..2 => 0,
        4..6 if a.chars().next() == b.chars().next() => 2,
        2..6 => 1,
        _ => 2,
    };
    // Hyphens and whitespace may be missing.
    let is_near = || is_within(&a, &b, slips) || is_within(&fold(&a), &fold(&b), slips);
    digits(&a) == digits(&b) && is_near()
}

/// Returns whether the name of a row is another one with typos in some of its words. In a word of two letters or less no
/// letter is wrong, since such words tell names apart: `label-a` and `t1` are other names than `label-b` and `c1`.
pub(crate) fn is_name_typo(text: &str, name: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let is_slip = |a: &str, b: &str| {
        let (own, other) = (a.chars().count(), b.chars().count());
        is_typo(a, b) && (own != other || own > 2)
    };
    let (own, other) = (parts(text), parts(name));
    match own.len() == other.len() && own.len() > 1 {
        true => own.iter().zip(&other).all(|(a, b)| a == b || is_slip(a, b)),
        false => is_slip(text, name),
    }
}

/// Returns whether a text is the first half of a word or more, or the reverse, and both are one
/// term.
fn is_short(text: &str, word: &str) -> bool {
    let (a, b) = (text.to_lowercase(), word.to_lowercase());
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let rest = long.strip_prefix(&*short);
    let one_term = rest.is_some_and(|rest| rest.chars().all(char::is_alphabetic));
    one_term && short.len() >= 2 && short.len() * 2 >= long.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_one_that_a_typo_explains() {
        let words = [
            "xylophone",
            "contrabass",
            "skyblue",
            "gray",
            "double-dotted-eighth",
            "smf",
            "set",
            "transpose",
            "chorus",
            "b1",
        ];
        for (text, near) in [
            ("saxophone", None),
            ("congas", None),
            ("sky", None),
            ("skay", None),
            ("double", None),
            ("smf0", None),
            ("b4", None),
            ("gry", Some("gray")),
            ("trans", Some("transpose")),
            ("Korus", Some("chorus")),
            ("xilofone", None),
            ("xylofone", Some("xylophone")),
            ("sky-blue", Some("skyblue")),
            ("set.*", None),
        ] {
            assert_eq!(nearest_word(text, words), near, "{text}");
        }
    }

    #[test]
    fn long_texts_are_not_compared() {
        // The table of all pairs of their letters would not fit in memory.
        let long = "a".repeat(1 << 20);
        assert!(is_within(&long, &long, 1));
        assert!(!is_within(&long, &long[1..], 1));
        assert!(!is_typo(&long, "a"));
        assert_eq!(nearest(&long, ["a", &*long], 2), Vec::<&str>::new());
    }

    #[test]
    fn short_words_tell_names_apart() {
        for (text, name, is_meant) in [
            ("label-c", "label-a", false),
            ("lable-a", "label-a", true),
            ("t1", "c1", false),
            ("bar-sat", "bar-sun", false),
            ("Chours", "Chorus", true),
            ("front line", "frontline", true),
            ("verse 2", "verse 1", false),
        ] {
            assert_eq!(is_name_typo(text, name), is_meant, "{text} {name}");
        }
    }

    #[test]
    fn words_like_two_choices_have_no_repair() {
        const WORDS: &[Choice] = &[
            Choice {
                word: "on",
                aliases: &["yes"],
                doc: "",
            },
            Choice {
                word: "off",
                aliases: &["no"],
                doc: "",
            },
        ];
        for (text, fix) in [
            ("o", None),
            ("onn", Some("on")),
            ("yse", Some("yes")),
            ("of", Some("off")),
            ("maybe", None),
        ] {
            let error = parse_choice(WORDS, text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }
}
