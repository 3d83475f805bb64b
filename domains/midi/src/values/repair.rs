//! Tolerant comparison of names.

/// Whether a text equals a name, ignoring case, hyphens, underscores and whitespace, like `fold`.
pub(super) fn same(name: &str, text: &str) -> bool {
    // Apart from hyphens and whitespace, a much longer text is a different word.
    text.len() < 64 + 4 * name.len()
        && if name.is_ascii() && text.is_ascii() {
            ascii_letters(name).eq(ascii_letters(text))
        } else {
            letters(name).eq(letters(text))
        }
}

/// Whether a name begins with a text, compared in the same way.
pub(super) fn begins(name: &str, text: &str) -> bool {
    let mut letters_left = letters(name);
    text.len() < 64 + 4 * name.len()
        && letters(text).all(|letter| letters_left.next() == Some(letter))
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace())
        .flat_map(char::to_lowercase)
}

/// The compared letters of an ASCII text, for names that are looked up for every note.
fn ascii_letters(text: &str) -> impl Iterator<Item = u8> {
    text.bytes()
        .filter(|c| !matches!(c, b'-' | b'_' | b'\x0b') && !c.is_ascii_whitespace())
        .map(|c| c.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_however_they_are_spelled() {
        assert!(same("closed-hi-hat", "Closed Hi_hat"));
        assert!(!same("hat", "hats"));
        assert!(!same("hat", ""));
        assert!(same("hat", "h\u{b}at"));
        assert!(same("kick", "\u{212a}ick"));
        assert!(begins("violin", "Viol"));
        assert!(!begins("viola", "violin"));
    }
}
