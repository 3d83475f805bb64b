//! The runtime of FCP: ops, verbs, models and sessions. It is independent of any domain.
//!
//! A domain consists of a model, the values in its ops, the reading and writing of its files, and
//! one function per verb. All else is derived from these: parsing, help, errors with repairs,
//! selectors, queries, undo, history, diff, dry run, the MCP server, the command line, and most
//! tests.
//!
//! # Parts of a domain
//!
//! | You want | Write | Start at |
//! |---|---|---|
//! | the content | a struct of [`Table`](model::Table)s and [`Slot`](model::Slot)s | [`FcpModel`](derive@FcpModel) |
//! | a kind of row, with fields to set, select and show | a struct | [`FcpEntity`](derive@FcpEntity) |
//! | a value that is one of a few words | an enum | [`FcpValue`](derive@FcpValue) |
//! | any other value | a type with `parse` and `Display` | [`FcpValue`](trait@value::FcpValue) |
//! | a value that depends on the model | a type for that one model | [`FromArg`](verb::FromArg) |
//! | an op | a function from `&mut Model` to a [`Reply`](reply::Reply) | [`fcp_verb`] |
//! | a question | a function from `&Model` to a [`Listing`](reply::Listing) or text | [`fcp_query`] |
//! | a session action: a kind of new, an export | a function | [`fcp_action`] |
//! | a selector that no field gives | a function from `&Model` to a [`Pick`](verb::Pick) | [`fcp_selector`] |
//! | a warning about a row | a function from a row to an optional text | [`fcp_lint`] |
//! | typed tools with JSON in and out, instead of documents | a struct and functions | [`fcp_tool`], [`tool`] |
//! | files, digest, workflow | the trait | [`Domain`](domain::Domain) |
//! | a server and a command line | one line in `main` | [`cli::main`] |
//! | the tests of a domain | one call each | [`testing`] |
//!
//! Write a verb only if the universal ones do not suffice: `add`, `copy`, `modify`, `remove` and
//! `rename` work on every model, and `map`, `stats`, `describe`, `list` and `find` describe it. A
//! verb or query of a domain replaces the runtime's of the same phrase.
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
//!     /// Its name.
//!     #[fcp(label)]
//!     pub name: Name,
//!     /// The number of pieces.
//!     #[fcp(selector = "range", default = Int::clamped(1))]
//!     pub count: Int<1, 99>,
//! }
//!
//! /// A shopping list.
//! #[derive(FcpModel)]
//! #[fcp(domain = "list", title = "Shopping lists")]
//! pub struct Shopping {
//!     /// The items to buy.
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
//!     fn write(&self, _: &str, out: &mut Pieces) -> Result<()> {
//!         for (id, item) in self.items.iter() {
//!             out.row(id, format!("{} {}\n", item.count, item.name));
//!         }
//!         Ok(())
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
//! let mut session = Session::<Shopping>::new(&Config::at("."))?;
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
//! # Further reading
//!
//! [`op`] is the language, [`verb`] the verbs, [`model`] the content that records its changes,
//! [`event`] the log; [`session`] combines them. [`endpoint::Endpoint`] is a domain without its
//! types: transports and the command line know nothing else of it.

// Expansions use the path `::fcp`, in this crate too.
extern crate self as fcp;

pub mod __private;
pub mod account;
pub mod card;
pub mod child;
pub mod cli;
#[cfg(all(unix, feature = "confined"))]
pub mod confined;
pub mod diag;
pub mod domain;
pub mod endpoint;
pub mod event;
pub mod format;
pub mod lines;
mod macros;
pub mod mcp;
mod memory;
pub mod model;
pub mod op;
mod pattern;
pub mod prelude;
pub mod queries;
pub mod reply;
pub mod script;
pub mod session;
pub mod signals;
mod sql;
pub mod table;
pub mod testing;
pub mod threads;
pub mod tool;
pub mod value;
pub mod verb;
pub mod verbs;
pub mod work;
pub mod worker;

pub use macros::{
    FcpEntity, FcpModel, FcpParams, FcpRow, FcpValue, fcp_action, fcp_lint, fcp_query,
    fcp_selector, fcp_table, fcp_verb,
};
pub use tool::fcp_tool;
