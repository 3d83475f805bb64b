//! Texts in ABC, with its special characters escaped, and lyrics.

/// The text of a field: a title.
#[must_use]
pub fn plain(text: &str) -> String {
    escaped(text, &[])
}

/// A text in quotes: a name or an annotation.
#[must_use]
pub fn quoted(text: &str) -> String {
    escaped(text, &['"'])
}

/// A text on one line, taken literally.
fn escaped(text: &str, special: &[char]) -> String {
    let mut out = String::new();
    for c in text.chars().take(200) {
        match c {
            '\\' | '%' | '&' => out.extend(['\\', c]),
            '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() => {}
            // A dollar sign with a digit would change the font.
            c if c == '$' || special.contains(&c) => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

/// The lyrics of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Nothing.
    None,
    /// The previous syllable continues.
    Held,
    /// A syllable, and whether its word continues.
    Sung(String, bool),
}

impl Word {
    /// A syllable.
    #[must_use]
    pub fn sung(text: &str, goes_on: bool) -> Self {
        // Hyphens, underscores, stars, tildes and bars align syllables with notes.
        let text = escaped(text, &['_', '*', '~', '|']).replace('-', "\\-");
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.is_empty() {
            true => Self::None,
            false => Self::Sung(words.join("~"), goes_on),
        }
    }
}

/// The line of lyrics for a line of music.
#[must_use]
pub fn line(words: &[Word]) -> String {
    let mut line = String::from("w:");
    let mut goes_on = false;
    let sung = words.iter().rposition(|word| *word != Word::None);
    for word in words.iter().take(sung.map_or(0, |last| last + 1)) {
        let went_on = std::mem::replace(&mut goes_on, false);
        match word {
            Word::None => line.push_str(" *"),
            Word::Held => line.push('_'),
            Word::Sung(text, more) => {
                if !went_on {
                    line.push(' ');
                }
                line.push_str(text);
                if *more {
                    line.push('-');
                }
                goes_on = *more;
            }
        }
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            plain("50% \\ G&T \"a\" $1\r\nK:C"),
            "50\\% \\\\ G\\&T \"a\" \\u00241K:C"
        );
        assert_eq!(quoted("a\"b"), "a\\u0022b");
        let text = "a-b_c*d~e|f g\u{7f}%";
        let wanted = "a\\-b\\u005fc\\u002ad\\u007ee\\u007cf~g\\%";
        assert_eq!(
            Word::sung(text, false),
            Word::Sung(wanted.to_owned(), false)
        );
        assert_eq!(Word::sung(" \n", true), Word::None);
    }

    #[test]
    fn syllables_are_aligned_with_their_notes() {
        let sung = |text: &str, goes_on| Word::sung(text, goes_on);
        let words = [
            sung("Twin", true),
            sung("kle", false),
            Word::None,
            sung("star", true),
            Word::Held,
            sung("ry", false),
            Word::Held,
            Word::None,
        ];
        assert_eq!(line(&words), "w: Twin-kle * star-_ ry_\n");
        assert_eq!(line(&[Word::None]), "w:\n");
    }
}
