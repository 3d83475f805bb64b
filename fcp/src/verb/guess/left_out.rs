//! Words that a repair leaves out of an op.

use std::collections::HashSet;

use super::missing_words::filler;

/// Returns whether a repair has fewer words than the op: separate words, or parts of a list, a span
/// or a key's value. Repeated words count once, and a quoted text counts as one word if the op
/// contains it.
pub(crate) fn leaves_out(op: &str, repair: &str) -> bool {
    word_count(repair, op) < word_count(op, op)
}

/// The number of words in a text, compared with an op.
fn word_count(text: &str, op: &str) -> usize {
    let mut seen = HashSet::new();
    let mut words = 0;
    // Every second part is quoted.
    for (ix, part) in text.split('"').enumerate() {
        if ix % 2 == 1 && op.contains(part) {
            words += 1;
            continue;
        }
        let pieces = part.split_whitespace();
        let new = pieces.filter(|piece| !filler(piece) && seen.insert(*piece));
        // `2.4` is one place, `2..4` are two.
        let parts = new.flat_map(|piece| piece.split(".."));
        let parts = parts.flat_map(|part| part.split(|c: char| c != '.' && !c.is_alphanumeric()));
        words += parts
            .filter(|part| part.contains(char::is_alphanumeric))
            .count();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_left_out_by_a_repair_are_noticed() {
        for (op, repair, is_less) in [
            ("remove Bass volume", "remove Bass", true),
            ("remove P,Bass", "remove Bass", true),
            ("remove @range:1|3", "remove @range:1", true),
            ("remove tempo at:5", "remove @type:tempo", true),
            ("remove tempo", "remove @type:tempo", false),
            ("remove tempo at:5 on:P", "remove tempo at:5", true),
            ("bars delete 2 3", "bars delete 2", true),
            ("bars delete 2 3", "bars delete 2-3", false),
            ("remove please lyric \"a b\"", "remove lyric \"a b\"", false),
            ("track remove \"Piano, lefft\"", "track remove #17", false),
            ("remove markerChorus", "remove marker:Chorus", false),
            ("bars delete 2.2-2.4", "bars delete 2-2", false),
            ("remove @range:3-5-e", "remove @range:3..5-e", false),
            ("remove tempo at:3 at:3", "remove tempo at:3", false),
            ("remove @range:v-4", "remove @range:\"Verse 1-4\"", false),
            ("remove \"a b\" c", "remove \"a b\"", true),
        ] {
            assert_eq!(leaves_out(op, repair), is_less, "{op}");
        }
    }
}
