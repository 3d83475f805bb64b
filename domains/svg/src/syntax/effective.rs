//! Declarations as the renderer reads them, and those with a `/`, which it cuts.

use simplecss::{Declaration, DeclarationTokenizer};

use super::declarations::{declaration, declaration_end, skip_blanks};

/// The declarations of a text. The renderer's reader looks for the line of the end of each value,
/// so it is given the rest of the text for each, which keeps a long text linear. It ends at the `/`
/// of `font:20px/1.5 Arial`; such a declaration is read whole here.
pub(crate) fn effective(text: &str) -> impl Iterator<Item = Declaration<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut one = DeclarationTokenizer::from(text.get(at..)?).next()?;
        let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let ends = offset(one.value) + one.value.len();
        at = end(text, ends);
        if rest(text, skip_blanks(text, ends)).starts_with('/') {
            let start = offset(one.name);
            let close = declaration_end(text, start);
            let whole = declaration(text, start, close)?;
            one.value = text.get(whole.value)?;
            one.important = whole.important;
            at = (close + 1).min(text.len());
        }
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
    fn a_value_with_a_slash_is_read_whole() {
        let text = "a:1;font:bold 20px/1.5 Arial !important;b:2;grid: 1 / 2 /* x; */ / 'c;d'; e:f";
        let all: Vec<_> = effective(text)
            .map(|one| (one.name, one.value, one.important))
            .collect();
        assert_eq!(
            all,
            [
                ("a", "1", false),
                ("font", "bold 20px/1.5 Arial", true),
                ("b", "2", false),
                ("grid", "1 / 2 /* x; */ / 'c;d'", false),
                ("e", "f", false),
            ]
        );
    }

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
