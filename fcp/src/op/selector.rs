//! Selectors of rows: `@track:Piano`, `@not:pitch:C4`.

use std::borrow::Cow;

use serde::Serialize;

use super::error::{Fault, ParseError, shown};
use super::lex::{Quoted, Token};
use super::text::lower;
use crate::diag::Span;

/// `@[not:]TYPE[:VALUE]`. The binder checks the type and its values.
///
/// ```
/// let op = fcp::op::parse("remove @not:pitch:C4")?;
/// let selector = op.selectors().next().unwrap();
/// assert!(selector.negated);
/// assert_eq!((&*selector.kind, &*selector.value), ("pitch", "C4"));
/// # Ok::<(), fcp::op::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Selector<'a> {
    /// The type, in lower case.
    #[serde(rename = "type")]
    pub kind: Cow<'a, str>,
    /// The value; empty if there is none.
    pub value: Cow<'a, str>,
    /// Whether it is preceded by `not:`.
    pub negated: bool,
    /// Whether a value was given: `@track:""` has an empty one, `@track` has none.
    #[serde(skip)]
    pub has_value: bool,
    /// The quoted part of the value.
    #[serde(skip)]
    pub quoted: Quoted,
    /// The whole word.
    #[serde(skip)]
    pub span: Span,
    /// The type.
    #[serde(skip)]
    pub kind_span: Span,
    /// The value, including its quotes; the empty span after the type if there is none.
    #[serde(skip)]
    pub value_span: Span,
}

impl<'a> Selector<'a> {
    /// Reads a word that starts with `@` and is longer.
    pub(super) fn read(token: Token<'a>, raw: &str) -> Result<Self, ParseError> {
        let (head, span, bare) = (token.head, token.span, token.quoted == Quoted::No);
        let err = |message: &str| {
            let error = format!("{} {message}", shown(span.of(raw)));
            Err(ParseError::new(Fault::BadSelector, error, raw, span))
        };
        let is_not = |kind: &str| kind.eq_ignore_ascii_case("not");

        let (mut start, mut end) = (1, segment_end(head, 1));
        let negated = is_not(&head[start..end]);
        if negated {
            if end + 1 >= head.len() {
                return match bare || token.body.is_empty() {
                    true => err("negates nothing: write @not:TYPE or @not:TYPE:VALUE"),
                    false => {
                        err("has its type in quotes: only a value is quoted, @not:TYPE:\"VALUE\"")
                    }
                };
            }
            start = end + 1;
            end = segment_end(head, start);
            if is_not(&head[start..end]) {
                return err("negates twice: one not: is enough");
            }
        }
        let kind = &head[start..end];
        if kind.is_empty() {
            return err("names no type: write @TYPE:VALUE");
        }
        let has_value = end < head.len();
        if has_value && bare && end + 1 == head.len() {
            return err(
                "has a colon and no value: leave the colon out, or write \"\" for an empty value",
            );
        }
        let value = token.split_off(if has_value { end + 1 } else { end });
        Ok(Self {
            kind: lower(kind),
            value: value.text,
            negated,
            has_value,
            quoted: value.quoted,
            span,
            kind_span: Span::new(span.start + start, span.start + end),
            value_span: value.span,
        })
    }
}

/// The next colon at or after `from`, or the end.
fn segment_end(head: &str, from: usize) -> usize {
    head[from..]
        .find(':')
        .map_or(head.len(), |colon| from + colon)
}
