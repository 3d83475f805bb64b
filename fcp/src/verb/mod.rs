//! Verbs as static data: written once and read by parser, card, errors, codebook and schema.
//! The universal verbs are in `verbs`; nothing here changes a model.

mod arg;
mod bind;
mod files;
mod guess;
mod keys;
mod kind_name;
mod name_errors;
mod paired;
mod params;
mod reference;
mod registry;
mod resolve;
mod select;
mod selected;
mod syntax_line;

use std::any::Any;
use std::ops::Range;

pub use arg::{Arg, FromArg, Scope, Spanned, Takes};
pub use bind::Binder;
pub(crate) use bind::read::Target;
pub use files::{FileBytes, Files};
pub(crate) use guess::{Guesses, guesses, leaves_out, only_respells, renumbers};
pub use keys::{Keyed, Keys};
pub(crate) use kind_name::{qualified, ref_name};
pub use params::Params;
#[doc(hidden)]
pub use params::{agree, count, grouped, join};
pub use reference::{Ref, Rows, Selection};
pub use registry::{Found, Registry};
pub use resolve::called;
use resolve::found;
pub(crate) use resolve::{
    is_odd_name, resolve, spell_reference, sure_name, sure_word, with_number,
};
pub use select::{Clause, Nothing, Pick};
pub(crate) use select::{UNIVERSAL, field_form, kind};

use crate::diag::Result;
use crate::domain::Domain;
use crate::model::Row;
use crate::op::ParsedOp;
use crate::reply::{Exported, Listing, Reply};
use crate::value::{ValueError, ValueSpec};
use crate::work;

/// A verb, a query or a session action. `#[fcp_verb]`, `#[fcp_query]` and `#[fcp_action]` write one static each.
pub struct Verb<M: Domain> {
    /// The start of the op: `track add`.
    pub phrase: &'static str,
    /// Other phrases with the same meaning.
    pub aliases: &'static [&'static str],
    /// Its heading on the card.
    pub category: &'static str,
    /// The first sentence of its doc comment.
    pub summary: &'static str,
    /// The doc comment without examples.
    pub doc: &'static str,
    /// Its parameters, in the order of the function.
    pub params: &'static [Param],
    /// Its examples, which run as tests.
    pub examples: &'static [Example],
    /// Its place in the source.
    pub source: Source,
    /// Whether it deletes: names must then match completely, not just by their beginning.
    pub deletes: bool,
    /// Whether the phrase's second word follows the target: `modify TARGET close`.
    pub infix: bool,
    /// The function.
    pub run: Run<M>,
}

/// The parameters of every export, unless it has an `as:` of its own.
pub(crate) const WHERE: &str = " as:PATH [force]";

