//! Readings of a file by judges: libraries that share no code with the domain.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// An item that a judge read in a file: an event, an attribute, a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// Its content, in one line. Facts with equal content are equal.
    pub content: String,
    /// Its bytes in the file, or `None` if the judge does not know them.
    pub span: Option<Range<usize>>,
    /// Its position, if the format counts positions that are not spelled in the item's own bytes: a
    /// tick.
    pub position: Option<u64>,
}

impl Fact {
    /// A fact at some bytes of the file.
    #[must_use]
    pub const fn at(content: String, span: Range<usize>) -> Self {
        Self {
            content,
            span: Some(span),
            position: None,
        }
    }

    /// A fact whose bytes are unknown.
    #[must_use]
    pub const fn new(content: String) -> Self {
        Self {
            content,
            span: None,
            position: None,
        }
    }

    /// The fact with a position.
    #[must_use]
    pub const fn with_position(mut self, position: u64) -> Self {
        self.position = Some(position);
        self
    }
}

/// A value that a judge read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// In the words of the table `changes`.
    Told(String),
    /// In other words: only whether it changed can be compared.
    Other(String),
    /// A text in an encoding that the judge does not know, read in several. Two are the same text if
    /// they have a reading in common.
    Text(Vec<String>),
    /// In its words, or in parts under other names: a style sheet by its rules.
    Parts(String),
}

/// A library that reads files of a domain and is not part of this project.
pub trait Judge {
    /// The library's name.
    fn name(&self) -> &'static str;

    /// The facts of a file, in the order of the file.
    ///
    /// # Errors
    /// The library rejects the file; the reason in one line.
    fn read(&mut self, bytes: &[u8]) -> Result<Vec<Fact>, String>;

    /// The judge whose reading of each file this one must repeat, if any. Otherwise each fact has a
    /// span and is checked against the account.
    fn confirms(&self) -> Option<&'static str> {
        None
    }

    /// The part of a reading, its own or another judge's, that both must have in common, one line
    /// for each fact.
    fn comparable(&self, facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|fact| fact.content.clone()).collect()
    }

    /// Returns whether a fact is independent: an end of track, for example, follows from the events
    /// before it.
    fn is_free(&self, _fact: &Fact) -> bool {
        true
    }

    /// Whether rows have others between their first and their last byte. Those are told with the
    /// row if it is new or gone.
    fn nests(&self) -> bool {
        false
    }

    /// Whether the bytes of a fact may mean something else because others have changed: they refer to
    /// an entity.
    fn is_indirect(&self, _bytes: &[u8]) -> bool {
        false
    }

    /// The values of a row that the judge reads from the facts in the row's bytes, each under the
    /// table and the field that the table `changes` uses for it: `notes.vel`, or several of which it
    /// uses one: `notes.pos|notes.tick`. What `changes` says of these values is compared with the
    /// readings of both files.
    fn values_of(&self, _row: &[&Fact]) -> Vec<(Cow<'static, str>, Value)> {
        Vec::new()
    }

    /// The verbs whose effect it knows and checks.
    fn laws(&self) -> &[&'static str] {
        &[]
    }

    /// Checks the effect of a verb among [`laws`](Self::laws) by its readings before and after.
    ///
    /// # Errors
    /// The op changed more than its verb promises, or less.
    fn law(&mut self, _verb: &str, _before: &[Fact], _after: &[Fact]) -> Result<(), String> {
        Ok(())
    }
}

/// Checks that an op lost no fact: each occurs as often as before, at any place. It may add some.
///
/// # Errors
/// Facts are lost; the error names the first ones.
pub fn keeps<'a>(
    before: impl Iterator<Item = &'a Fact>,
    after: impl Iterator<Item = &'a Fact>,
) -> Result<(), String> {
    let mut counts: BTreeMap<&str, isize> = BTreeMap::new();
    for fact in before {
        *counts.entry(&fact.content).or_default() -= 1;
    }
    for fact in after {
        *counts.entry(&fact.content).or_default() += 1;
    }
    if counts.values().all(|count| *count >= 0) {
        return Ok(());
    }
    let mut counts: Vec<_> = counts
        .into_iter()
        .filter(|(_, count)| *count != 0)
        .collect();
    counts.sort_by_key(|(_, count)| *count);
    let shown = counts.iter().take(6).map(|(content, count)| {
        let sign = if *count < 0 { "-" } else { "+" };
        format!("{sign}{} x {content}", count.unsigned_abs())
    });
    let shown: Vec<_> = shown.collect();
    Err(format!("changed more than places: {}", shown.join(", ")))
}
