//! Declarations as the renderer reads them.

use simplecss::{Declaration, DeclarationTokenizer};

use super::declarations::skip_blanks;

/// The declarations of a text. The renderer's reader looks for the line of the end of each value,
/// so it is given the rest of the text for each, which keeps a long text linear.
pub(crate) fn effective(text: &str) -> impl Iterator<Item = Declaration<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let one = DeclarationTokenizer::from(text.get(at..)?).next()?;
        let value = one.value.as_ptr() as usize - text.as_ptr() as usize;
        at = end(text, value + one.value.len());
        Some(one)
    })
}

/// The offset after what follows a value: `!important` and semicolons.
fn end(text: &str, value: usize) -> usize {
    let mut at = skip_blanks(text, value);
    // The reader takes whitespace beyond Latin-1 for letters, and trims it off the value.
    while let Some(c) = rest(text, at)
        .chars()
        .next()
        .filter(|c| u32::from(*c) > 237 && c.is_whitespace())
    {
        at = skip_blanks(text, at + c.len_utf8());
    }
    if rest(text, at).starts_with('!') {
        at = skip_blanks(text, at + 1);
        if rest(text, at).starts_with("important") {
            at = skip_blanks(text, at + "important".len());
        }
    }
    while rest(text, at).starts_with(';') {
        at = skip_blanks(text, at + 1);
    }
    at
}

fn rest(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_those_that_the_renderer_reads() {
        for text in [
            "",
            ";",
            "fill:red",
            "fill:red;;stroke : blue ! important ;/* a; */x:1 2",
            "fill:red/* a */!important/* b */;/* c */stroke:url(#a;b) 'c;d'",
            "fill:;stroke:red",
            "fill:red;stroke:red $ x:1;y:2",
            "fill:red foo(bar;x:1",
            "fill:red 'foo;x:1",
            "fill:red;x:1 /* open",
            "fill:red\u{3000} \u{3000};x:1",
            "fill:red\u{a0};x:1",
            "*fill:#12;x:-1.5e;y:50%",
            "fill:red!importan;x:1",
            "a:b c:d;e:f",
        ] {
            let all = |all: &mut dyn Iterator<Item = Declaration<'_>>| -> Vec<String> {
                all.map(|one| format!("{} {} {}", one.name, one.value, one.important))
                    .collect()
            };
            assert_eq!(
                all(&mut effective(text)),
                all(&mut DeclarationTokenizer::from(text)),
                "{text}"
            );
        }
    }
}
