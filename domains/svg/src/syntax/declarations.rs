//! Declarations of a `style` attribute or of one rule, with their byte ranges.

use std::ops::Range;

use crate::syntax::href::{comment_end, string_end};

/// A declaration as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The bytes of its name.
    pub name: Range<usize>,
    /// The bytes of its value, without the whitespace around it and without `!important`.
    pub value: Range<usize>,
    /// The bytes from the name to the end of the value, including `!important`.
    pub span: Range<usize>,
    /// Whether it is `!important`.
    pub important: bool,
}

/// The declarations in a text: the whole text of a `style` attribute, or the part of a rule between
/// its braces.
///
/// Spans count from the start of the whole text. Comments and strings are skipped; text that is not
/// a declaration is kept and has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarations<'t> {
    text: &'t str,
    within: Range<usize>,
    all: Vec<Declaration>,
}

impl<'t> Declarations<'t> {
    /// The declarations of a `style` attribute.
    #[must_use]
    pub fn of_attribute(text: &'t str) -> Self {
        Self::within(text, 0..text.len())
    }

    /// The declarations between the braces of a rule, whose bytes are `within`. A span outside the
    /// text is read as empty.
    #[must_use]
    pub fn within(text: &'t str, within: Range<usize>) -> Self {
        let within = if text.get(within.clone()).is_some() {
            within
        } else {
            0..0
        };
        let all = read(text, within.clone());
        Self { text, within, all }
    }

    /// The whole text.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// All of them, in the order written.
    #[must_use]
    pub fn all(&self) -> &[Declaration] {
        &self.all
    }