/// The function behind a [`Verb`].
pub enum Run<M: Domain> {
    /// A verb, or a session action that changes the document: one log entry.
    Edit(fn(&mut M, &Call<'_, M>) -> Result<Reply>),
    /// A query.
    Ask(for<'m> fn(&'m M, &Call<'_, M>) -> Result<Listing<'m>>),
    /// A session action that makes a document.
    Make(fn(&M, &Call<'_, M>) -> Result<M>),
    /// A session action that answers with a file: an export.
    Export(fn(&M, &Call<'_, M>) -> Result<Exported>),
}

/// A parameter of a [`Verb`].
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its key, and its name on the card: `dur`.
    pub name: &'static str,
    /// Other spellings of the key, and pairs of keys that give its value: `{x},{y}`.
    pub aliases: &'static [&'static str],
    /// Its place in the op.
    pub place: Place,
    /// The form of its values.
    pub takes: Takes,
    /// Whether it is required.
    pub required: bool,
    /// Whether the key may be repeated.
    pub many: bool,
    /// The default, as the card shows it.
    pub default: Option<fn() -> String>,
    /// Its doc comment.
    pub doc: &'static str,
    /// The description of its values.
    pub spec: fn() -> ValueSpec,
    /// The group that contains it.
    pub group: Option<Group>,
}

/// Parameters that several verbs share. Cards describe them once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the syntax lines of the card: `POSITION`.
    pub name: &'static str,
    /// Its description, in one sentence.
    pub doc: &'static str,
}

/// The place of a parameter in the op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `dur:VALUE`.
    Key,
    /// A bare word; also `on:VALUE` if it has such a key.
    Word(Option<&'static str>),
    /// All remaining bare words.
    Rest,
    /// The bare word that equals its name.
    Flag,
    /// Every key that does not belong to another parameter: fields of the op's target rows.
    Fields,
}

/// An example of a [`Verb`]: a script in the form of transcripts.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The script.
    pub script: &'static str,
    /// The line in the source file of the script's first line.
    pub line: u32,
}

/// A place in the source.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The file.
    pub file: &'static str,
    /// The line of its attribute.
    pub line: u32,
}

/// The arguments of a [`Verb`]'s function.
pub struct Call<'c, M: Domain> {
    /// The op.
    pub op: &'c ParsedOp<'c>,
    /// The range of words, after the first, that belong to the phrase.
    pub skip: Range<usize>,
    /// Whether the phrase took its last word from a qualified target: `modify track:Drums` is `modify track`.
    pub qualified: bool,
    /// The verb.
    pub verb: &'static Verb<M>,
    /// All verbs, queries, actions and selectors.
    pub registry: &'c Registry<M>,
    /// The rows that were touched last according to the log, newest first.
    pub recent: &'c RecentRows<'c>,
    /// The files that the op may read.
    pub files: &'c Files,
    /// Evaluates SQL conditions.
    pub sql: &'c Conditions<'c, M>,
    /// The target rows of a computed op, instead of those that its words select.
    pub picked: Option<&'c [Row]>,
}

/// Finds the rows selected by an SQL condition; only those of the table at an index, if one is
/// given.
pub type Conditions<'a, M> = dyn Fn(&M, &str, Option<usize>) -> Result<Chosen, ValueError> + 'a;

/// Rows that a condition selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The rows for which it is true.
    pub rows: Vec<Row>,
    /// The rows for which it is false and not unknown; `None` if these are all others.
    pub others: Option<Vec<Row>>,
    /// Further rows, by a name as ops take it.
    pub named: Vec<String>,
    /// The table of the condition, if it is only one.
    pub table: Option<String>,
    /// Why there are none, if the condition compares a column with a text that it does not have;
    /// and the condition that was meant, if it has some.
    pub hint: Option<(String, Option<String>)>,
}

/// The conditions of a call without tables.
///
/// # Errors
/// Always.
pub fn no_conditions<M>(_: &M, _: &str, _: Option<usize>) -> Result<Chosen, ValueError> {
    Err(ValueError::sentence("there are no tables here"))
}

/// The rows that were touched last according to the log, newest first. The function argument maps a
/// touched row to the row that represents it, if it still exists.
pub type RecentRows<'a> = dyn Fn(Recent, &dyn Fn(Row) -> Option<Row>) -> Vec<Row> + 'a;

/// The range of `@recent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recent {
    /// The last `n` distinct living rows.
    Rows(usize),
    /// The living rows of the last `n` ops.
    Ops(usize),
}

/// A selector of a domain's own. `#[fcp_selector]` writes one static each.
pub struct SelectorDef<M: Domain> {
    /// Its name: `range` for `@range:…`.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// The first sentence of its doc comment.
    pub summary: &'static str,
    /// Whether it names rows beyond the default universe: `@cc:volume`.
    pub bears_type: bool,
    /// The description of its values.
    pub spec: fn() -> ValueSpec,
    /// Its place in the source.
    pub source: Source,
    /// Returns the rows that it picks.
    #[allow(clippy::type_complexity)]
    pub pick: for<'m> fn(&'m M, &Arg<'_>, &Scope<'m, M>) -> Result<Pick<'m>, ValueError>,
}

/// A structural warning of a domain's own. `#[fcp_lint]` writes one static each.
pub struct Lint<M: Domain> {
    /// Its code: `stuck`.
    pub code: &'static str,
    /// The first sentence of its doc comment.
    pub summary: &'static str,
    /// Warnings with the greatest weight come first; the default is 0.
    pub weight: i32,
    /// Its place in the source.
    pub source: Source,
    /// Its check of rows or ops.
    pub check: Check<M>,
}

