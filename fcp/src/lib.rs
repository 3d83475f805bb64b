//! The runtime of FCP: ops, verbs, models and sessions. It knows no domain's nouns.
//!
//! A domain is a model, the values its ops hold, how its files are read and written, and one function per verb. All
//! else is derived from these: parsing, help, errors with repairs, selectors, queries, undo, history, diff, dry run, the
//! MCP server, the command line, and most tests.
//!
//! # What to write when
//!
//! | You want | Write | Begin at |
//! |---|---|---|
//! | content that ops change | a struct of [`Table`](model::Table) and [`Slot`](model::Slot) | [`FcpModel`](derive@FcpModel) |
//! | a kind of row, with fields to set, select and show | a struct | [`FcpEntity`](derive@FcpEntity) |
//! | a value that is one of a few words | an enum | [`FcpValue`](derive@FcpValue) |
//! | any other value | a type with `parse` and `Display` | [`FcpValue`](trait@value::FcpValue) |
//! | a value that cannot be read without the model | a type for that one model | [`FromArg`](verb::FromArg) |
//! | an op | a function from `&mut Model` to a [`Reply`](reply::Reply) | [`fcp_verb`] |
//! | a question | a function from `&Model` to a [`Listing`](reply::Listing) or text | [`fcp_query`] |
//! | a session action: a kind of new, an export | a function | [`fcp_action`] |
//! | a way to pick rows that no field gives | a function from `&Model` to a [`Pick`](verb::Pick) | [`fcp_selector`] |
//! | a warning about a row | a function from a row to an optional text | [`fcp_lint`] |
//! | files, digest, workflow | the trait | [`Domain`](domain::Domain) |
//! | a server and a command line | one line in `main` | [`cli::main`] |
//! | the tests of a domain | a call each | [`testing`] |
//!
//! A verb is written only where the universal ones do not say it well: `add`, `copy`, `modify`, `remove` and `rename`
//! work on every model, and `map`, `stats`, `describe`, `list` and `find` answer for it. A verb or query of a domain
//! takes the place of the runtime's where both have the same phrase.
//!
//! # A domain
//!
//! ```
//! use fcp::endpoint::{Config, Endpoint};
//! use fcp::prelude::*;
//! use fcp::session::Session;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! /// Something to buy.
//! #[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
//! pub struct Item {
//!     /// What it is.
//!     #[fcp(label)]
//!     pub name: Name,
//!     /// How many.
//!     #[fcp(selector = "range", default = Int::clamped(1))]
//!     pub count: Int<1, 99>,
//! }
//!
//! /// A shopping list.
//! #[derive(FcpModel)]
//! #[fcp(domain = "list", title = "Shopping lists")]
//! pub struct Shopping {
//!     /// What to buy.
//!     #[fcp(count = "i")]
//!     pub items: Table<Item>,
//! }
//!
//! impl Domain for Shopping {
//!     const FORMATS: &'static [Format] = &[Format { name: "list", extensions: &["list"], doc: "A line an item" }];
//!     const WORKFLOW: &'static str = "! new\nadd item Milk\n! save as:week.list";
//!
//!     fn read(bytes: &[u8], _: &str) -> Result<Self> {
//!         let mut list = Self::default();
//!         for line in String::from_utf8_lossy(bytes).lines() {
//!             let Some((count, name)) = line.split_once(' ') else { bail!("{line} is no item") };
//!             let (count, name) = (Int::parse(count), Name::parse(name));
//!             let (Ok(count), Ok(name)) = (count, name) else { bail!("{line} is no item") };
//!             list.items.insert(Item { name, count });
//!         }
//!         Ok(list)
//!     }
//!
//!     fn write(&self, _: &str) -> Result<Vec<u8>> {
//!         let line = |item: &Item| format!("{} {}\n", item.count, item.name);
//!         Ok(self.items.iter().map(|(_, item)| line(item)).collect::<String>().into_bytes())
//!     }
//! }
//!
//! /// Buy twice as much.
//! ///
//! /// ```fcp
//! /// # add item Milk
//! /// double Milk
//! /// > * Milk: 2
//! /// ```
//! #[fcp_verb(category = "Items")]
//! pub fn double(
//!     list: &mut Shopping,
//!     /// The item.
//!     #[fcp(positional)]
//!     item: Ref<Item>,
//! ) -> Result<Reply> {
//!     list.items.modify(item.id(), |item| item.count = Int::clamped(item.count.get() * 2));
//!     let item = list.items.need(item.id())?;
//!     Ok(changed!("{}: {}", item.name, item.count))
//! }
//!
//! # fn main() -> Result<()> {
//! let mut session = Session::<Shopping>::new(&Config { root: ".".into() })?;
//! session.act("new");
//! let ops = ["add item Milk", "add item Eggs count:6", "double eggs"].map(String::from);
//! let said = session.run(&ops, None).text;
//! let lines: Vec<&str> = said.lines().collect();
//! assert_eq!(lines[..3], ["+ item Milk count:1", "+ item Eggs count:6", "* Eggs: 12"]);
//! assert!(lines[3].starts_with("[2i refs:0 #"));
//!
//! let refused = session.run(&["double Egs".to_owned()], None).text;
//! assert!(refused.starts_with("! Item \"Egs\" not found\n  try: double Eggs\n"));
//! assert_eq!(session.query("list @count:10-20").text, "#2 item Eggs count:12");
//! assert!(session.act("undo 2").text.starts_with("* undone 2 ops: double, add\n"));
//! # Ok(())
//! # }
//! ```
//!
//! # Where to read on
//!
//! [`op`] is the language, [`verb`] what is known of verbs, [`model`] what remembers its changes, [`event`] the log,
//! [`session`] where they meet. [`endpoint::Endpoint`] is a domain with its types set aside: transports and the command
//! line know nothing else of it.

