//! Valid names: Rust's keywords, and the form of a word as a type's name.

/// Rust's keywords and reserved words.
const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
    super trait true try type typeof unsafe unsized use virtual where while yield";

/// Whether a word is reserved by Rust.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_whitespace().any(|own| own == word)
}

/// A word with its first letter capitalized.
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
