//! Declarations as the renderer reads them, and those with a `/`, which it cuts.

use fcp::work;
use simplecss::{Declaration, DeclarationTokenizer};

use super::declarations::{declaration, declaration_end, skip_blanks};

/// The declarations of a text. The renderer's reader looks for the line of the end of each value,
/// so it is given the rest of the text for each, which keeps a long text linear. It ends at the `/`
/// of `font:20px/1.5 Arial`; such a declaration is read whole here.
pub(crate) fn effective(text: &str) -> impl Iterator<Item = Declaration<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let value = rereads(text.get(at..)?).take_while(|reread| !reread.is_end);
        // The call fails at its next check.
        spend(value.map(|reread| reread.at).sum()).ok()?;
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

/// The bytes that are read again in the time of one step.
const BYTES_A_STEP: usize = 512;

/// Counts the steps that the renderer's reader takes for a style sheet or attribute, beyond reading it once.
pub(crate) fn spend_reading(text: &str) -> Result<(), work::Spent> {
    spend(rereads(text).map(|reread| reread.at).sum())
}

fn spend(bytes: usize) -> Result<(), work::Spent> {
    match bytes / BYTES_A_STEP {
        0 => Ok(()),
        steps => work::spend(steps),
    }
}

/// A place at which the renderer's reader reads all text before it again, for the line of an error that is not
/// reported: the end of a declaration, or a number without a unit.
struct Reread {
    at: usize,
    is_end: bool,
}

/// The places of a text that are read again, in order.
fn rereads(text: &str) -> impl Iterator<Item = Reread> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let run = |from: usize, is: fn(u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| is(**byte)).count()
    };
    let after = |from: usize, end: &str| {
        let found = text.get(from..).and_then(|rest| rest.find(end));
        found.map_or(text.len(), |found| from + found + end.len())
    };
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match *bytes.get(at)? {
                b'"' => at = after(at + 1, "\""),
                b'\'' => at = after(at + 1, "'"),
                b'(' => at = after(at + 1, ")"),
                b'/' if bytes.get(at + 1) == Some(&b'*') => at = after(at + 2, "*/"),
                b';' | b'}' => {
                    at += 1;
                    return Some(Reread {
                        at: start,
                        is_end: true,
                    });
                }
                b'#' | b'+' | b'-' | b'.' | b'0'..=b'9' => {
                    at = run(at + 1, |byte| byte.is_ascii_digit() || byte == b'.');
                    let next = bytes.get(at).copied().unwrap_or(b' ');
                    if next != b'%' && !is_name(next) {
                        return Some(Reread {
                            at: start,
                            is_end: false,
                        });
                    }
                }
                byte if is_name(byte) => {
                    at = run(at, |byte| is_name(byte) || byte.is_ascii_digit());
                }
                _ => at += 1,
            }
        }
    })
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b'\\') || !byte.is_ascii()
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
    fn places_that_are_read_again_are_ends_and_bare_numbers() {
        for (text, places) in [
            ("a:b;c:d", vec![3]),
            ("a:1 2px 3% -4 .5e #6 #f b7;", vec![2, 11, 18, 26]),
            ("a:url(1;2) '1;2' /* 1;2 */ b}", vec![28]),
            ("a:url(1;2", vec![]),
        ] {
            let found: Vec<usize> = rereads(text).map(|reread| reread.at).collect();
            assert_eq!(found, places, "{text}");
        }
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
