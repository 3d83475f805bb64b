//! Structured tools: typed functions with JSON in and out, for domains that are not about documents.
//!
//! A [`Toolset`] is what such a domain's tools work on. Each tool is a function under [`fcp_tool`], which
//! writes a [`Tool`]: its schemas come from its types, by `schemars`. A [`Toolbox`] is a toolset with all its tools;
//! transports and the command line see it as [`Tools`], its type set aside.
//!
//! # How calls go
//!
//! Arguments come as text. They are checked against the schema that clients see, then read into the types, from the
//! text, so that a type may keep how a number is spelled. What does not fit is refused, with what would. A function that takes its toolset as `&mut` is alone while it runs: it waits for the calls before
//! it, and those behind wait for it. Functions that take it as `&` run side by side, each on a thread, so that one
//! that waits for a network holds up no other. Where [`Toolset::SEQUENTIAL`] says so, every call is alone.

mod arguments;
mod attribute;
mod cancel;
mod card;
mod check;
mod codebook;
mod constant;
mod error;
mod example;
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
pub use check::Refused;
pub(crate) use check::{Checker, noun};
pub use codebook::codebook;
pub use constant::constants;
pub use error::{ToolError, Trouble};
pub use example::{Expected, Step, alike, steps};
pub use resource::{Body, Contents, Resource, Template};
#[doc(hidden)]
pub use run::{Outcome, call, trouble};
#[doc(hidden)]
pub use schema::{input, output};
pub use toolbox::{Toolbox, Tools};
pub(crate) use toolbox::{said, unknown};

use crate::diag::Result;
use crate::endpoint::{Config, Flag};
use crate::verb::{Example, Source};

/// A folder that is large in one way, for `cargo xtask bench growth`.
#[derive(Clone, Copy, Debug)]
pub struct LargeTools {
    /// In which way: `many files`.
    pub name: &'static str,
    /// The folder, of about so many things.
    pub make: fn(usize) -> LargeFolder,
}

/// What is measured in a folder, besides the examples of the tools.
#[derive(Clone, Debug, Default)]
pub struct LargeFolder {
    /// Files by their paths, beside those of [`Toolset::EXAMPLE_FILES`].
    pub files: Vec<(String, Vec<u8>)>,
    /// Calls that are timed, each list as one: the tool, and its arguments as JSON.
    pub calls: Vec<Vec<(&'static str, String)>>,
}

/// What a domain's tools work on: what it was started with, and what it keeps from call to call.
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
/// /// How high the pile is.
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
///     /// What is written on it.
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
    message = "`{Self}` is no toolset",
    label = "a tool works on a type that implements `Toolset`"
)]
pub trait Toolset: Sized + Send + Sync + 'static {
    /// The short identifier: `assets`.
    const DOMAIN: &'static str;
    /// What it is about, for people: `JSON assets`.
    const TITLE: &'static str;
    /// What an agent is told before it knows the tools: where to begin.
    const INSTRUCTIONS: &'static str;
    /// The flags that its program has beside those of all.
    const FLAGS: &'static [Flag] = &[];
    /// Subcommands of its program that call a tool: the name of each, and the tool's.
    const SHORTCUTS: &'static [(&'static str, &'static str)] = &[];
    /// One call at a time, answered in the order they came, however its functions take the toolset.
    const SEQUENTIAL: bool = false;
    /// Files of the folder that examples are played in, by path: what examples show is true of these.
    const EXAMPLE_FILES: &'static [(&'static str, &'static str)] = &[];
    /// Folders and calls that are large in the ways that cost most, for `cargo xtask bench growth`.
    const LARGE: &'static [LargeTools] = &[];
    /// Every reply is held against the schema it was promised by before it goes out. Tests do so in any case.
    const CHECKED: bool = cfg!(debug_assertions);

    /// Makes the toolset, from flags and whatever else it looks at: variables of the environment, files.
    ///
    /// # Errors
    /// It cannot work like this.
    fn open(config: &Config) -> Result<Self>;

    /// A reply as JSON text, from which the structured content is read. A domain whose bytes are promised writes them here.
    ///
    /// # Errors
    /// The reply cannot be written as JSON.
    fn text(reply: &impl Serialize) -> serde_json::Result<String> {
        serde_json::to_string(reply)
    }

    /// Why a tool does nothing, as this toolset was opened: what it needs is not there. Its description says so, and every
    /// call of it, whatever the arguments are, [fails](Trouble::Disabled) with it.
    fn disabled(&self, _tool: &str) -> Option<String> {
        None
    }

    /// The name that a tool is listed by: its name, or one of its other names. All of them are answered.
    fn listed(&self, name: &'static str, _aliases: &[&'static str]) -> &'static str {
        name
    }

    /// What is wrong with a reply besides what its schema says, seen the arguments. It then goes out as an
    /// [internal error](Trouble::Internal).
    fn verify(&self, _tool: &str, _arguments: &str, _reply: &Structured) -> Option<String> {
        None
    }

    /// What clients see of a reply besides its structured content.
    fn present(&self, _tool: &str, _reply: &Structured) -> Presented {
        Presented::default()
    }

    /// The kinds of resources that clients may read.
    const TEMPLATES: &'static [Template] = &[];

    /// The resources there are, in an order that stays. Those of a [kind](Self::TEMPLATES) are offered for completion.
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// What a resource says; nothing where there is none of this address.
    fn read(&self, _uri: &str) -> Option<Contents> {
        None
    }

    /// What the program does instead of serving, where its [flags](Self::FLAGS) ask for that.
    ///
    /// # Errors
    /// Standard output fails.
    fn instead(_tools: &Toolbox<Self>, _config: &Config) -> io::Result<Option<ExitCode>> {
        Ok(None)
    }

    /// Serves this process's standard input and output to their end.
    ///
    /// `mcp` speaks the protocol on any pair of streams. A domain that speaks something else besides reads standard input
    /// itself, [calls](Toolbox::call) the tools, and hands what is for `mcp` on through pipes. What is to happen when all
    /// is ready, or at a signal, has its place here too.
    ///
    /// # Errors
    /// Standard input or output fails.
    fn front(_tools: &Arc<Toolbox<Self>>, mcp: &Transport<'_>) -> io::Result<()> {
        mcp(Box::new(io::stdin()), Box::new(io::stdout()))
    }
}

