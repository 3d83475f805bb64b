//! Structured tools: typed functions with JSON in and out, for domains that are not about documents.
//!
//! A [`Toolset`] is the state that such a domain's tools work on. Each tool is a function under
//! [`fcp_tool`], which writes a [`Tool`]: its schemas come from its types, by `schemars`. A
//! [`Toolbox`] is a toolset with all its tools; transports and the command line see it as
//! [`Tools`], without its type.
//!
//! # Calls
//!
//! Arguments arrive as text. They are checked against the schema that clients see, then read into
//! the types, from the text, so that a type may keep the spelling of a number. Arguments that do
//! not fit are rejected, with a correction. A function that takes its toolset as `&mut` runs alone:
//! it waits for the calls before it, and those after it wait. Functions that take it as `&` run in
//! parallel, each on a thread, so that one that waits for a network holds up no other. With
//! [`Toolset::SEQUENTIAL`], every call runs alone.

mod arguments;
mod attribute;
mod cancel;
mod canonical;
mod card;
mod check;
mod codebook;
mod constant;
mod error;
mod example;
mod failure;
mod limit;
mod resource;
mod run;
mod schema;
mod toolbox;

use std::any::Any;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

pub use attribute::fcp_tool;
pub use cancel::Cancel;
pub use canonical::{canonical, canonical_string};
pub use check::Refused;
pub(crate) use check::{Checker, noun};
pub use codebook::codebook;
pub use constant::constants;
pub use error::{Exceeded, ToolError, Trouble};
pub use example::{Expected, Step, alike, steps};
pub use failure::{Code, Failure};
pub use limit::{Most, Over, limits};
pub use resource::{Body, Contents, Resource, Template};
#[doc(hidden)]
pub use run::{Outcome, call, trouble};
#[doc(hidden)]
pub use schema::{input, output};
pub use toolbox::{Toolbox, Tools, reply_limit};
pub(crate) use toolbox::{panic_message, unknown};

use crate::diag::Result;
use crate::endpoint::{Config, Flag};
use crate::verb::{Example, Source};

/// A folder that is large in one respect, for `cargo xtask bench growth`.
#[derive(Clone, Copy, Debug)]
pub struct LargeTools {
    /// The respect: `many files`.
    pub name: &'static str,
    /// Makes the folder, with about this number of things.
    pub make: fn(usize) -> LargeFolder,
}

