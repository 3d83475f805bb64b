//! Suggestions for misspelled words.

/// The nearest candidate, if unique: at most two letters, and a third of the longer word, away.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    let lower = word.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    for candidate in candidates {
        let other = candidate.to_lowercase();
        let longer = lower.chars().count().max(other.chars().count());
        // Words whose lengths differ by three letters are at least three letters apart.
        if lower.chars().count().abs_diff(other.chars().count()) > 2 || longer > 256 {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lower, &other);
        if distance > 2 || 3 * distance > longer || candidate == word {
            continue;
        }
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, known)) if distance == least => tied |= known != candidate,
            _ => {
                best = Some((distance, candidate));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied)
        .map(|(_, candidate)| candidate.to_owned())
}
