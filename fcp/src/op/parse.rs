//! Makes an op from words.

use std::borrow::Cow;

use super::error::{Fault, ParseError, shown};
use super::lex::{self, Lexer, Limits, Quoted, Token, Word};
use super::selector::Selector;
use super::shape::{ArrowKind, Shape, is_verb};
use super::text::lower;
use crate::diag::Span;

/// An op, parsed by shape alone: a verb, and words in the order in which they were written.
///
/// It serialises to the form for fixtures and tools: `verb`, `positionals`, `params`, `selectors`,
/// `arrows` if there are any, `raw`. Its [`Display`](std::fmt::Display) is one line that parses to
/// the same op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedOp<'a> {
    /// The text that was sent, trimmed. All spans are within it.
    pub raw: &'a str,
    /// The first word, in lower case.
    pub verb: Word<'a>,
    /// All other words.
    pub words: Vec<OpWord<'a>>,
}

/// One word of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpWord<'a> {
    /// Plain text.
    Positional(Word<'a>),
    /// `key:value`
    Param(Param<'a>),
    /// `@type:value`
    Selector(Selector<'a>),
    /// `->`, `<->` or `--`
    Arrow(Arrow),
}

/// `key:value`, split at the first colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param<'a> {
    /// The key as it was written.
    pub key: Cow<'a, str>,
    /// The value without its quotes, its escapes decoded.
    pub value: Cow<'a, str>,
    /// The quoted part of the value: [`Whole`](Quoted::Whole) in `label:"Two Words"`,
    /// [`Value`](Quoted::Value) in `on:track:"Two Words"`.
    pub quoted: Quoted,
    /// The whole word.
    pub span: Span,
    /// The key, without the colon.
    pub key_span: Span,
    /// The value, including its quotes.
    pub value_span: Span,
}

/// An arrow, and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The kind of arrow.
    pub kind: ArrowKind,
    /// Its place in `raw`.
    pub span: Span,
}

/// Parses an op, or a query of the same form.
///
/// ```
/// let op = fcp::op::parse("connect Auth -> db:Orders style:dashed")?;
/// assert_eq!(op.arrows().count(), 1);
/// assert_eq!(op.to_string(), "connect Auth -> db:Orders style:dashed");
/// # Ok::<(), fcp::op::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<ParsedOp<'_>, ParseError> {
    parse_within(text, Limits::default())
}

/// Parses an op within the given limits.
pub fn parse_within(text: &str, limits: Limits) -> Result<ParsedOp<'_>, ParseError> {
    let raw = lex::trim(text);
    let mut tokens = Lexer::new(raw, limits);
    let verb = verb(tokens.next().unwrap_or_else(|| Err(lex::empty()))?, raw)?;
    rest(raw, verb, None, tokens)
}

/// Parses a session action: an op whose first word may also be `verb:value`, which is then both the
/// verb and a parameter with the verb's name, in lower case.
///
/// ```
/// let action = fcp::op::parse_action("Open:./a.mid,./b.mid")?;
/// assert_eq!(action.verb.text, "open");
/// assert_eq!(action.param("open").map(|param| &*param.value), Some("./a.mid,./b.mid"));
/// # Ok::<(), fcp::op::ParseError>(())
/// ```
pub fn parse_action(text: &str) -> Result<ParsedOp<'_>, ParseError> {
    parse_action_within(text, Limits::default())
}

/// Parses a session action within the given limits.
pub fn parse_action_within(text: &str, limits: Limits) -> Result<ParsedOp<'_>, ParseError> {
    let raw = lex::trim(text);
    let mut tokens = Lexer::new(raw, limits);
    let first = tokens.next().unwrap_or_else(|| Err(lex::empty()))?;
    if let Shape::Param(colon) = Shape::of(&first)
        && is_verb(&first.head[..colon])
    {
        let mut param = Param::read(first, colon);
        param.key = lower_cow(param.key);
        let verb = Word {
            text: param.key.clone(),
            span: param.key_span,
            quoted: Quoted::No,
        };
        return rest(raw, verb, Some(OpWord::Param(param)), tokens);
    }
    let verb = verb(first, raw)?;
    rest(raw, verb, None, tokens)
}

/// Splits off the verb and returns the rest as it was sent: for queries that take free text.
///
/// ```
/// let (verb, tail) = fcp::op::split_verb("find  6\" pipe, \"bent")?;
/// assert_eq!((&*verb.text, tail), ("find", "6\" pipe, \"bent"));
/// # Ok::<(), fcp::op::ParseError>(())
/// ```
pub fn split_verb(text: &str) -> Result<(Word<'_>, &str), ParseError> {
    split_verb_within(text, Limits::default())
}

