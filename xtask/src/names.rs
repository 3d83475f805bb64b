//! What things may be called: words of Rust, and how a word is spelt where it names a type.

/// Words that Rust keeps for itself.
const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
    super trait true try type typeof unsafe unsized use virtual where while yield";

/// Whether Rust keeps a word for itself.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_whitespace().any(|own| own == word)
}

/// A word with a capital letter in front.
pub fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
