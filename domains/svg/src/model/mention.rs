//! Attributes that name elements without referring to them: others read them, and a new id must reach them too.

use super::object::{LINK_FROM, LINK_TO};

/// Attributes that hold ids between blanks (WAI-ARIA 1.2, section 6.6).
pub const LISTS: &[&str] = &[
    "aria-activedescendant",
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
];
/// Attributes of links that hold the id of an end.
pub const ENDS: &[&str] = &[LINK_FROM, LINK_TO];
/// Attributes that may name the event of an element: `sun.click+1s` (SMIL 3.0, section 5.4.3).
pub const TIMES: &[&str] = &["begin", "end"];

/// The ids that an attribute names. Of a time every beginning that ends at a dot may be one, for ids may have dots.
#[must_use]
pub fn ids<'v>(name: &str, value: &'v str) -> Vec<&'v str> {
    // None of the other letters begins such a name.
    if !name.starts_with(['a', 'b', 'd', 'e']) {
        return Vec::new();
    }
    if ENDS.contains(&name) {
        vec![value]
    } else if LISTS.contains(&name) {
        value.split_whitespace().collect()
    } else if TIMES.contains(&name) {
        let words = value.split(';').map(str::trim);
        let begins = |word: &'v str| word.match_indices('.').filter_map(|(at, _)| word.get(..at));
        words.flat_map(begins).collect()
    } else {
        Vec::new()
    }
}
