//! References inside values: `#id`, `url(#id)`, with the byte ranges of their ids.

use std::ops::Range;

/// An id that a value refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The bytes of the id, without `#`.
    pub id: Range<usize>,
    /// The bytes of the whole reference, `url(` and `)` included.
    pub span: Range<usize>,
}

/// The id in an `href`, if it refers to the same document.
#[must_use]
pub fn local(href: &str) -> Option<&str> {
    href.trim().strip_prefix('#').filter(|id| !id.is_empty())
}

/// Every `url(#id)` of a value, quoted or not, without references to other documents.
///
/// Strings and comments of style sheets are skipped.
#[must_use]
pub fn urls(value: &str) -> Vec<Reference> {
    let bytes = value.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = string_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(value, at),
            b'u' | b'U' if begins_url(bytes, at) => {
                let (end, id) = url(value, at);
                found.extend(id.map(|id| Reference { id, span: at..end }));
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// The id of a value that is a single `url(#id)`, optionally with a fallback after it.
#[must_use]
pub fn url_id(value: &str) -> Option<&str> {
    let first = urls(value).into_iter().next()?;
    let before = value.get(..first.span.start)?;
    before
        .trim()
        .is_empty()
        .then(|| value.get(first.id))
        .flatten()
}

/// Whether `url(` begins there as a separate word.
fn begins_url(bytes: &[u8], at: usize) -> bool {
    let apart = at
        .checked_sub(1)
        .and_then(|before| bytes.get(before))
        .is_none_or(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    let word = bytes.get(at..at + 4);
    apart && word.is_some_and(|word| word.eq_ignore_ascii_case(b"url("))
}

/// The end of the `url(…)` at `at`, and the id in it.
fn url(value: &str, at: usize) -> (usize, Option<Range<usize>>) {
    let bytes = value.as_bytes();
    let blanks = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count()
    };
    let open = blanks(at + 4);
    let (text, after) = match bytes.get(open) {
        Some(b'"' | b'\'') => {
            let end = string_end(bytes, open);
            (open + 1..end.saturating_sub(1).max(open + 1), end)
        }
        _ => {
            let rest = bytes.get(open..).unwrap_or_default();
            let length = rest
                .iter()
                .position(|byte| *byte == b')')
                .unwrap_or(rest.len());
            let text = value.get(open..open + length).unwrap_or_default();
            (open..open + text.trim_end().len(), open + length)
        }
    };
    let close = blanks(after);
    let end = if bytes.get(close) == Some(&b')') {
        close + 1
    } else {
        close
    };
    let target = value.get(text.clone()).unwrap_or_default();
    let id = (target.starts_with('#') && target.len() > 1).then_some(text.start + 1..text.end);
    (end.max(at + 4).min(value.len()), id)
}

/// The end of the string whose opening quote is at `at`. A backslash escapes the next byte.
pub(crate) fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes.get(at).copied();
    let mut next = at + 1;
    while let Some(&byte) = bytes.get(next) {
        match byte {
            b'\\' => next += 1,
            _ if Some(byte) == quote => return next + 1,
            _ => {}
        }
        next += 1;
    }
    bytes.len()
}

/// The end of the comment that begins at `at`.
pub(crate) fn comment_end(text: &str, at: usize) -> usize {
    let inside = text.get(at + 2..).unwrap_or_default();
    inside
        .find("*/")
        .map_or(text.len(), |length| at + 4 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_where_they_are_referred_to() {
        let ids = |value: &str| -> Vec<String> {
            urls(value)
                .into_iter()
                .map(|found| value[found.id].to_owned())
                .collect()
        };
        for (value, wanted) in [
            ("url(#a)", vec!["a"]),
            ("url( '#a b' ) red", vec!["a b"]),
            ("url(\"#a\") URL(#b)", vec!["a", "b"]),
            ("/* url(#no) */ url(#a)", vec!["a"]),
            ("'url(#no)'", vec![]),
            ("url(other.svg#a)", vec![]),
            ("curl(#a)", vec![]),
            ("url(#a", vec!["a"]),
            ("url(#)", vec![]),
            ("url(", vec![]),
        ] {
            assert_eq!(ids(value), wanted, "{value}");
        }
        assert_eq!(url_id(" url(#a) none"), Some("a"));
        assert_eq!(url_id("red url(#a)"), None);
        assert_eq!(local(" #a "), Some("a"));
        assert_eq!(local("a.svg#a"), None);
        assert_eq!(urls("x url( #a ) y")[0].span, 2..11);
    }
}
