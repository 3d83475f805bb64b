//! The op language: splits a text into words, and words into an op.
//!
//! An op such as `note Piano C4 at:1.1 dur:quarter` is split into words ([`lex`]), and every word
//! is classified by its shape alone ([`parse`](mod@parse)): a positional, a parameter `key:value`,
//! a selector `@type:value` ([`selector`]) or an arrow. Their meaning depends on the domain; this
//! module knows none.
//!
//! ```
//! let op = fcp::op::parse("note Piano C4 at:1.1 @track:\"Two Words\"")?;
//! assert_eq!(op.verb.text, "note");
//! assert_eq!(op.positionals().filter_map(|word| word.plain()).collect::<Vec<_>>(), ["Piano", "C4"]);
//! assert_eq!(op.param("at").map(|param| &*param.value), Some("1.1"));
//! assert_eq!(op.selectors().next().map(|selector| &*selector.value), Some("Two Words"));
//! # Ok::<(), fcp::op::ParseError>(())
//! ```
//!
//! # Places
//!
//! Every [`Span`](crate::diag::Span), in an op as in an error, counts bytes of the *trimmed* text,
//! which is the `raw` of [`ParsedOp`] and of [`ParseError`]. A repair replaces a span of that text.
//!
//! # Cost
//!
//! Parsing is linear in the length of the text. It borrows from the text and allocates one list of
//! words, and otherwise only for words that differ from their source: with a decoded escape, an
//! upper-case verb or selector type, or a quote that begins in the middle of a value
//! (`on:track:"Two Words"`) and must be removed.

pub mod error;
pub mod lex;
pub mod parse;
pub mod quote;
mod repair;
pub mod selector;
mod shape;
mod text;

pub use error::{Fault, ParseError};
pub use lex::{Limits, Quoted, Word, words};
pub use parse::{
    Arrow, OpWord, Param, ParsedOp, parse, parse_action, parse_action_within, parse_within,
    split_verb, split_verb_within,
};
pub(crate) use quote::quoted;
pub use quote::{quote, quote_name, quote_value, spell_param};
pub(crate) use repair::repeated;
pub use selector::Selector;
pub use shape::ArrowKind;
