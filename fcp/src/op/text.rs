//! An op as output: JSON for fixtures and tools, and one line of text.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json, map::Entry};

use super::lex::{Quoted, Scan};
use super::parse::{OpWord, ParsedOp};
use super::quote::write_quoted;
use crate::diag::Span;

/// The text in lower case, borrowed if it already is.
pub(super) fn lower(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c.to_lowercase().eq([c])) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

impl ParsedOp<'_> {
    /// The op for fixtures and tools. The value of a repeated key is the array of its values, in
    /// order.
    ///
    /// ```
    /// let op = fcp::op::parse("link a -> b tag:x tag:y @all")?;
    /// assert_eq!(op.to_json(), serde_json::json!({
    ///     "verb": "link",
    ///     "positionals": ["a", "->", "b"],
    ///     "params": { "tag": ["x", "y"] },
    ///     "selectors": [{ "type": "all", "value": "", "negated": false }],
    ///     "arrows": ["->"],
    ///     "raw": "link a -> b tag:x tag:y @all",
    /// }));
    /// # Ok::<(), fcp::op::ParseError>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut params = Map::new();
        for param in self.params() {
            let value = Value::from(&*param.value);
            match params.entry(&*param.key) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(mut entry) => match entry.get_mut() {
                    Value::Array(values) => values.push(value),
                    first => *first = Value::Array(vec![first.take(), value]),
                },
            }
        }
        let mut op = json!({
            "verb": self.verb.text,
            "positionals": self.positionals().filter_map(OpWord::plain).collect::<Vec<_>>(),
            "params": params,
            "selectors": self.selectors().collect::<Vec<_>>(),
        });
        let arrows: Vec<_> = self.arrows().map(|arrow| arrow.kind.as_str()).collect();
        if !arrows.is_empty() {
            op["arrows"] = json!(arrows);
        }
        op["raw"] = json!(self.raw);
        op
    }
}

impl Serialize for ParsedOp<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// One line, quoted as in the source: a quoted word can mean less than the same word bare.
impl Display for ParsedOp<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.verb.text)?;
        let source = |span: Span| span.of(self.raw);
        for word in &self.words {
            f.write_char(' ')?;
            match word {
                OpWord::Positional(word) => spell(f, source(word.span), &word.text, word.quoted)?,
                OpWord::Arrow(arrow) => f.write_str(arrow.kind.as_str())?,
                OpWord::Param(param) => {
                    write!(f, "{}:", param.key)?;
                    spell(f, source(param.value_span), &param.value, param.quoted)?;
                }
                OpWord::Selector(selector) => {
                    let not = if selector.negated { "not:" } else { "" };
                    write!(f, "@{not}{}", selector.kind)?;
                    if selector.has_value {
                        f.write_char(':')?;
                        spell(
                            f,
                            source(selector.value_span),
                            &selector.value,
                            selector.quoted,
                        )?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn spell(f: &mut fmt::Formatter<'_>, source: &str, text: &str, quoted: Quoted) -> fmt::Result {
    // A word has no escapes before its quote, so the quote is at the same byte in source and text.
    let open = match quoted {
        Quoted::No => text.len(),
        Quoted::Whole => 0,
        Quoted::Value => Scan::word(source.as_bytes(), 0)
            .quote
            .map_or(0, |quote| quote.open),
    };
    let (bare, inside) = text.split_at_checked(open).unwrap_or((text, ""));
    f.write_str(bare)?;
    match quoted {
        Quoted::No => Ok(()),
        Quoted::Whole | Quoted::Value => write_quoted(f, inside),
    }
}
