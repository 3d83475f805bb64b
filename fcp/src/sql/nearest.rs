//! The table or column that was probably meant by an unknown name.

use super::schema::Column;
use crate::value::nearest_word;

/// The fewest letters of a word that is looked up in documentation.
const WORD: usize = 4;
/// The first words of documentation that say what a column is: `Its name; …`.
const FIRST: usize = 3;

/// The column with another name for it: a synonym, the field of `diff` that it shows, its key in ops.
pub(super) fn aliased<'c>(
    name: &str,
    mut columns: impl Iterator<Item = &'c Column>,
) -> Option<&'c str> {
    let own = columns.find(|own| {
        let mut others = own.aliases.iter().chain(own.shows).chain(&own.key);
        others.any(|other| other.eq_ignore_ascii_case(name))
    });
    own.map(|column| &*column.name)
}

/// The column that was meant by an unknown name: by another name, by its spelling, as the start of the name (`velocity`
/// for `vel`), or by the first words of its documentation.
pub(crate) fn nearest_column<'c>(
    name: &str,
    mut columns: impl Iterator<Item = &'c Column> + Clone,
) -> Option<&'c str> {
    let folded = name.to_lowercase();
    let all = columns.clone();
    let names = || all.clone().map(|column| &*column.name).chain(["ref"]);
    let starts = || {
        let own = names().filter(|own| own.len() > 1 && folded.starts_with(own));
        own.max_by_key(|own| own.len())
    };
    let says = |doc: &str| {
        let mut words = doc.split(|c: char| !c.is_alphanumeric()).take(FIRST);
        folded.len() >= WORD && words.any(|word| word.eq_ignore_ascii_case(name))
    };
    aliased(name, all.clone())
        .or_else(|| nearest_name(name, names()))
        .or_else(starts)
        .or_else(|| Some(&*columns.find(|column| says(column.doc))?.name))
}

/// The name that equals this one except for case and a plural `s`, or else is near it: more than
/// half of the letters are the same ones.
pub(super) fn nearest_name<'n>(
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let folded = name.to_lowercase();
    let names: Vec<&str> = names.into_iter().collect();
    let same = names
        .iter()
        .find(|own| own.trim_end_matches('s') == folded.trim_end_matches('s'));
    let likeness = |near: &str| strsim::normalized_damerau_levenshtein(&folded, near);
    let near = || nearest_word(&folded, names.iter().copied());
    let near = || near().filter(|near| likeness(&near.to_lowercase()) > 0.5);
    let begins = |own: &&&str| folded.len() > 1 && own.starts_with(&folded);
    let begun = || names.iter().find(begins).copied();
    same.copied().or_else(near).or_else(begun)
}
