//! Raw text split at its references, so that an edit of the decoded text finds its raw bytes.

use std::ops::Range;

use super::entity::{Entities, Reference, Within, reference};
use super::escape::expand;
use super::limits::Limits;
use crate::work;

/// The bytes of an entity that are split in the time of a step.
const BYTES_A_STEP: usize = 16;

/// The end of a CDATA section and the beginning of the next, written between `]]` and `>`.
pub(super) const SPLIT: &str = "]]><![CDATA[";

/// A piece of a raw text, and of the decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// Its bytes in the decoded text.
    pub decoded: Range<usize>,
    /// Its bytes in the raw text.
    pub raw: Range<usize>,
    pub form: Form,
}

/// The form of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Its raw bytes equal its decoded ones.
    Plain,
    /// A character with other raw bytes: `&#65;`, a line end.
    Char,
    /// A reference to an entity.
    Entity,
}

/// Splits a raw text at parts whose raw bytes differ from the decoded ones.
pub(super) fn segments(raw: &str, within: Within, entities: Option<&Entities>) -> Vec<Segment> {
    cut(raw, |rest| match rest.as_bytes().first() {
        Some(b'&') => {
            let (len, found) = reference(rest).ok()?;
            let piece = rest.get(..len)?;
            match found {
                Reference::Char(c) => Some((len, c.len_utf8(), Form::Char)),
                Reference::Entity(_) => {
                    Some((len, expand(piece, within, entities).len(), Form::Entity))
                }
            }
        }
        Some(b'\r') => Some((if rest.starts_with("\r\n") { 2 } else { 1 }, 1, Form::Char)),
        Some(b'\n' | b'\t') if within == Within::Value => Some((1, 1, Form::Char)),
        _ => None,
    })
}

/// Splits the literal of an entity where its replacement text has other bytes: only numeric
/// character references are expanded.
pub(super) fn literal(raw: &str) -> Vec<Segment> {
    cut(raw, |rest| match rest.as_bytes().first() {
        Some(b'&') if rest.starts_with("&#") => match reference(rest).ok()? {
            (len, Reference::Char(c)) => Some((len, c.len_utf8(), Form::Char)),
            _ => None,
        },
        Some(b'\r') => Some((if rest.starts_with("\r\n") { 2 } else { 1 }, 1, Form::Char)),
        _ => None,
    })
}

/// Splits the raw text of a CDATA section at line ends, and at places where it ends and begins
/// again.
pub(super) fn section(raw: &str) -> Vec<Segment> {
    cut(raw, |rest| match rest.as_bytes().first() {
        Some(b'\r') => Some((if rest.starts_with("\r\n") { 2 } else { 1 }, 1, Form::Char)),
        Some(b']') if rest.starts_with(SPLIT) => Some((SPLIT.len(), 0, Form::Char)),
        _ => None,
    })
}

fn cut(raw: &str, special: impl Fn(&str) -> Option<(usize, usize, Form)>) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    let (mut at, mut decoded_at, mut from) = (0, 0, 0);
    let plain = |found: &mut Vec<Segment>, from: usize, at: usize, decoded_at: usize| {
        if from < at {
            found.push(Segment {
                decoded: decoded_at..decoded_at + at - from,
                raw: from..at,
                form: Form::Plain,
            });
        }
    };
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let next = rest
            .bytes()
            .position(|byte| matches!(byte, b'&' | b'\r' | b'\n' | b'\t' | b']'));
        let Some(next) = next else { break };
        at += next;
        let Some((len, decoded, form)) = raw.get(at..).and_then(&special) else {
            at += 1;
            continue;
        };
        plain(&mut found, from, at, decoded_at);
        decoded_at += at - from;
        found.push(Segment {
            decoded: decoded_at..decoded_at + decoded,
            raw: at..at + len,
            form,
        });
        decoded_at += decoded;
        at += len;
        from = at;
    }
    plain(&mut found, from, raw.len(), decoded_at);
    found
}

/// The raw bytes of a range of the decoded text; a character reference is included whole.
///
/// # Errors
/// The piece of a reference to an entity that the range cuts or contains.
pub(super) fn bytes_of(
    segments: &[Segment],
    range: &Range<usize>,
) -> Result<Range<usize>, Segment> {
    let end = segments.last().map_or(0, |last| last.raw.end);
    let (mut start, mut stop) = (None, None);
    let first = segments.partition_point(|segment| segment.decoded.end < range.start);
    for segment in segments.get(first..).unwrap_or_default() {
        let Segment { decoded, raw, form } = segment;
        if decoded.start > range.end && start.is_some() && stop.is_some() {
            break;
        }
        let touched = decoded.start < range.end && range.start < decoded.end;
        if *form == Form::Entity
            && (touched || decoded.start < range.start && range.start < decoded.end)
        {
            return Err(segment.clone());
        }
        if start.is_none() && range.start < decoded.end {
            start = Some(match form {
                Form::Plain if range.start > decoded.start => {
                    raw.start + range.start - decoded.start
                }
                _ => raw.start,
            });
        }
        if stop.is_none() && range.end <= decoded.end {
            stop = Some(match form {
                Form::Plain => raw.start + range.end.saturating_sub(decoded.start),
                _ if range.end <= decoded.start => raw.start,
                _ => raw.end,
            });
        }
    }
    let start = start.unwrap_or(end);
    Ok(start..stop.unwrap_or(end).max(start))
}

