//! Transform lists: items with their byte ranges, and edits of items that keep the others.
//! Elements are moved and turned in `moving`.

mod edit;
mod item;
mod parse;
mod spell;

use std::fmt;
use std::ops::Range;

use kurbo::Affine;

pub use edit::TransformError;
pub use item::{Function, NewItem};

/// The syntax of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// The syntax of the attribute `transform`: bare numbers, degrees.
    Attribute,
    /// The syntax of a style declaration: `rotate(45deg) translate(10px, 5px)`.
    Css,
}

/// One transform of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its function.
    pub function: Function,
    /// Its bytes, from the name to the closing parenthesis.
    pub span: Range<usize>,
    arguments: Vec<Argument>,
}

/// A number of an item, in user units or degrees, whatever unit was written.
#[derive(Clone, Debug, PartialEq)]
struct Argument {
    value: f64,
    /// The bytes of the number and its unit.
    span: Range<usize>,
}

impl Item {
    /// Its numbers, in user units and degrees.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.arguments.iter().map(|argument| argument.value)
    }

    /// Its affine map.
    #[must_use]
    pub fn affine(&self) -> Affine {
        self.function
            .affine(|place| self.arguments.get(place).map(|argument| argument.value))
    }
}

/// The position of the first fault in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformFault {
    /// The item that could not be read, counted from 1.
    pub item: usize,
    /// The column of the wrong character, counted from 1.
    pub column: usize,
    /// The byte offset of that character.
    pub at: usize,
    /// The problem there.
    pub problem: &'static str,
    /// The whole list with a likely correction.
    pub fix: Option<String>,
}

impl fmt::Display for TransformFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            item,
            column,
            problem,
            ..
        } = self;
        write!(f, "item {item}, column {column}: {problem}")
    }
}

/// A transform list, read up to its first fault.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformList {
    text: String,
    syntax: Syntax,
    items: Vec<Item>,
    fault: Option<TransformFault>,
}

impl TransformList {
    /// Reads a list up to its first fault. An empty list has no items, and neither has `none` in a
    /// style.
    pub fn parse(text: impl Into<String>, syntax: Syntax) -> Self {
        let text = text.into();
        let (items, fault) = parse::parse(&text, syntax);
        Self {
            text,
            syntax,
            items,
            fault,
        }
    }

    /// Reads a list without faults, singular maps, numbers beyond 10⁹ or a comma at its end, which not all programs read.
    ///
    /// # Errors
    /// The first fault.
    pub fn checked(text: impl Into<String>, syntax: Syntax) -> Result<Self, TransformFault> {
        let list = Self::parse(text, syntax);
        if let Some(fault) = list.fault {
            return Err(fault);
        }
        if let Some(before) = list.text.trim_end().strip_suffix(',') {
            return Err(TransformFault {
                item: list.items.len() + 1,
                column: before.chars().count() + 1,
                at: before.len(),
                problem: "a transform is missing after the comma",
                fix: Some(before.trim_end().to_owned()),
            });
        }
        for (index, item) in list.items.iter().enumerate() {
            let problem = if item.values().any(|value| value.abs() > 1e9) {
                "a number is out of range"
            } else if item.affine().determinant() == 0.0 {
                "scaling by 0 leaves nothing"
            } else {
                continue;
            };
            let before = list.text.get(..item.span.start).unwrap_or_default();
            return Err(TransformFault {
                item: index + 1,
                column: before.chars().count() + 1,
                at: item.span.start,
                problem,
                fix: None,
            });
        }
        Ok(list)
    }

    /// The source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its syntax.
    #[must_use]
    pub const fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The items before the fault, from the left, which is the outermost.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The first fault, if there is one.
    #[must_use]
    pub const fn fault(&self) -> Option<&TransformFault> {
        self.fault.as_ref()
    }

    /// The bytes of item `n`, counted from 1.
    #[must_use]
    pub fn spelling(&self, n: usize) -> Option<&str> {
        let item = n.checked_sub(1).and_then(|index| self.items.get(index))?;
        self.text.get(item.span.clone())
    }

    /// The affine map of all items together. As in renderers, a list with a fault has no effect.
    #[must_use]
    pub fn affine(&self) -> Affine {
        if self.fault.is_some() {
            return Affine::IDENTITY;
        }
        self.items
            .iter()
            .fold(Affine::IDENTITY, |all, item| all * item.affine())
    }
}

impl fmt::Display for TransformList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}
