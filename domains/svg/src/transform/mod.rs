//! Transform lists: items that know the bytes that spell them, and edits of items that leave the others.

mod edit;
mod item;
mod parse;

use std::fmt;
use std::ops::Range;

use kurbo::Affine;

pub use edit::TransformError;
pub use item::{Function, Made};

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// As the attribute `transform` has it: bare numbers, degrees.
    Attribute,
    /// As a declaration of a style has it: `rotate(45deg) translate(10px, 5px)`.
    Css,
}

/// One transform of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it does.
    pub function: Function,
    /// Its bytes, name to closing parenthesis.
    pub span: Range<usize>,
    arguments: Vec<Argument>,
}

/// A number of an item, in user units or degrees whatever it was written in.
#[derive(Clone, Debug, PartialEq)]
struct Argument {
    value: f64,
    /// The bytes of number and unit.
    span: Range<usize>,
}

impl Item {
    /// Its numbers, in user units and degrees.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.arguments.iter().map(|argument| argument.value)
    }

    /// What it does to a point.
    #[must_use]
    pub fn affine(&self) -> Affine {
        self.function
            .affine(|place| self.arguments.get(place).map(|argument| argument.value))
    }
}

/// Where a list stops being one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformFault {
    /// The item that could not be read, counted from 1.
    pub item: usize,
    /// The character that is wrong, counted from 1.
    pub column: usize,
    /// The byte of that character.
    pub at: usize,
    /// What is wrong there.
    pub problem: &'static str,
    /// The whole list as it may have been meant.
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

/// A transform list, with all that could be read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformList {
    text: String,
    syntax: Syntax,
    items: Vec<Item>,
    fault: Option<TransformFault>,
}

impl TransformList {
    /// Reads a list up to its first fault. An empty one, and `none` in a style, has no items.
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

    /// Reads a list that has no fault and squeezes nothing flat, with no number beyond 10⁹.
    ///
    /// # Errors
    /// The first fault.
    pub fn checked(text: impl Into<String>, syntax: Syntax) -> Result<Self, TransformFault> {
        let list = Self::parse(text, syntax);
        if let Some(fault) = list.fault {
            return Err(fault);
        }
        for (index, item) in list.items.iter().enumerate() {
            let problem = if item.values().any(|value| value.abs() > 1e9) {
                "a number is out of range"
            } else if item.affine().determinant() == 0.0 {
                "nothing is scaled by 0"
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

    /// The text it was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is written.
    #[must_use]
    pub const fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The items before the fault, from the left, which is the outermost.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Where it stops being a list, if it does.
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

    /// What all items together do to a point. A list with a fault does nothing, as renderers have it.
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