/// An edit of a raw text: its bytes, and their new decoded text.
pub(super) type Splice = (Range<usize>, String);

/// The edit that gives a raw text another decoded text and keeps the spelling of unchanged parts.
///
/// # Errors
/// The piece of a reference to an entity that would be lost.
pub(super) fn splice(segments: &[Segment], old: &str, new: &str) -> Result<Splice, Segment> {
    let (mut start, mut end) = common(old, new);
    // A character reference that changes is replaced as a whole, and so is its decoded character.
    for segment in segments.iter().filter(|segment| segment.form == Form::Char) {
        let decoded = &segment.decoded;
        if decoded.start < start && start < decoded.end {
            start = decoded.start;
        }
        if decoded.start < old.len() - end && old.len() - end < decoded.end {
            end = old.len() - decoded.end;
        }
    }
    let range = start..old.len() - end;
    let bytes = bytes_of(segments, &range)?;
    // `&left;`, which expands to 10, is not part of 105.
    for segment in segments
        .iter()
        .filter(|segment| segment.form == Form::Entity)
    {
        let decoded = &segment.decoded;
        let after = decoded.end == range.start && grows(new, start);
        if decoded.start < decoded.end
            && (after || decoded.start == range.end && grows(new, new.len() - end))
        {
            return Err(segment.clone());
        }
    }
    let text = new.get(start..new.len() - end).unwrap_or_default();
    Ok((bytes, text.to_owned()))
}

/// Whether a word spans a place.
fn grows(text: &str, at: usize) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | '#' | '%');
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    before.ends_with(in_word) && after.starts_with(in_word)
}

/// The number of bytes that two texts share at their beginnings, and at the ends of the rest.
fn common(old: &str, new: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let start: usize = old
        .chars()
        .zip(new.chars())
        .take_while(same)
        .map(length)
        .sum();
    let rest = |text: &'_ str| text.get(start..).unwrap_or_default().to_owned();
    let (was, is) = (rest(old), rest(new));
    let back = was.chars().rev().zip(is.chars().rev());
    (start, back.take_while(same).map(length).sum())
}

/// The raw place of a part of the decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In these bytes of the raw text itself.
    Here(Range<usize>),
    /// In these bytes of the replacement text of an entity.
    Entity(String, Range<usize>),
    /// Partly in the named entity.
    Split(String),
}

/// A raw text that is split once, to find the places of many parts of its decoded text.
#[derive(Clone, Debug)]
pub struct Places<'t> {
    raw: &'t str,
    within: Within,
    entities: Option<&'t Entities>,
    segments: Vec<Segment>,
}

impl<'t> Places<'t> {
    pub(super) fn new(raw: &'t str, within: Within, entities: Option<&'t Entities>) -> Self {
        Self {
            segments: segments(raw, within, entities),
            raw,
            within,
            entities,
        }
    }

    /// The raw text of a CDATA section.
    pub(super) fn of_section(raw: &'t str) -> Self {
        Self {
            segments: section(raw),
            raw,
            within: Within::Content,
            entities: None,
        }
    }

    /// The place of a range of the decoded text.
    #[must_use]
    pub fn of(&self, range: &Range<usize>) -> Place {
        let mut found = match bytes_of(&self.segments, range) {
            Ok(bytes) => return Place::Here(bytes),
            Err(found) => found,
        };
        let (mut text, mut range) = (self.raw, range.clone());
        let mut name = String::new();
        for _ in 0..Limits::default().entity_depth {
            let reference = text.get(found.raw.clone()).unwrap_or_default();
            name = reference
                .trim_start_matches('&')
                .trim_end_matches(';')
                .to_owned();
            let whole = found.decoded.start <= range.start && range.end <= found.decoded.end;
            let inner = self.entities.and_then(|entities| entities.text(&name));
            let Some(inner) = inner.filter(|_| whole) else {
                break;
            };
            // The call fails at its next check.
            let _ = work::spend(inner.len() / BYTES_A_STEP);
            range = range.start - found.decoded.start..range.end - found.decoded.start;
            text = inner;
            found = match bytes_of(&segments(text, self.within, self.entities), &range) {
                Ok(bytes) => return Place::Entity(name, bytes),
                Err(found) => found,
            };
        }
        Place::Split(name)
    }
}