    /// The name of a declaration, as it is spelled.
    #[must_use]
    pub fn name(&self, declaration: &Declaration) -> &'t str {
        self.text.get(declaration.name.clone()).unwrap_or_default()
    }

    /// The value of a declaration, as it is spelled.
    #[must_use]
    pub fn value(&self, declaration: &Declaration) -> &'t str {
        self.text.get(declaration.value.clone()).unwrap_or_default()
    }

    /// The names and values as they are spelled, including `!important`.
    pub fn written(&self) -> impl Iterator<Item = (&'t str, &'t str)> + '_ {
        self.all.iter().map(|one| {
            let value = self.text.get(one.value.start..one.span.end);
            (self.name(one), value.unwrap_or_default())
        })
    }

    /// The declaration that counts for a property: the last one, or the last with `!important`.
    /// Names ignore case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Declaration> {
        let named = || self.all.iter().rev().filter(|one| self.is_named(one, name));
        named().find(|one| one.important).or_else(|| named().next())
    }

    /// The whole text with a property set: replaces the value of the declaration that counts, or
    /// adds one after the last, with the separator in use. `!important` stays.
    #[must_use]
    pub fn set(&self, name: &str, value: &str) -> String {
        match self.get(name) {
            Some(old) => self.replaced(old.value.clone(), value),
            None => self.added(name, value),
        }
    }

    /// The whole text without any declaration of a property, or `None` if there was none.
    #[must_use]
    pub fn unset(&self, name: &str) -> Option<String> {
        let named = self.all.iter().enumerate();
        let named = named.filter(|(_, one)| self.is_named(one, name));
        let gone: Vec<(usize, Option<String>)> = named.map(|(index, _)| (index, None)).collect();
        (!gone.is_empty()).then(|| self.edited(&gone))
    }

    /// The whole text with declarations changed by index: `Some` is a new value, including
    /// `!important`, and `None` removes it.
    #[must_use]
    pub fn edited(&self, edits: &[(usize, Option<String>)]) -> String {
        let (mut edited, mut at) = (String::with_capacity(self.text.len()), 0);
        for (range, new) in self.changes(edits) {
            edited.push_str(self.text.get(at..range.start).unwrap_or_default());
            edited.push_str(&new);
            at = range.end;
        }
        edited.push_str(self.text.get(at..).unwrap_or_default());
        edited
    }

    /// The byte ranges that [`Self::edited`] replaces, in order and apart, with their new texts.
    #[must_use]
    pub fn changes(&self, edits: &[(usize, Option<String>)]) -> Vec<(Range<usize>, String)> {
        let mut edits: Vec<_> = edits.iter().collect();
        edits.sort_by_key(|(index, _)| *index);
        let mut changes = Vec::new();
        let mut done = self.text.len();
        for (index, new) in edits.into_iter().rev() {
            let Some(one) = self.all.get(*index) else {
                continue;
            };
            let range = match new {
                Some(_) => one.value.start..one.span.end,
                None => self.with_separator(*index, one),
            };
            // The separator may be gone already, if both declarations are removed.
            let end = range.end.min(done);
            done = range.start.min(end);
            changes.push((done..end, new.clone().unwrap_or_default()));
        }
        changes.reverse();
        changes
    }

    /// The position of new declarations, and the text to insert there.
    #[must_use]
    pub fn addition(&self, new: &[String]) -> (Range<usize>, String) {
        let mut text = self.text.to_owned();
        let mut within = self.within.clone();
        for one in new {
            let Some((name, value)) = one.split_once(':') else {
                continue;
            };
            let longer = Declarations::within(&text, within.clone()).added(name, value.trim());
            within.end += longer.len() - text.len();
            text = longer;
        }
        let same = self
            .text
            .bytes()
            .zip(text.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let mut start = same.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let added = text.len() - self.text.len();
        let new = text
            .get(start..start + added)
            .unwrap_or_default()
            .to_owned();
        (start..start, new)
    }

    /// Whether there is only whitespace and semicolons, so that the attribute can be removed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let inside = self.text.get(self.within.clone()).unwrap_or_default();
        inside
            .bytes()
            .all(|byte| byte == b';' || byte.is_ascii_whitespace())
    }

    fn is_named(&self, declaration: &Declaration, name: &str) -> bool {
        self.name(declaration).eq_ignore_ascii_case(name)
    }

    fn added(&self, name: &str, value: &str) -> String {
        let Some(last) = self.all.last() else {
            // After the existing content, which is whitespace or comments.
            let inside = self.text.get(self.within.clone()).unwrap_or_default();
            let at = self.within.start + inside.trim_end().len();
            let inner = at == self.within.start && at < self.within.end;
            let blank = if inner || !inside.trim().is_empty() {
                " "
            } else {
                ""
            };
            return self.replaced(at..at, &format!("{blank}{name}:{value}"));
        };
        let colon = self
            .text
            .get(last.name.end..last.value.start)
            .filter(|colon| !colon.contains('/'));
        let colon = colon.unwrap_or(":");
        let end = self.semicolon(last.span.end);
        match end {
            Some(semicolon) => {
                let blank = self.before(last).unwrap_or(" ");
                self.replaced(
                    semicolon..semicolon,
                    &format!("{blank}{name}{colon}{value};"),
                )
            }
            None => {
                let blank = self.before(last).unwrap_or(" ");
                self.replaced(
                    last.span.end..last.span.end,
                    &format!(";{blank}{name}{colon}{value}"),
                )
            }
        }
    }

    /// The whitespace before a declaration that is not the first; for the first, its line's
    /// indentation.
    fn before(&self, declaration: &Declaration) -> Option<&'t str> {
        let before = self.text.get(self.within.start..declaration.span.start)?;
        let blanks = before.len() - before.trim_end().len();
        let blank = before.get(before.len() - blanks..)?;
        let follows = before.trim_end().ends_with(';');
        (follows || blank.contains('\n')).then_some(blank)
    }

    /// The offset after the semicolon that ends a declaration, if there is one.
    fn semicolon(&self, from: usize) -> Option<usize> {
        let rest = self.text.get(from..self.within.end)?;
        let blanks = rest.len() - rest.trim_start().len();
        rest.get(blanks..)?
            .starts_with(';')
            .then_some(from + blanks + 1)
    }

    /// A declaration with the separator after it, or the one before it if it is the last.
    fn with_separator(&self, index: usize, one: &Declaration) -> Range<usize> {
        let blank = |byte: u8| byte == b';' || byte.is_ascii_whitespace();
        let only_blank = |span: &Range<usize>| {
            self.text
                .get(span.clone())
                .is_some_and(|gap| gap.bytes().all(blank))
        };
        let next = self
            .all
            .get(index + 1)
            .map(|next| one.span.start..next.span.start);
        let before = index.checked_sub(1).and_then(|before| self.all.get(before));
        let before = before.map(|before| before.span.end..one.span.end);
        let end = self.semicolon(one.span.end);
        if let Some(next) = next
            && only_blank(&(one.span.end..next.end))
        {
            return next;
        }
        if let Some(before) = before
            && only_blank(&(before.start..one.span.start))
        {
            // A final semicolon stays: it ends the previous declaration now.
            return before;
        }
        one.span.start..end.unwrap_or(one.span.end)
    }

    fn replaced(&self, span: Range<usize>, with: &str) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        let after = self.text.get(span.end..).unwrap_or_default();
        [before, with, after].concat()
    }
}