/// The key of `_meta` under which a listed tool says why it does nothing here.
pub const DISABLED: &str = "fcp/disabled";

/// Speaks a protocol on a pair of streams until the input ends.
pub type Transport<'a> =
    dyn Fn(Box<dyn Read + Send>, Box<dyn Write + Send>) -> io::Result<()> + Sync + 'a;

/// A tool. `#[fcp_tool]` writes a static each.
pub struct Tool<S: Toolset> {
    /// What calls name it by.
    pub name: &'static str,
    /// Other names, which are answered and not listed.
    pub aliases: &'static [&'static str],
    /// The first sentence of its doc comment.
    pub summary: &'static str,
    /// The doc comment, examples left out.
    pub doc: &'static str,
    /// What clients may expect of it.
    pub hints: Hints,
    /// Its examples, which run as tests.
    pub examples: &'static [Example],
    /// Where it is written.
    pub source: Source,
    /// The schema of its arguments.
    pub input: fn() -> Value,
    /// The schema of its replies, errors among them.
    pub output: fn() -> Value,
    /// An error of its own type for what goes wrong around it.
    pub trouble: fn(Trouble) -> Structured,
    /// The function.
    pub run: Run<S>,
}

/// The function behind a [`Tool`].
pub enum Run<S: Toolset> {
    /// Runs beside others.
    Shared(fn(&S, &str, &Cancel) -> Structured),
    /// Is alone while it runs.
    Exclusive(fn(&mut S, &str, &Cancel) -> Structured),
}

/// What clients may expect of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may take away what was there.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It deals with what lies outside: other machines, other people.
    pub open_world: bool,
}

/// What a tool answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structured {
    /// The reply, as JSON.
    pub text: String,
    /// It is an error.
    pub is_error: bool,
}

impl Structured {
    /// The structured content.
    ///
    /// # Errors
    /// A [`Toolset::text`] of the domain's own has written what is no JSON.
    pub fn value(&self) -> serde_json::Result<Value> {
        serde_json::from_str(&self.text)
    }
}

/// What clients see of a reply besides its structured content.
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
    /// What calls name it by.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What people call it.
    pub title: String,
    /// The first sentence of the description.
    pub summary: &'static str,
    /// What it does.
    pub description: String,
    /// Why it does nothing here, if it does not.
    pub disabled: Option<String>,
    /// What may be expected of it.
    pub hints: Hints,
    /// It is alone while it runs.
    pub exclusive: bool,
    /// The schema of its arguments.
    pub input: serde_json::Map<String, Value>,
    /// The schema of its replies.
    pub output: serde_json::Map<String, Value>,
    /// Its examples.
    pub examples: &'static [Example],
    /// Where it is written.
    pub source: Source,
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
    /// The flags of its own.
    pub flags: &'static [Flag],
    /// The subcommands that call a tool.
    pub shortcuts: fn() -> Vec<Shortcut>,
    /// Makes its tools.
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

/// What the macro registers, the toolset's type set aside.
#[doc(hidden)]
pub struct RegisteredTool {
    /// A `Tool<S>`.
    pub item: &'static (dyn Any + Send + Sync),
}

inventory::collect!(RegisteredTool);
