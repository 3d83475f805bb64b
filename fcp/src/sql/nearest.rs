//! The table or column that was probably meant by an unknown name.

use super::schema::Column;
use crate::value::nearest_word;

/// The fewest letters of a word that is looked up in documentation.
const WORD: usize = 4;

/// The column with a synonym of this name.
pub(super) fn aliased<'c>(
    name: &str,
    mut columns: impl Iterator<Item = &'c Column>,
) -> Option<&'c str> {
    let is_alias = |alias: &&str| alias.eq_ignore_ascii_case(name);
    let own = columns.find(|column| column.aliases.iter().any(is_alias));
    own.map(|column| &*column.name)
}

/// The column that was meant by an unknown name: by a synonym, by its spelling, as the start of the
/// name (`velocity` for `vel`), or by a word of its documentation.
pub(crate) fn nearest_column<'c>(
    name: &str,
    columns: impl Iterator<Item = &'c Column> + Clone,
) -> Option<&'c str> {
    let folded = name.to_lowercase();
    let names = || columns.clone().map(|column| &*column.name).chain(["ref"]);
    let starts = || {
        let own = names().filter(|own| own.len() > 1 && folded.starts_with(own));
        own.max_by_key(|own| own.len())
    };
    let documented = || {
        let mut columns = columns.clone().filter(|_| folded.len() >= WORD);
        let says = |doc: &str| {
            let mut words = doc.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word.eq_ignore_ascii_case(&folded))
        };
        columns
            .find(|column| says(column.doc))
            .map(|column| &*column.name)
    };
    aliased(name, columns.clone())
        .or_else(|| nearest_name(name, names()))
        .or_else(starts)
        .or_else(documented)
}

/// The name that equals this one except for case and a plural `s`, or else is near it: more than
/// half of the letters are the same ones.
pub(crate) fn nearest_name<'n>(
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let folded = name.to_lowercase();
    let names: Vec<&str> = names.into_iter().collect();
    let same = names
        .iter()
        .find(|own| own.trim_end_matches('s') == folded.trim_end_matches('s'));
    let is_near = |near: &&str| {
        near.starts_with(&folded) && folded.len() > 1
            || strsim::normalized_damerau_levenshtein(&folded, &near.to_lowercase()) > 0.5
    };
    let near = || nearest_word(&folded, names.iter().copied()).filter(is_near);
    same.copied().or_else(near)
}
