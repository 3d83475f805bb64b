//! Repairs for texts that are not ops.

use super::error::{Fault, ParseError};
use super::lex::{self, Scan};
use super::parse::parse_action;
use super::quote::{quote, quote_value, quoted};
use super::shape::is_verb;
use crate::diag::Span;

/// The corrected text, if the fault leaves little doubt about it.
pub(super) fn of(error: &ParseError) -> Option<String> {
    let ParseError { raw, span, .. } = error;
    let fixed = match error.fault {
        Fault::UnterminatedQuote => close_quote(raw, *span),
        Fault::TextAfterQuote => quote_expression(raw, *span).or_else(|| quote_list(raw, *span)),
        Fault::NotAVerb => bare_verb(raw, *span),
        _ => None,
    }?;
    // `parse_action` accepts all that `parse` accepts; the texts that only it accepts do not reach
    // this as ops.
    parse_action(&fixed).is_ok().then_some(fixed)
}

/// The place of the second of two words for the same parameter, with the whitespace before it, if both have the same
/// value. Of two values, either may be the one that was meant.
pub(crate) fn repeated(raw: &str, first: Span, second: Span) -> Option<Span> {
    let value = |span: Span| {
        let word = span.of(raw);
        word.split_once(':').map_or(word, |(_, value)| value)
    };
    let before = raw.get(..second.start)?.trim_end();
    (value(first) == value(second)).then(|| Span::new(before.len(), second.end))
}

/// Closes a double quote where its text seems to end. A single one may be an apostrophe.
fn close_quote(raw: &str, span: Span) -> Option<String> {
    let word = span.of(raw);
    let open = Scan::word(word.as_bytes(), 0).quote?.open;
    let text = word.get(open..)?.strip_prefix('"')?;
    if let Some(before) = text.strip_suffix("\\\"")
        && !before.contains("\\\"")
    {
        // "C:\dir\": the backslash was meant as the last character. "C:\new\" also contains an escape.
        let at = span.end - text.len() + before.len();
        return (!Scan::escapes(before)).then(|| Span::new(at, at).replace(raw, "\\"));
    }
    // `"Auth Service theme:blue`: the parameters that follow are not part of it.
    let next_word = |(at, gap): (usize, &str)| Some((at, text.get(at + gap.len()..)?));
    let end = text
        .match_indices(lex::SPACES)
        .filter_map(next_word)
        .find(|(_, rest)| starts_parameter(rest))
        .map_or(text.len(), |(at, _)| at);
    let at = span.end - text.len() + lex::trim(&text[..end]).len();
    Some(Span::new(at, at).replace(raw, "\""))
}

fn starts_parameter(rest: &str) -> bool {
    let end = Scan::word(rest.as_bytes(), 0).end;
    let word = rest.get(..end).unwrap_or("");
    word.starts_with('@')
        || word
            .split_once(':')
            .is_some_and(|(key, value)| is_verb(key) && !value.is_empty())
}

/// `id:='r_'||nth` is an expression that begins with a text, to be quoted as a whole.
fn quote_expression(raw: &str, span: Span) -> Option<String> {
    let word = raw.get(span.start..)?;
    let open = Scan::word(word.as_bytes(), 0).quote?.open;
    word.get(..open)?
        .strip_suffix(":=")
        .filter(|key| is_verb(key))?;
    let rest = word.get(open..)?;
    let mut within: Option<char> = None;
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        match within {
            Some(mark) if c == mark => within = None,
            None if matches!(c, '"' | '\'') => within = Some(c),
            // Blanks belong to it unless a parameter follows the last of them.
            None if lex::SPACES.contains(&c)
                && !rest[at + 1..].starts_with(lex::SPACES)
                && starts_parameter(&rest[at + 1..]) =>
            {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let expression = lex::trim(rest.get(..end)?);
    let place = Span::new(span.start + open, span.start + open + expression.len());
    within
        .is_none()
        .then(|| place.replace(raw, &quoted(expression)))
}

/// `"A B","C D"` is one list, quoted as a whole.
fn quote_list(raw: &str, span: Span) -> Option<String> {
    let word = raw.get(span.start..)?;
    let open = Scan::word(word.as_bytes(), 0).quote?.open;
    let mut rest = word.get(open..)?;
    let mut items = Vec::new();
    loop {
        let mark = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (item, after) = rest[1..].split_once(mark)?;
        if item.contains(['\\', ',']) {
            return None;
        }
        items.push(item);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() || after.starts_with(lex::SPACES) => {
                let list = Span::new(span.start + open, raw.len() - after.len());
                let items = items.join(",");
                let spelt = if open == 0 {
                    quote(&items)
                } else {
                    quote_value(&items)
                };
                return Some(list.replace(raw, &spelt));
            }
            None => return None,
        }
    }
}

/// `"note" …` and `note: …` mean the verb.
fn bare_verb(raw: &str, span: Span) -> Option<String> {
    let verb = span
        .of(raw)
        .trim_matches(['"', '\''])
        .trim_end_matches([':', ',']);
    is_verb(verb).then(|| span.replace(raw, verb))
}