fn read(text: &str, within: Range<usize>) -> Vec<Declaration> {
    let bytes = text.as_bytes().get(..within.end).unwrap_or_default();
    let text = text.get(..within.end).unwrap_or_default();
    let mut all = Vec::new();
    let mut at = within.start;
    while at < bytes.len() {
        at = skip_blanks(text, at);
        let end = declaration_end(text, at);
        all.extend(declaration(text, at, end));
        at = end + 1;
    }
    all
}

/// Skips whitespace and comments; returns the offset after them.
pub(crate) fn skip_blanks(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            Some(b'/') if bytes.get(at + 1) == Some(&b'*') => at = comment_end(text, at),
            _ => return at,
        }
    }
}

/// The offset of the semicolon that ends the declaration at `at`: outside strings, comments and
/// brackets.
pub(super) fn declaration_end(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = string_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(text, at),
            b';' if depth == 0 => return at,
            _ => {
                match byte {
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    // An escape includes the next byte.
                    b'\\' => at += 1,
                    _ => {}
                }
                at += 1;
            }
        }
    }
    text.len()
}

/// The declaration between two offsets, if it is one.
pub(super) fn declaration(text: &str, start: usize, end: usize) -> Option<Declaration> {
    let bytes = text.as_bytes().get(..end)?;
    let is_name = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(**byte, b'-' | b'_') || !byte.is_ascii()
    };
    let name_end = start + bytes.get(start..)?.iter().take_while(is_name).count();
    let inside = text.get(..end)?;
    let colon = skip_blanks(inside, name_end);
    if name_end == start || bytes.get(colon) != Some(&b':') {
        return None;
    }
    let value_start = skip_blanks(inside, colon + 1).min(end);
    let (value_end, important) = value_end(inside, value_start);
    if value_end == value_start {
        return None;
    }
    let span_end = important.unwrap_or(value_end);
    Some(Declaration {
        name: start..name_end,
        value: value_start..value_end,
        span: start..span_end,
        important: important.is_some(),
    })
}