/// Splits off the verb of a text within the given limits, and returns the rest.
pub fn split_verb_within(text: &str, limits: Limits) -> Result<(Word<'_>, &str), ParseError> {
    let raw = lex::trim(text);
    let mut tokens = Lexer::new(raw, limits);
    let verb = verb(tokens.next().unwrap_or_else(|| Err(lex::empty()))?, raw)?;
    let tail = lex::trim(&raw[tokens.at()..]);
    // The tail is not split into words, so an error refers to all of it.
    let span = Span::new(raw.len() - tail.len(), raw.len());
    lex::check(raw, span, limits.bytes)?;
    Ok((verb, tail))
}

fn verb<'a>(token: Token<'a>, raw: &str) -> Result<Word<'a>, ParseError> {
    let shape = Shape::of(&token);
    if shape == Shape::Plain && token.quoted == Quoted::No && is_verb(token.head) {
        return Ok(Word {
            text: lower(token.head),
            span: token.span,
            quoted: Quoted::No,
        });
    }
    let what = match shape {
        Shape::Quoted => "quoted text",
        Shape::Selector => "a selector",
        Shape::Arrow(_) => "an arrow",
        Shape::Formula => "a formula",
        Shape::Range => "a range",
        Shape::Param(_) => "key:value",
        Shape::Plain if token.head.starts_with(char::is_alphabetic) => {
            "a word that holds more than letters, digits, _ - and ."
        }
        Shape::Plain => "a word that has no letter in front",
    };
    let error = format!(
        "an op starts with a verb, not with {what}: {}",
        shown(token.span.of(raw))
    );
    Err(ParseError::new(Fault::NotAVerb, error, raw, token.span))
}

fn rest<'a>(
    raw: &'a str,
    verb: Word<'a>,
    first: Option<OpWord<'a>>,
    tokens: Lexer<'a>,
) -> Result<ParsedOp<'a>, ParseError> {
    let mut words = Vec::with_capacity(lex::capacity(raw) + usize::from(first.is_some()));
    words.extend(first);
    for token in tokens {
        words.push(OpWord::read(token?, raw)?);
    }
    Ok(ParsedOp { raw, verb, words })
}

impl<'a> OpWord<'a> {
    fn read(token: Token<'a>, raw: &str) -> Result<Self, ParseError> {
        Ok(match Shape::of(&token) {
            Shape::Quoted | Shape::Formula | Shape::Range | Shape::Plain => {
                Self::Positional(token.into_word())
            }
            Shape::Selector => Self::Selector(Selector::read(token, raw)?),
            Shape::Arrow(kind) => Self::Arrow(Arrow {
                kind,
                span: token.span,
            }),
            Shape::Param(colon) => Self::Param(Param::read(token, colon)),
        })
    }

    /// The span of the whole word, including its quotes.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Positional(word) => word.span,
            Self::Param(param) => param.span,
            Self::Selector(selector) => selector.span,
            Self::Arrow(arrow) => arrow.span,
        }
    }

    /// The text of a positional or an arrow; `None` for any other word.
    #[must_use]
    pub fn plain(&self) -> Option<&str> {
        match self {
            Self::Positional(word) => Some(&word.text),
            Self::Arrow(arrow) => Some(arrow.kind.as_str()),
            Self::Param(_) | Self::Selector(_) => None,
        }
    }
}

impl<'a> Param<'a> {
    fn read(token: Token<'a>, colon: usize) -> Self {
        let (head, span) = (token.head, token.span);
        let value = token.split_off(colon + 1);
        Self {
            key: Cow::Borrowed(&head[..colon]),
            value: value.text,
            quoted: value.quoted,
            span,
            key_span: Span::new(span.start, span.start + colon),
            value_span: value.span,
        }
    }
}

impl<'a> ParsedOp<'a> {
    /// The positionals and the arrows between them, in order. [`OpWord::plain`] has their text.
    pub fn positionals(&self) -> impl Iterator<Item = &OpWord<'a>> {
        self.words.iter().filter(|word| word.plain().is_some())
    }

    /// The parameters, in order. A key may occur more than once.
    pub fn params(&self) -> impl Iterator<Item = &Param<'a>> {
        self.words.iter().filter_map(|word| match word {
            OpWord::Param(param) => Some(param),
            _ => None,
        })
    }

    /// The selectors, in order.
    pub fn selectors(&self) -> impl Iterator<Item = &Selector<'a>> {
        self.words.iter().filter_map(|word| match word {
            OpWord::Selector(selector) => Some(selector),
            _ => None,
        })
    }

    /// The arrows, in order.
    pub fn arrows(&self) -> impl Iterator<Item = Arrow> {
        self.words.iter().filter_map(|word| match word {
            OpWord::Arrow(arrow) => Some(*arrow),
            _ => None,
        })
    }

    /// The first parameter with this key.
    #[must_use]
    pub fn param(&self, key: &str) -> Option<&Param<'a>> {
        self.params().find(|param| param.key == key)
    }
}

fn lower_cow(key: Cow<'_, str>) -> Cow<'_, str> {
    match key {
        Cow::Borrowed(text) => lower(text),
        Cow::Owned(text) => Cow::Owned(text.to_lowercase()),
    }
}
