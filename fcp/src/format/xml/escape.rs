//! Decodes raw text, and escapes text.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::chars::is_char;
use super::entity::{Entities, Expansion, Within, reference};
use super::limits::Limits;
use crate::bail;
use crate::diag::Result;

/// Decodes a raw text. A reference that cannot be resolved is kept.
pub fn expand<'t>(raw: &'t str, within: Within, entities: Option<&Entities>) -> Cow<'t, str> {
    let special = |byte| match byte {
        b'&' | b'\r' => true,
        b'\n' | b'\t' => within == Within::Value,
        _ => false,
    };
    if !raw.bytes().any(special) {
        return Cow::Borrowed(raw);
    }
    let limits = Limits::default();
    let bytes = limits.entity_bytes;
    let mut expansion = Expansion::new(within, entities, limits.entity_depth, bytes, bytes);
    let mut rest = raw;
    while let Err(fault) = expansion.add(rest) {
        let after = rest.get(fault.at..).unwrap_or("");
        let len = reference(after).map_or(1, |(len, _)| len);
        let Some((reference, behind)) = after.split_at_checked(len) else {
            break;
        };
        expansion.text.push_str(reference);
        rest = behind;
    }
    Cow::Owned(expansion.text)
}

/// Escapes an attribute's value for these quotes.
///
/// # Errors
/// It has a character that XML forbids.
pub fn value(text: &str, quote: char) -> Result<String> {
    quoted(text, quote, char_reference)
}

/// Like [`value`], but without references for whitespace, which is read as spaces.
///
/// # Errors
/// It has a character that XML forbids.
pub fn source(text: &str, quote: char) -> Result<String> {
    quoted(text, quote, String::push)
}

fn quoted(text: &str, quote: char, blank: impl Fn(&mut String, char)) -> Result<String> {
    let mut raw = String::with_capacity(text.len());
    for c in checked(text) {
        match c? {
            '&' => raw.push_str("&amp;"),
            '<' => raw.push_str("&lt;"),
            '"' if quote == '"' => raw.push_str("&quot;"),
            '\'' if quote == '\'' => raw.push_str("&apos;"),
            c @ ('\t' | '\n' | '\r') => blank(&mut raw, c),
            c => raw.push(c),
        }
    }
    Ok(raw)
}

/// Escapes a text for content.
///
/// # Errors
/// It has a character that XML forbids.
pub fn content(text: &str) -> Result<String> {
    let mut raw = String::with_capacity(text.len());
    for c in checked(text) {
        match c? {
            '&' => raw.push_str("&amp;"),
            '<' => raw.push_str("&lt;"),
            // The end of a CDATA section must not occur in text, nor arise where two texts meet.
            '>' if raw.is_empty() || raw.ends_with(']') => raw.push_str("&gt;"),
            '\r' => char_reference(&mut raw, '\r'),
            c => raw.push(c),
        }
    }
    Ok(raw)
}

/// A text with the line ends of another text, if that has `\r\n`.
pub fn broken_as<'t>(text: &'t str, model: &str) -> Cow<'t, str> {
    if !text.contains('\n') || !model.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n"))
}

/// A text as CDATA sections: one, plus one for each place where the text would end it.
///
/// # Errors
/// It has a character that XML forbids.
pub fn cdata(text: &str) -> Result<String> {
    checked(text).try_for_each(|c| c.map(drop))?;
    Ok(format!(
        "<![CDATA[{}]]>",
        text.replace("]]>", "]]]]><![CDATA[>")
    ))
}

fn checked(text: &str) -> impl Iterator<Item = Result<char>> + '_ {
    text.chars().map(|c| {
        if !is_char(c) {
            bail!("the character U+{:04X} is forbidden in XML", u32::from(c))
        }
        Ok(c)
    })
}

/// Writes a numeric character reference.
pub fn char_reference(raw: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(raw, "&#{};", u32::from(c));
}