// Expansions say `::fcp`, in this crate too.
extern crate self as fcp;

pub mod __private;
pub mod card;
pub mod cli;
pub mod diag;
pub mod domain;
pub mod endpoint;
pub mod event;
pub mod mcp;
pub mod model;
pub mod op;
pub mod prelude;
pub mod queries;
pub mod reply;
pub mod script;
pub mod session;
pub mod testing;
pub mod value;
pub mod verb;
pub mod verbs;

/// A struct of journaled containers is a model.
///
/// On the struct: `domain = "midi"` is what the tools are called by, `title = "Standard MIDI Files"` what people read;
/// both must be said. On a field, all optional:
///
/// | Option | Says |
/// |---|---|
/// | `count = "t"` | its rows are counted in the digest: `3t` |
/// | `line = path` | `fn(&Model, Id<T>, &T) -> String` shows its rows in replies and lists |
/// | `universe` | selectors that name no type match only rows of the tables marked so |
/// | `view` | journaled, but no part of the content: cursors, the active page |
/// | `hidden` | content that nobody is shown or can name: it holds other rows together |
///
/// A field of a type that is not [`Journaled`](model::Journaled) is refused, since it would change without an event.
pub use fcp_macros::FcpModel;

/// A struct is a kind of row.
///
/// On the struct, all optional: `kind = "cc"` where the struct's name does not say it, `plural = "entries"` where an s
/// does not make it, `index = Type` for a [`RowIndex`](model::RowIndex) that follows every change, `label = method` for
/// a name that is worked out. On a field:
///
/// | Option | Says |
/// |---|---|
/// | `label` | it names the row |
/// | `parent` | the row it belongs to: `Id<T>` or `Option<Id<T>>` |
/// | `selector` | it gives `@field:VALUE`; `selector = "range"` also spans and bounds |
/// | `key = "in"`, `alias = "…"` | its key in ops, where the field's name is not it; other spellings |
/// | `default = …` | what a new row has where the op says nothing; `Option` needs none |
/// | `readonly` | shown, not set by the universal verbs |
/// | `hidden` | neither shown nor set; part of the content |
/// | `spelling` | neither shown nor set, no part of the content: how a file happened to say it |
/// | `view` | shown and set, no part of the content; with `readonly`, shown only |
///
/// A field of type `Id<T>` or `Option<Id<T>>` is a reference.
pub use fcp_macros::FcpEntity;

/// An enum of words is a value.
///
/// `#[fcp(name = "FIGURE")]` is what stands for it in syntax lines, where the enum's name is not it. On a variant,
/// `word = "dotted"` and `alias = "dot"` say how it is spelled, where its name does not. Case, hyphens, underscores and
/// blanks are set aside when it is read.
pub use fcp_macros::FcpValue;

/// A function that changes the model is a verb: `pub fn name(model: &mut Model, …) -> Result<Reply>`.
///
/// The phrase is the function's name, its underscores blanks: `track_add` is `track add`. The doc comment must begin
/// with a sentence and show an example marked `fcp`, which runs as a test; a line behind `# ` is played and not shown.
///
/// `category = "Notes"` is its heading on the card and must be said. Optional: `name = "time-sig"` where the function's
/// name cannot say the phrase, `alias = "add note"` for another phrase, `deletes` for a verb that takes no name that
/// only begins like a row's.
///
/// A parameter is `name:VALUE` in the op unless it says otherwise:
///
/// | Option | Says |
/// |---|---|
/// | `positional` | a bare word; with `key` or `key = "on"` it may be given under that key as well |
/// | `rest` | all bare words that are left, of type `Vec<T>` |
/// | `flag` | the bare word that is its name, of type `bool` |
/// | `key = "in"`, `alias = "…"` | its key, where the parameter's name is not it; other spellings |
/// | `default = …` | what it is when left out; `Option<T>` and `Vec<T>` need none |
///
/// What it is made of follows from its type: any [`FcpValue`](trait@value::FcpValue), [`Ref`](verb::Ref) for a row,
/// [`Selection`](verb::Selection) and [`Rows`](verb::Rows) for rows by selectors or by name, [`Spanned`](verb::Spanned)
/// for a value that remembers its place in the op.
pub use fcp_macros::fcp_verb;

/// A function that looks at the model is a query: `pub fn name(model: &Model, …) -> Result<Listing>`.
///
/// It is written as a verb is, but needs no `category`, and deletes nothing. It may return a `String` or a `Vec<String>`
/// as well. `limit:` and `from:` belong to every query, and are not its own to take.
pub use fcp_macros::fcp_query;

/// A function is a session action.
///
/// `fn(&mut Model, …) -> Result<Reply>` changes the document and is one undoable step, `fn(&Model, …) ->
/// Result<Vec<u8>>` makes a file of it, `fn(…) -> Result<Model>` makes a document. Parameters are those of a verb.
pub use fcp_macros::fcp_action;

/// A function is a selector: `pub fn name(model: &Model, value: T) -> Result<Pick<'_>, ValueError>`.
///
/// `Pick<'_>` alone will do for one that cannot fail. `alias = "bar"` is another name; `bears_type` says that it names
/// rows beyond the tables marked `universe`.
pub use fcp_macros::fcp_selector;

/// A function is a structural warning: `pub fn code(model: &Model, id: Id<T>, row: &T) -> Option<String>`.
///
/// It is asked about every row when a document is opened, and then about rows that an op touched, those they belong to
/// and those they refer to. `weight = 10` puts it before those of less weight; the default is 0.
pub use fcp_macros::fcp_lint;