/// The measured content of a folder, in addition to the examples of the tools.
#[derive(Clone, Debug, Default)]
pub struct LargeFolder {
    /// Files by their paths, in addition to those of [`Toolset::EXAMPLE_FILES`].
    pub files: Vec<(String, Vec<u8>)>,
    /// Calls to time, each list as one unit: the tool, and its arguments as JSON.
    pub calls: Vec<Vec<(&'static str, String)>>,
}

/// The state that a domain's tools work on: its configuration, and the data kept between calls.
///
/// ```
/// use fcp::prelude::*;
/// use fcp::endpoint::Config;
/// use fcp::tool::Toolbox;
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// /// A pile of sheets.
/// pub struct Pile {
///     sheets: Vec<String>,
/// }
///
/// impl Toolset for Pile {
///     const DOMAIN: &'static str = "pile";
///     const TITLE: &'static str = "Piles of paper";
///     const INSTRUCTIONS: &'static str = "Put sheets on the pile with put.";
///
///     fn open(_: &Config) -> Result<Self> {
///         Ok(Self { sheets: Vec::new() })
///     }
/// }
///
/// /// The height of the pile.
/// #[derive(Serialize, JsonSchema)]
/// pub struct Height {
///     /// In sheets.
///     sheets: usize,
/// }
///
/// /// Put a sheet on the pile.
/// ///
/// /// ```json
/// /// {"text": "Dear Ada"}
/// /// > {"sheets": 1}
/// /// ```
/// #[fcp_tool]
/// pub fn put(
///     pile: &mut Pile,
///     /// The text on it.
///     text: String,
/// ) -> Result<Height> {
///     if text.is_empty() {
///         bail!("a sheet says something");
///     }
///     pile.sheets.push(text);
///     Ok(Height { sheets: pile.sheets.len() })
/// }
///
/// # fn main() -> Result<()> {
/// let pile = Toolbox::<Pile>::open(&Config::at("."))?;
/// let reply = pile.call("put", serde_json::json!({ "text": "Dear Ada" })).unwrap();
/// assert_eq!(reply.text, r#"{"sheets":1}"#);
///
/// let refused = pile.call("put", serde_json::json!({ "txt": "Dear Ada" })).unwrap();
/// assert_eq!(
///     refused.value().unwrap()["error"]["message"],
///     r#"put takes no "txt", nearest is "text""#
/// );
/// assert_eq!(refused.value().unwrap()["error"]["try"]["text"], "Dear Ada");
/// # fcp::testing::tool_examples::<Pile>("put");
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a toolset",
    label = "a tool works on a type that implements `Toolset`"
)]
pub trait Toolset: Sized + Send + Sync + 'static {
    /// The short identifier: `assets`.
    const DOMAIN: &'static str;
    /// Its subject, for people: `JSON assets`.
    const TITLE: &'static str;
    /// The first instructions for an agent that does not know the tools yet.
    const INSTRUCTIONS: &'static str;
    /// The program's own flags.
    const FLAGS: &'static [Flag] = &[];
    /// Subcommands of the program that call a tool: the name of each, and of its tool.
    const SHORTCUTS: &'static [(&'static str, &'static str)] = &[];
    /// One call at a time, answered in order of arrival, whether or not functions take the toolset
    /// as `&mut`.
    const SEQUENTIAL: bool = false;
    /// Files of the folder in which examples run, by path: the examples refer to these.
    const EXAMPLE_FILES: &'static [(&'static str, &'static str)] = &[];
    /// Folders and calls that are large in the most expensive respects, for
    /// `cargo xtask bench growth`.
    const LARGE: &'static [LargeTools] = &[];
    /// Every reply is checked against its schema before it is sent. Tests always check.
    const CHECKED: bool = cfg!(debug_assertions);

    /// Creates the toolset from flags and other sources: environment variables, files.
    ///
    /// # Errors
    /// It cannot work with this configuration.
    fn open(config: &Config) -> Result<Self>;

    /// A reply as JSON text, from which the structured content is read. A domain that promises
    /// exact bytes writes them here.
    ///
    /// # Errors
    /// The reply cannot be written as JSON.
    fn text(reply: &impl Serialize) -> serde_json::Result<String> {
        serde_json::to_string(reply)
    }

    /// The reason why a tool is disabled in this toolset: something it needs is missing. Its
    /// description includes the reason, and every call of it, with any arguments,
    /// [fails](Trouble::Disabled) with it.
    fn disabled(&self, _tool: &str) -> Option<String> {
        None
    }

    /// The name under which a tool is listed: its name, or one of its other names. Calls may use
    /// any of them.
    fn listed(&self, name: &'static str, _aliases: &[&'static str]) -> &'static str {
        name
    }

    /// A fault of a reply beyond its schema, given the arguments. It is then sent as an [internal
    /// error](Trouble::Internal).
    fn verify(&self, _tool: &str, _arguments: &str, _reply: &Structured) -> Option<String> {
        None
    }

    /// The way to get a shorter answer from a tool whose answer is over the limit.
    #[must_use]
    fn shorter(_tool: &str) -> &'static str {
        "ask for less"
    }

    /// The parts of a reply that clients see in addition to its structured content, given the
    /// arguments.
    fn present(&self, _tool: &str, _arguments: &str, _reply: &Structured) -> Presented {
        Presented::default()
    }

    /// The kinds of resources that clients may read.
    const TEMPLATES: &'static [Template] = &[];

    /// The existing resources, in a stable order. Those of a [kind](Self::TEMPLATES) are offered
    /// for completion.
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// The content of a resource; `None` if there is none with this address.
    fn read(&self, _uri: &str) -> Option<Contents> {
        None
    }

    /// Runs the program's alternative to serving, if its [flags](Self::FLAGS) request one.
    ///
    /// # Errors
    /// Writing to standard output fails.
    fn instead(_tools: &Toolbox<Self>, _config: &Config) -> io::Result<Option<ExitCode>> {
        Ok(None)
    }

    /// Serves this process's standard input and output until they end.
    ///
    /// `mcp` speaks the protocol on any pair of streams. A domain that also speaks another protocol
    /// reads standard input itself, [calls](Toolbox::call) the tools, and passes the input for
    /// `mcp` on through pipes. Actions for when everything is ready, or for a signal, belong here
    /// too.
    ///
    /// # Errors
    /// Standard input or output fails.
    fn front(_tools: &Arc<Toolbox<Self>>, mcp: &Transport<'_>) -> io::Result<()> {
        mcp(Box::new(io::stdin()), Box::new(io::stdout()))
    }
}

/// The key of `_meta` under which a listed tool gives the reason why it is disabled.
pub const DISABLED: &str = "fcp/disabled";

