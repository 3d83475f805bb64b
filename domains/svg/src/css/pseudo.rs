//! Pseudo-classes and pseudo-elements that are not matched, such as `:hover`.

use fcp::value::nearest_word;

use super::selector::PSEUDO;
use super::token::{Kind, tokens};

/// A list of selectors with a class in place of each pseudo-class and pseudo-element that is not matched. It parses if
/// the list is well-formed, and has as many bytes. A typo in a pseudo-class that is matched stays.
#[must_use]
pub fn as_classes(text: &str) -> String {
    let tokens = tokens(text);
    let mut spelled = text.to_owned();
    let mut at = 0;
    while let Some(colon) = tokens.get(at) {
        at += 1;
        if colon.kind != Kind::Sign(b':') {
            continue;
        }
        let is_element = tokens
            .get(at)
            .is_some_and(|next| next.kind == Kind::Sign(b':'));
        at += usize::from(is_element);
        let Some(name) = tokens.get(at) else { break };
        let word = text.get(name.inner.clone()).unwrap_or_default();
        let word = word.to_ascii_lowercase();
        let is_known =
            PSEUDO.contains(&&*word) || nearest_word(&word, PSEUDO.iter().copied()).is_some();
        let end = match name.kind {
            _ if is_known && !is_element => continue,
            Kind::Ident => Some(at),
            Kind::Function => closing(&tokens, at),
            _ => None,
        };
        let Some(end) = end else { continue };
        let last = tokens.get(end).map_or(text.len(), |last| last.span.end);
        let class = format!(".{}", "_".repeat(last - colon.span.start - 1));
        spelled.replace_range(colon.span.start..last, &class);
        at = end + 1;
    }
    spelled
}

/// The index of the bracket that closes a function.
fn closing(tokens: &[super::token::Token], function: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(function) {
        match token.kind {
            Kind::Function | Kind::Sign(b'(') => depth += 1,
            Kind::Sign(b')') if depth == 1 => return Some(at),
            Kind::Sign(b')') => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::css::selector::parse;

    #[test]
    fn any_pseudo_class_is_well_formed() {
        for text in [
            ".bar:hover",
            "a:link, a:visited:focus-within",
            "text::first-line",
            "p:first-letter",
            "g:lang(en) > :not(:active)",
            "g:has(> rect.a, .b)",
            "::-webkit-scrollbar",
            ":host(.a:is(b))",
            "a:nth-col(2)",
            ".sm\\:x:target",
        ] {
            assert!(parse(&as_classes(text)).is_ok(), "{text}");
        }
        for text in [
            ".bar:",
            ".bar::",
            "a:frist-child",
            ".bar:hover >",
            "a:lang(en",
            "a: hover",
            "a:hover)",
            "a:12",
        ] {
            assert!(parse(&as_classes(text)).is_err(), "{text}");
        }
        let kept = "rect:first-child, [a=':x']/* :y */:not(.b)";
        assert_eq!(as_classes(kept), kept);
    }
}
