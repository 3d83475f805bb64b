//! Names in ops, derived from names in Rust.

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

/// The words of a name: `DottedHalf`, `dotted_half` and `HTTPServer` have two each.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (ix, c) in chars.iter().enumerate() {
        if *c == '_' {
            words.push(String::new());
            continue;
        }
        let before = ix.checked_sub(1).and_then(|ix| chars.get(ix));
        let after = chars.get(ix + 1);
        let rises = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_numeric())
                || before.is_some_and(|b| b.is_uppercase())
                    && after.is_some_and(|a| a.is_lowercase()));
        if rises {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `DottedHalf` as an op writes it: `dotted-half`.
pub fn kebab(ident: &Ident) -> String {
    words(&ident.unraw().to_string()).join("-")
}

/// A function's or field's name as an op writes it: `r#in` is `in`, `tick_end` is `tick-end`.
pub fn key(ident: &Ident) -> String {
    let name = ident.unraw().to_string();
    name.trim_end_matches('_').replace('_', "-")
}

/// A function's name as a phrase: `add_circle` is `add circle`.
pub fn phrase(ident: &Ident) -> String {
    key(ident).replace('-', " ")
}

/// A field's name as a variant's: `tempo_map` is `TempoMap`.
pub fn pascal(ident: &Ident) -> Ident {
    let mut name = String::new();
    for word in words(&ident.unraw().to_string()) {
        let mut chars = word.chars();
        name.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(chars.as_str());
    }
    format_ident!("{name}", span = ident.span())
}

/// A word without case, hyphens, underscores and whitespace, as the runtime compares words.
pub fn fold(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a text can be a key, or a word of a phrase: `dur`, `time-sig`, `fill.color`.
pub fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.'))
}

/// Whether a text is two keys with something between them: `{x},{y}`.
pub fn is_pair(text: &str) -> bool {
    let parts = || {
        let (first, rest) = text.strip_prefix('{')?.split_once('}')?;
        let (between, second) = rest.strip_suffix('}')?.split_once('{')?;
        Some((first, between, second))
    };
    parts().is_some_and(|(first, between, second)| {
        is_key(first) && is_key(second) && !between.is_empty() && !between.contains(['{', '}'])
    })
}

/// A word with its first letter capitalized.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    first + chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ident(name: &str) -> Ident {
        syn::parse_str(name).expect("an identifier")
    }

    #[test]
    fn names_of_rust_are_words_of_ops() {
        assert_eq!(kebab(&ident("DottedHalf")), "dotted-half");
        assert_eq!(kebab(&ident("HTTPServer")), "http-server");
        assert_eq!(kebab(&ident("Cc7")), "cc7");
        assert_eq!(key(&ident("r#in")), "in");
        assert_eq!(key(&ident("tick_end")), "tick-end");
        assert_eq!(phrase(&ident("add_circle")), "add circle");
        assert_eq!(phrase(&ident("self_")), "self");
        assert_eq!(pascal(&ident("tempo_map")), "TempoMap");
        assert_eq!(fold("Dotted_Half"), fold("dotted-half"));
        assert!(is_key("time-sig") && is_key("fill.color") && !is_key("-x") && !is_key("Fill"));
    }
}