/// The check of a warning.
#[allow(clippy::type_complexity)]
pub enum Check<M> {
    /// Checks each row of a table by itself.
    Row {
        /// The index of the table.
        part: usize,
        /// Returns the fault of a row, if any.
        look: fn(&M, u32) -> Option<String>,
    },
    /// Checks many rows of any table at once, for checks that are slow for single rows. Returns the
    /// faulty rows.
    Rows(fn(&M, &[Row]) -> Vec<(Row, String)>),
    /// Checks the wording of an applied op.
    Op(fn(&M, &ParsedOp<'_>) -> Option<String>),
}

/// The rows of one table, from rows in the order of tables.
pub(crate) fn of_part(rows: &[Row], part: usize) -> &[Row] {
    let start = rows.partition_point(|row| row.part() < part);
    let end = rows.partition_point(|row| row.part() <= part);
    rows.get(start..end).unwrap_or(&[])
}

impl<M: Domain> Lint<M> {
    /// The faults of existing rows, in their order. If the call ends, those found so far.
    #[must_use]
    pub fn find(&self, model: &M, rows: &[Row]) -> Vec<(Row, String)> {
        match self.check {
            Check::Rows(look) => look(model, rows),
            Check::Op(_) => Vec::new(),
            Check::Row { part, look } => {
                let own = of_part(rows, part).iter();
                let own = own.take_while(|_| work::spend(1).is_ok());
                own.filter_map(|row| Some((*row, look(model, row.id())?)))
                    .collect()
            }
        }
    }
}

/// An item registered by a macro, without its model's type.
pub struct Registered {
    /// A `Verb<M>`, `SelectorDef<M>` or `Lint<M>`.
    pub item: &'static (dyn Any + Send + Sync),
    /// Its role.
    pub role: Role,
}

/// The role of a [`Registered`] item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A `Verb<M>` that ops call.
    Verb,
    /// A `Verb<M>` that queries call.
    Query,
    /// A `Verb<M>` that session actions call.
    Action,
    /// A `SelectorDef<M>`.
    Selector,
    /// A `Lint<M>`.
    Lint,
    /// A [`TableDef<M>`](crate::table::TableDef).
    Table,
}

inventory::collect!(Registered);

impl Param {
    /// Returns whether `key` names this parameter.
    #[must_use]
    pub fn answers_to(&self, key: &str) -> bool {
        match self.place {
            Place::Key => self.name == key || self.aliases.contains(&key),
            Place::Word(own) => own == Some(key) || self.aliases.contains(&key),
            Place::Rest | Place::Flag | Place::Fields => false,
        }
    }

    /// Returns whether it is a bare word of free text, such as a title.
    pub(crate) fn is_text(&self) -> bool {
        let spec = (self.spec)();
        let is_word = matches!(self.place, Place::Word(_)) && self.takes == Takes::Value;
        is_word && spec.free && spec.prefixes.is_empty()
    }

    /// Returns whether it is a bare word of free text that `key` names, though it has no key.
    pub(crate) fn is_text_named(&self, key: &str) -> bool {
        self.place == Place::Word(None) && self.name.eq_ignore_ascii_case(key) && self.is_text()
    }

    /// Every key of the parameter, the card's key first.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        let own = match self.place {
            Place::Key => Some(self.name),
            Place::Word(key) => key,
            Place::Rest | Place::Flag | Place::Fields => None,
        };
        let single = self
            .aliases
            .iter()
            .copied()
            .filter(|alias| !paired::is_pair(alias));
        own.into_iter().chain(single)
    }
}

impl<M: Domain> Verb<M> {
    /// Whether it makes something new: `track add`, or `note` for `add note`.
    pub(crate) fn makes(&self) -> bool {
        let makes = |phrase: &&str| {
            let mut words = phrase.split(' ');
            words.any(|word| matches!(word, "add" | "define"))
        };
        std::iter::once(&self.phrase).chain(self.aliases).any(makes)
    }
}
