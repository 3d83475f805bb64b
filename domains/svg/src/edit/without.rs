//! Values without some of their references.

use std::ops::Range;

use crate::css;
use crate::syntax::href::{comment_end, string_end};

/// A list without the items that `is_gone` accepts; `None` if none is left.
#[must_use]
pub fn item_without(
    list: &str,
    separator: impl Fn(char) -> bool + Copy,
    is_gone: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let all = list.split_inclusive(separator);
    let kept: String = all
        .filter(|item| !is_gone(item.trim_end_matches(separator)))
        .collect();
    let kept = kept.trim_end_matches(|c: char| separator(c) || c.is_whitespace());
    (!kept.trim().is_empty()).then(|| kept.to_owned())
}

/// The value of a property without its references `url(#id)` to ids that `is_gone` accepts: of
/// several layers those without one are left, and of a single layer all but the reference. `None`
/// if nothing is left.
#[must_use]
pub fn value_without(value: &str, is_gone: &dyn Fn(&str) -> bool) -> Option<String> {
    let found = css::in_value(value).into_iter();
    let urls: Vec<Range<usize>> = found
        .filter(|one| is_gone(&one.id))
        .filter_map(|one| url_around(value, &one.span))
        .collect();
    if urls.is_empty() {
        return None;
    }
    let layers = layers(value);
    let kept: Vec<&str> = layers
        .iter()
        .filter(|layer| !urls.iter().any(|url| layer.contains(&url.start)))
        .filter_map(|layer| value.get(layer.clone()))
        .collect();
    if layers.len() > 1 {
        let kept = kept.join(",");
        return (!kept.trim().is_empty()).then(|| kept.trim().to_owned());
    }
    let mut left = value.to_owned();
    for url in urls.into_iter().rev() {
        let after = left.get(url.end..).unwrap_or_default();
        let blanks = after.len() - after.trim_start().len();
        left.replace_range(url.start..url.end + blanks, "");
    }
    let left = left.trim();
    (!left.is_empty()).then(|| left.to_owned())
}

/// The bytes of the `url(…)` around an id.
fn url_around(value: &str, id: &Range<usize>) -> Option<Range<usize>> {
    let before = value.get(..id.start)?.to_ascii_lowercase();
    let end = id.end + value.get(id.end..)?.find(')').map_or(0, |at| at + 1);
    Some(before.rfind("url(")?..end.max(id.end))
}

/// The parts of a value between commas outside brackets, strings and comments.
fn layers(value: &str) -> Vec<Range<usize>> {
    let bytes = value.as_bytes();
    let (mut found, mut start, mut depth, mut at) = (Vec::new(), 0, 0usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = comment_end(value, at);
                continue;
            }
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.push(start..value.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_references_go() {
        for (value, left) in [
            ("url(#a)", None),
            ("url(#a) red", Some("red")),
            (" url('#a') , url(#b)", Some("url(#b)")),
            ("url(#b), url(#a) no-repeat", Some("url(#b)")),
            ("url(#a), url(#a)", None),
            ("url(#a) blur(2px)", Some("blur(2px)")),
            ("blur(2px) url(#a) url(#b)", Some("blur(2px) url(#b)")),
            ("url(#b) url(#a)", Some("url(#b)")),
            ("url(#a) rgb(1,2,3)", Some("rgb(1,2,3)")),
            ("URL( \"#a\" ) /* url(#a), */", Some("/* url(#a), */")),
        ] {
            let have = value_without(value, &|id| id == "a");
            assert_eq!(have.as_deref(), left, "{value}");
        }
        assert_eq!(value_without("red", &|_| true), None);
        for (list, left) in [
            ("a", None),
            ("a b", Some("b")),
            ("b a", Some("b")),
            ("b a c", Some("b c")),
            (" a a ", None),
        ] {
            let have = item_without(list, char::is_whitespace, &|one| one == "a");
            assert_eq!(have.as_deref(), left, "{list}");
        }
        let have = item_without("b; a; c", |c| c == ';', &|one| one.trim() == "a");
        assert_eq!(have.as_deref(), Some("b; c"));
    }
}
