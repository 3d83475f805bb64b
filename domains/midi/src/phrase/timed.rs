//! Phrases in a file that counts frames: it has seconds, but no notes and bars.

use fcp::diag::Span;
use fcp::prelude::*;

use super::item::Item;
use super::line::{Line, Token};
use crate::values::{Dur, MusicWord};

/// Rejects note values and barlines; the repair is the op in seconds, at 120 bpm.
///
/// # Errors
/// There are some, or an item has no length.
pub fn timed(words: &[Spanned<MusicWord>], line: &Line, dur: Option<&Spanned<Dur>>) -> Result<()> {
    let lasting = line.tokens.iter().find_map(|token| length(&token.item));
    let given = dur.map(|dur| (dur, dur.get().in_seconds()));
    let is_said = given.is_some() || lasting.is_none_or(|dur| dur.is_some());
    let in_notes = line
        .tokens
        .iter()
        .any(|token| respelled(token, "").is_some());
    if is_said && !in_notes && !matches!(given, Some((_, Some(_)))) {
        return Ok(());
    }
    let mut edits = Vec::new();
    for (ix, word) in words.iter().enumerate() {
        let mut text = word.get().as_str().to_owned();
        for token in line.tokens.iter().rev().filter(|token| token.place.0 == ix) {
            let place = token.place.1.clone();
            let item = word.get().as_str().get(place.clone()).unwrap_or_default();
            if let Some(item) = respelled(token, item) {
                text.replace_range(place, &item);
            }
        }
        if text != word.get().as_str() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = Some(text).filter(|text| !text.is_empty());
            edits.push((
                word.span(),
                text.map(|text| fcp::op::quote(&text).into_owned()),
            ));
        }
    }
    if let Some((dur, Some(seconds))) = &given {
        edits.push((dur.span(), Some(seconds.to_string())));
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut op = words.first().map_or("", Spanned::op).to_owned();
    for (span, text) in edits.iter().rev() {
        op = match text {
            Some(text) => span.replace(&op, text),
            // Including the space after it.
            None => Span::new(span.start, span.end + 1).replace(&format!("{op} "), ""),
        };
    }
    let default = if is_said { "" } else { " dur:0.5s" };
    let op = op.trim_end();
    bail!("this file counts SMPTE frames, it has no notes and bars"; try: "{op}{default}")
}

/// The length of an item; the inner `None` if it does not state one, the outer if it takes no time.
fn length(item: &Item) -> Option<Option<&Dur>> {
    match item {
        Item::Notes { dur, .. } | Item::Rest(dur) | Item::Hold(dur) => Some(dur.as_ref()),
        Item::Bar | Item::Loud(_) => None,
    }
}

/// An item with seconds instead of its note value, empty for a barline; `None` if it needs no
/// change.
fn respelled(token: &Token, text: &str) -> Option<String> {
    if token.item == Item::Bar {
        return Some(String::new());
    }
    let seconds = length(&token.item)??.in_seconds()?;
    let (head, rest) = text.split_once('/').unwrap_or((text, ""));
    let marks = rest.trim_start_matches(|sign| !matches!(sign, '>' | '!'));
    Some(format!("{head}/{seconds}{marks}"))
}
