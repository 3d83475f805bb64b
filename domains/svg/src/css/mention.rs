//! The ids in a style sheet or a value: `#id`, `[id=…]` and `[href="#…"]` in selectors, and
//! `url(#id)` in values. A `#fab` in a value is a colour; comments and strings contain no ids.

use std::ops::Range;

use super::fragment::fragment;
use super::identifier;
use super::part_of_id::PartOfId;

/// A place that contains an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The id, with escapes decoded.
    pub id: String,
    /// The bytes that spell it.
    pub span: Range<usize>,
    /// Its form there.
    pub form: Form,
}

/// The form of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An identifier in a selector, which matches elements but is not a reference that must
    /// resolve.
    Selector,
    /// A string in a selector, with these quotes.
    Quoted(char),
    /// The fragment of a link in a selector, with these quotes: `[href="#id"]`.
    Link(char),
    /// `url(#id)`.
    Url,
    /// `url("#id")`, with these quotes.
    UrlQuoted(char),
}

impl Form {
    /// Whether it refers to an element, as `url(#id)` does.
    #[must_use]
    pub const fn refers(self) -> bool {
        matches!(self, Self::Url | Self::UrlQuoted(_))
    }

    /// Spells an id in this form.
    #[must_use]
    pub fn spelled(self, id: &str) -> String {
        let quoted = |text: &str, quote: char| {
            let mut spelled = String::with_capacity(text.len());
            for c in text.chars() {
                if c == quote || c == '\\' {
                    spelled.push('\\');
                }
                spelled.push(c);
            }
            spelled
        };
        match self {
            Self::Selector => identifier(id),
            Self::Quoted(quote) => quoted(id, quote),
            Self::Link(quote) | Self::UrlQuoted(quote) => quoted(&fragment(id), quote),
            Self::Url => {
                let mut spelled = String::with_capacity(id.len());
                for c in fragment(id).chars() {
                    if matches!(c, '(' | ')' | '\'' | '"' | '\\') {
                        spelled.push('\\');
                    }
                    spelled.push(c);
                }
                spelled
            }
        }
    }
}

/// The ids in a style sheet.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The ids, in the order of the text.
    pub mentions: Vec<Mention>,
    /// The tests of selectors for a part of an id, as in `[id^=a]`.
    pub by_parts: Vec<PartOfId>,
    /// The tests of selectors for the values of other attributes, as in `[clip-path="url(#a)"]`.
    pub by_values: Vec<ByValue>,
}

/// A test of a selector for the value of an attribute, or a word of it, that is written without escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByValue {
    /// The attribute's name.
    pub name: String,
    /// The bytes of the value.
    pub span: Range<usize>,
    /// The quotes around it, if it is a string.
    pub quote: Option<char>,
}