/// The end of a value, and the end of its `!important`.
fn value_end(text: &str, start: usize) -> (usize, Option<usize>) {
    let bytes = text.as_bytes();
    let mut at = start;
    // The end of the last significant byte, and the offset of a `!`.
    let (mut last, mut bang) = (start, None);
    while let Some(&byte) = bytes.get(at) {
        let next = match byte {
            b'"' | b'\'' => string_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = comment_end(text, at);
                continue;
            }
            b'!' => {
                bang = Some((at, last));
                at + 1
            }
            b'\\' => (at + 2).min(bytes.len()),
            _ => at + 1,
        };
        if !byte.is_ascii_whitespace() {
            last = next;
        }
        at = next;
    }
    match bang {
        Some((bang, before)) => {
            let word = text.get(bang + 1..last).unwrap_or_default().trim();
            if word.eq_ignore_ascii_case("important") {
                (before, Some(last))
            } else {
                (last, None)
            }
        }
        None => (last, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_declaration_is_set_and_the_rest_keeps_its_bytes() {
        for (text, name, value, wanted) in [
            (
                "fill:red; stroke-width:2",
                "stroke",
                "black",
                "fill:red; stroke-width:2; stroke:black",
            ),
            (
                "fill:red;stroke-width:2;",
                "stroke",
                "black",
                "fill:red;stroke-width:2;stroke:black;",
            ),
            ("fill : red", "stroke", "blue", "fill : red; stroke : blue"),
            ("fill:red", "fill", "blue", "fill:blue"),
            ("fill: red ; x:y", "FILL", "blue", "fill: blue ; x:y"),
            ("fill:red;fill:green", "fill", "blue", "fill:red;fill:blue"),
            (
                "fill:red!important;fill:green",
                "fill",
                "blue",
                "fill:blue!important;fill:green",
            ),
            (
                "fill:red /* a;b */ ! important",
                "fill",
                "blue",
                "fill:blue /* a;b */ ! important",
            ),
            (
                "/* fill:red; */ stroke:red",
                "fill",
                "blue",
                "/* fill:red; */ stroke:red; fill:blue",
            ),
            (
                "font-family:'a;fill:b'",
                "fill",
                "blue",
                "font-family:'a;fill:b'; fill:blue",
            ),
            ("fill:url(a;b) red", "fill", "blue", "fill:blue"),
            ("", "fill", "blue", "fill:blue"),
            (" ", "fill", "blue", " fill:blue "),
            ("/* a */", "fill", "blue", "/* a */ fill:blue"),
            ("junk; fill:red", "fill", "blue", "junk; fill:blue"),
            (
                "a:b;\n  c:d;\n",
                "fill",
                "blue",
                "a:b;\n  c:d;\n  fill:blue;\n",
            ),
        ] {
            let have = Declarations::of_attribute(text).set(name, value);
            assert_eq!(have, wanted, "{text}");
        }
    }

    #[test]
    fn a_declaration_is_removed_with_its_separator() {
        for (text, name, wanted) in [
            ("fill:red; stroke:blue", "fill", Some("stroke:blue")),
            ("fill:red; stroke:blue", "stroke", Some("fill:red")),
            ("fill:red; stroke:blue;", "stroke", Some("fill:red;")),
            ("a:b; fill:red; c:d", "fill", Some("a:b; c:d")),
            ("fill:red; a:b; fill:blue", "fill", Some("a:b")),
            ("fill:red", "fill", Some("")),
            ("fill:red;", "fill", Some("")),
            ("a:b; /* c */ fill:red", "fill", Some("a:b; /* c */ ")),
            ("fill:red; /* c */ a:b", "fill", Some(" /* c */ a:b")),
            ("fill:red", "stroke", None),
        ] {
            let have = Declarations::of_attribute(text).unset(name);
            assert_eq!(have.as_deref(), wanted, "{text}");
        }
        assert!(Declarations::of_attribute(" ; ").is_empty());
        assert!(!Declarations::of_attribute("/* */").is_empty());
    }

    #[test]
    fn a_rule_is_edited_between_its_braces() {
        let sheet = ".a{x:y}\n.hot { fill : #F00 }\n.b{fill:red}";
        let inside = sheet.find(" fill").unwrap()..sheet.find(" }").unwrap() + 1;
        let rule = Declarations::within(sheet, inside);
        assert_eq!(rule.all().len(), 1);
        assert_eq!(
            rule.set("fill", "#c00"),
            ".a{x:y}\n.hot { fill : #c00 }\n.b{fill:red}"
        );
        assert_eq!(
            rule.set("stroke", "red"),
            ".a{x:y}\n.hot { fill : #F00; stroke : red }\n.b{fill:red}"
        );
        let fill = rule.get("fill").unwrap();
        assert_eq!((rule.name(fill), rule.value(fill)), ("fill", "#F00"));
        assert_eq!(Declarations::within("é", 1..9).all(), []);
    }

    #[test]
    fn any_text_is_read_to_its_end() {
        for text in [
            "'",
            "a:'",
            "a:/*",
            "a:\\",
            ";;;",
            "a:b\\",
            "a:(;",
            "é:ü;",
            "a:!",
            "a:! important",
        ] {
            let all = Declarations::of_attribute(text);
            for one in all.all() {
                assert!(text.get(one.span.clone()).is_some(), "{text}");
            }
            assert!(!all.set("fill", "red").is_empty());
        }
    }
}