/// Speaks a protocol on a pair of streams until the input ends.
pub type Transport<'a> =
    dyn Fn(Box<dyn Read + Send>, Box<dyn Write + Send>) -> io::Result<()> + Sync + 'a;

/// A tool. `#[fcp_tool]` writes a static each.
pub struct Tool<S: Toolset> {
    /// Its name in calls.
    pub name: &'static str,
    /// Other names, which are accepted but not listed.
    pub aliases: &'static [&'static str],
    /// The first sentence of its doc comment.
    pub summary: &'static str,
    /// The doc comment without examples.
    pub doc: &'static str,
    /// Hints for clients.
    pub hints: Hints,
    /// Its examples, which run as tests.
    pub examples: &'static [Example],
    /// Its place in the source.
    pub source: Source,
    /// The schema of its arguments.
    pub input: fn() -> Value,
    /// The schema of its replies, errors among them.
    pub output: fn() -> Value,
    /// Makes an error of the tool's own type for a failure outside the function.
    pub trouble: fn(Trouble) -> Structured,
    /// The function.
    pub run: Run<S>,
}

/// The function behind a [`Tool`].
pub enum Run<S: Toolset> {
    /// Runs in parallel with others.
    Shared(fn(&S, &str, &Cancel) -> Structured),
    /// Runs alone.
    Exclusive(fn(&mut S, &str, &Cancel) -> Structured),
}

/// Hints for clients about a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may remove existing things.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It deals with the outside: other machines, other people.
    pub open_world: bool,
}

/// The answer of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structured {
    /// The reply, as JSON.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
}

impl Structured {
    /// The structured content.
    ///
    /// # Errors
    /// A [`Toolset::text`] of the domain's own has written invalid JSON.
    pub fn value(&self) -> serde_json::Result<Value> {
        serde_json::from_str(&self.text)
    }
}

/// The parts of a reply that clients see in addition to its structured content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presented {
    /// The text, if it is not the structured content as JSON.
    pub text: Option<String>,
    /// Links to resources.
    pub links: Vec<Resource>,
}

/// A tool as clients see it.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its name in calls.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Its name for people.
    pub title: String,
    /// The first sentence of the description.
    pub summary: &'static str,
    /// Its description.
    pub description: String,
    /// The reason why it is disabled, if it is.
    pub disabled: Option<String>,
    /// Its hints.
    pub hints: Hints,
    /// Whether it runs alone.
    pub exclusive: bool,
    /// The schema of its arguments.
    pub input: serde_json::Map<String, Value>,
    /// Makes the schema of its replies, which is seldom needed, and large.
    pub(crate) output: fn() -> Value,
    /// Its examples.
    pub examples: &'static [Example],
    /// Its place in the source.
    pub source: Source,
}

impl Described {
    /// The schema of its replies.
    #[must_use]
    pub fn output(&self) -> serde_json::Map<String, Value> {
        object((self.output)())
    }
}

/// A schema, which is an object.
pub(crate) fn object(schema: Value) -> serde_json::Map<String, Value> {
    match schema {
        Value::Object(map) => map,
        _ => serde_json::Map::new(),
    }
}

/// A [subcommand](Toolset::SHORTCUTS) that calls a tool. Its flags are the tool's arguments.
#[derive(Clone, Debug)]
pub struct Shortcut {
    /// The subcommand.
    pub command: &'static str,
    /// The tool.
    pub tool: &'static str,
    /// The first sentence of the tool's description.
    pub about: &'static str,
    /// The schema of the tool's arguments.
    pub input: Value,
}

/// A program of structured tools before it is started.
#[derive(Clone, Copy, Debug)]
pub struct ToolProgram {
    /// The program's own flags.
    pub flags: &'static [Flag],
    /// The subcommands that call a tool.
    pub shortcuts: fn() -> Vec<Shortcut>,
    /// Creates its tools.
    pub make: fn(&Config) -> Result<Arc<dyn Tools>>,
}

/// The program of a toolset, for [`cli::tools`](crate::cli::tools()).
#[must_use]
pub const fn program<S: Toolset>() -> ToolProgram {
    ToolProgram {
        flags: S::FLAGS,
        shortcuts: toolbox::shortcuts::<S>,
        make: |config| Ok(Arc::new(Toolbox::<S>::open(config)?)),
    }
}

/// A tool registered by the macro, without its toolset's type.
#[doc(hidden)]
pub struct RegisteredTool {
    /// A `Tool<S>`.
    pub item: &'static (dyn Any + Send + Sync),
}

inventory::collect!(RegisteredTool);
