//! Spells any text so that it parses back to itself.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::lex::{Quoted, Scan, Token};
use super::shape::Shape;
use crate::diag::{Span, breaks};

/// Spells a text as one plain word of an op, quoted if necessary.
///
/// ```
/// use fcp::op::quote;
///
/// assert_eq!(quote("Piano"), "Piano");
/// assert_eq!(quote("Grand Piano"), r#""Grand Piano""#);
/// assert_eq!(quote("@all"), r#""@all""#);
/// assert_eq!(quote(r#"6" pipe"#), r#""6\" pipe""#);
/// assert_eq!(quote(""), r#""""#);
/// ```
#[must_use]
pub fn quote(text: &str) -> Cow<'_, str> {
    let plain = matches!(
        shape(text),
        Some(Shape::Formula | Shape::Range | Shape::Plain)
    );
    spelt(text, plain)
}

/// Spells the name of a row as a word, quoted if necessary: also if it would be read as an id, or
/// as all rows.
///
/// ```
/// use fcp::op::quote_name;
///
/// assert_eq!(quote_name("Bass"), "Bass");
/// assert_eq!(quote_name("#7"), r##""#7""##);
/// assert_eq!(quote_name("*"), r#""*""#);
/// ```
#[must_use]
pub fn quote_name(name: &str) -> Cow<'_, str> {
    if name.starts_with('#') || name == "*" {
        return spelt(name, false);
    }
    quote(name)
}

/// Spells a text as the value of a key, quoted if necessary.
///
/// ```
/// use fcp::op::quote_value;
///
/// assert_eq!(quote_value("@all"), "@all");
/// assert_eq!(quote_value("https://h:8080/p"), "https://h:8080/p");
/// assert_eq!(quote_value("Grand Piano"), r#""Grand Piano""#);
/// ```
///
/// A text that begins with `=` is quoted: bare, it would be read as an expression to compute. If
/// both the key and the text look like cells, they would be read as a range; [`spell_param`] knows
/// the key and handles that.
#[must_use]
pub fn quote_value(text: &str) -> Cow<'_, str> {
    spelt(text, !text.starts_with('=') && shape(text).is_some())
}

/// Spells a parameter.
///
/// ```
/// use fcp::op::spell_param;
///
/// assert_eq!(spell_param("label", "Auth Service"), r#"label:"Auth Service""#);
/// assert_eq!(spell_param("A1", "F1"), r#"A1:"F1""#);
/// assert_eq!(spell_param("label", "=x"), r#"label:"=x""#);
/// ```
#[must_use]
pub fn spell_param(key: &str, value: &str) -> String {
    let bare = format!("{key}:{value}");
    match shape(&bare) {
        Some(Shape::Param(colon)) if colon == key.len() && !value.starts_with('=') => bare,
        _ => format!("{key}:{}", spelt(value, false)),
    }
}

/// The shape of a text that is one word as written and has no quotes. Control characters have no
/// shape: the spelled text must stay on its line.
fn shape(text: &str) -> Option<Shape> {
    let scan = Scan::word(text.as_bytes(), 0);
    let bare = !text.is_empty() && scan.end == text.len() && scan.quote.is_none();
    (bare && !text.contains(breaks)).then(|| {
        Shape::of(&Token {
            head: text,
            body: Cow::Borrowed(""),
            span: Span::new(0, text.len()),
            quoted: Quoted::No,
        })
    })
}

fn spelt(text: &str, bare: bool) -> Cow<'_, str> {
    if bare {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 2);
    // Writing to a string cannot fail.
    let _ = write_quoted(&mut out, text);
    Cow::Owned(out)
}

/// A text in double quotes, even if it needs none.
pub(crate) fn quoted(text: &str) -> String {
    spelt(text, false).into_owned()
}

pub(super) fn write_quoted(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            '\r' => out.write_str("\\r")?,
            c if breaks(c) => write!(out, "\\u{{{:x}}}", u32::from(c))?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
