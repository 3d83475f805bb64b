//! A toolset with its tools, ready for calls.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde_json::{Map, Value};

use super::arguments::{self, Spelled};
use super::{
    Cancel, Checker, Contents, Described, Exceeded, Presented, Refused, RegisteredTool, Resource,
    Run, Shortcut, Structured, Template, Tool, Toolset, Transport, Trouble, card, object, schema,
};
use crate::diag::{Diagnostic, Result, short_name};
use crate::endpoint::{Config, REPLY_LIMIT, WORK_LIMIT};
use crate::work::{self, MILLION};

/// The default limit of a call's steps: about two seconds of work.
const STEPS: u64 = 20 * MILLION;

/// The default limit of an answer, in bytes.
const REPLY: usize = 4 << 20;

/// The longest answer of a call, in bytes. A tool that changes something checks before it does
/// whether its answer can be sent.
#[must_use]
pub fn reply_limit(config: &Config) -> usize {
    let kib = config.flags.number(&REPLY_LIMIT);
    kib.and_then(|kib| usize::try_from(kib).ok())
        .map_or(REPLY, |kib| kib.saturating_mul(1024))
}

/// A toolset with its tools.
pub struct Toolbox<S: Toolset> {
    state: RwLock<S>,
    tools: Vec<Ready<S>>,
    by_name: HashMap<&'static str, usize>,
    checked: bool,
    /// The most steps of a call.
    steps: u64,
    /// The longest answer, in bytes.
    reply: usize,
}

struct Ready<S: Toolset> {
    tool: &'static Tool<S>,
    described: Described,
    /// The checker for calls, made on first use: its tables take memory.
    input: OnceLock<Checker>,
    /// Checkers for replies and for errors, each made on first use.
    output: [OnceLock<Checker>; 2],
}

/// A [`Toolbox`] without its type: the view of transports and the command line.
pub trait Tools: Send + Sync {
    /// The short identifier: `assets`.
    fn domain(&self) -> &'static str;
    /// Its subject, for people.
    fn title(&self) -> &'static str;
    /// The first instructions for an agent.
    fn instructions(&self) -> &'static str;
    /// The [files](Toolset::EXAMPLE_FILES) that examples use.
    fn example_files(&self) -> &'static [(&'static str, &'static str)];
    /// Whether calls run one at a time, answered in order of arrival.
    fn is_sequential(&self) -> bool;
    /// The tools, by name.
    fn list(&self) -> Vec<&Described>;
    /// The tool with this name or other name.
    fn find(&self, name: &str) -> Option<&Described>;
    /// Calls a tool; `None` if there is none of this name. Any arguments get an answer. They are
    /// JSON text, so that numbers keep their spelling.
    fn carry_out(&self, name: &str, arguments: &str, cancel: &Cancel) -> Option<Structured>;
    /// The answer of a tool that was not called.
    fn refuse(&self, name: &str, trouble: Trouble) -> Option<Structured>;
    /// The parts of a reply that clients see in addition to its structured content.
    fn present(&self, name: &str, arguments: &str, reply: &Structured) -> Presented;
    /// The description of all tools, or of one.
    ///
    /// # Errors
    /// There is no such tool.
    fn help(&self, name: Option<&str>) -> Result<String>;
    /// The kinds of resources.
    fn templates(&self) -> &'static [Template];
    /// The resources.
    fn resources(&self) -> Vec<Resource>;
    /// The content of a resource.
    fn read(&self, uri: &str) -> Option<Contents>;
    /// Runs the program's alternative to serving, if its flags request one.
    ///
    /// # Errors
    /// Writing to standard output fails.
    fn instead(&self, config: &Config) -> io::Result<Option<ExitCode>>;
    /// Serves standard input and output; `mcp` speaks the protocol on any streams.
    ///
    /// # Errors
    /// Standard input or output fails.
    fn front(self: Arc<Self>, mcp: &Transport<'_>) -> io::Result<()>;
}

impl<S: Toolset> Toolbox<S> {
    /// Opens the toolset and gathers its tools.
    ///
    /// # Errors
    /// Two tools share a name, a schema is invalid, or the toolset cannot be opened.
    pub fn open(config: &Config) -> Result<Self> {
        let mut tools = Self::of(S::open(config)?, registered().collect())?;
        if let Some(millions) = config.flags.number(&WORK_LIMIT) {
            tools.steps = millions.saturating_mul(MILLION);
        }
        tools.reply = reply_limit(config);
        Ok(tools)
    }

    /// A toolset with these tools, from any source.
    ///
    /// # Errors
    /// Two tools share a name, or a schema is invalid.
    pub fn of(state: S, mut tools: Vec<&'static Tool<S>>) -> Result<Self> {
        tools.sort_by_key(|tool| tool.name);
        let mut by_name = HashMap::new();
        for (at, tool) in tools.iter().enumerate() {
            for name in std::iter::once(&tool.name).chain(tool.aliases) {
                if let Some(other) = by_name.insert(*name, at) {
                    let place =
                        |tool: &Tool<S>| format!("{}:{}", tool.source.file, tool.source.line);
                    return Err(Diagnostic::new(format!(
                        "the tool {name} occurs twice: {} and {}",
                        place(tools[other]),
                        place(tool)
                    )));
                }
            }
        }
        let ready = tools.into_iter();
        let ready = ready.map(|tool| {
            let listed = state.listed(tool.name, tool.aliases);
            Ready::new(tool, listed, state.disabled(tool.name))
        });
        let ready: Result<Vec<Ready<S>>> = ready.collect();
        Ok(Self {
            state: RwLock::new(state),
            tools: ready?,
            by_name,
            checked: S::CHECKED,
            steps: STEPS,
            reply: REPLY,
        })
    }

    /// Makes the toolbox check every reply against its schema.
    #[must_use]
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    /// Calls a tool; `None` if there is none of this name.
    pub fn call(&self, name: &str, arguments: Value) -> Option<Structured> {
        self.carry_out(name, &arguments.to_string(), &Cancel::never())
    }

    /// Runs `look` on the toolset between calls.
    pub fn look<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn ready(&self, name: &str) -> Option<&Ready<S>> {
        self.tools.get(*self.by_name.get(name)?)
    }
}

impl<S: Toolset> Ready<S> {
    fn new(tool: &'static Tool<S>, listed: &'static str, disabled: Option<String>) -> Result<Self> {
        let wrong = |what: String| {
            let (file, line) = (tool.source.file, tool.source.line);
            Diagnostic::new(format!("{file}:{line}: the tool {} {what}", tool.name))
        };
        let (input, output) = ((tool.input)(), (tool.output)());
        let none = Map::new();
        let defs = output["$defs"].as_object().unwrap_or(&none);
        let branches = output["oneOf"].as_array().map_or(&[][..], Vec::as_slice);
        for (branch, what) in branches.iter().zip(["answers with", "fails with"]) {
            if !schema::is_object(branch, defs) {
                return Err(wrong(format!(
                    "{what} a value that is not an object: {branch}"
                )));
            }
        }
        Ok(Self {
            tool,
            described: Described {
                name: listed,
                aliases: tool.aliases,
                title: title(listed),
                summary: tool.summary,
                description: match &disabled {
                    Some(why) => format!("{}\n\nDisabled here: {why}.", tool.doc),
                    None => tool.doc.to_owned(),
                },
                disabled,
                hints: tool.hints,
                exclusive: matches!(tool.run, Run::Exclusive(_)),
                input: object(input),
                output: tool.output,
                examples: tool.examples,
                source: tool.source,
            },
            input: OnceLock::new(),
            output: [OnceLock::new(), OnceLock::new()],
        })
    }

    /// The arguments as the tool's types read them, or their faults.
    fn accepted<'t>(&self, text: &'t str) -> Result<Spelled<'t>, Refused> {
        let spelled = match Spelled::read(text, &self.described.input) {
            Ok(spelled) => spelled,
            Err(problem) => {
                return Err(Refused::with_message(format!(
                    "the call is not JSON: {problem}"
                )));
            }
        };
        let checker = match self.input.get() {
            Some(checker) => checker,
            None => {
                let schema = Value::Object(self.described.input.clone());
                let checker = Checker::new(&schema, "the call").map_err(|problem| {
                    let name = self.tool.name;
                    Refused::with_message(format!("{name} has no sound schema: {problem}"))
                })?;
                self.input.get_or_init(|| checker)
            }
        };
        if checker.takes(spelled.brief()) {
            return Ok(spelled);
        }
        let refused = checker.refuse(self.tool.name, &spelled.whole());
        refused.map_or(Ok(spelled), Err)
    }

    /// The fault of a reply, if any.
    fn broken(&self, reply: &Structured) -> Option<String> {
        let at = usize::from(reply.is_error);
        let checker = match self.output[at].get() {
            Some(checker) => checker,
            None => {
                let mut schema = self.described.output();
                let branch = schema
                    .get("oneOf")
                    .and_then(|branches| branches.get(at))
                    .cloned();
                schema.insert(
                    "oneOf".to_owned(),
                    Value::Array(branch.into_iter().collect()),
                );
                match Checker::new(&Value::Object(schema), "the reply") {
                    Ok(checker) => self.output[at].get_or_init(|| checker),
                    Err(problem) => return Some(problem),
                }
            }
        };
        let value = match reply.value() {
            Ok(value) => value,
            Err(problem) => return Some(format!("{} answered no JSON: {problem}", self.tool.name)),
        };
        let refused = checker.refuse("the reply", &value)?;
        Some(format!(
            "{} answered what its schema does not allow: {refused}",
            self.tool.name
        ))
    }
}

/// The tools of a toolset, in arbitrary order.
fn registered<S: Toolset>() -> impl Iterator<Item = &'static Tool<S>> {
    inventory::iter::<RegisteredTool>
        .into_iter()
        .filter_map(|registered| registered.item.downcast_ref())
}

/// The [subcommands](Toolset::SHORTCUTS) whose tools exist.
pub(super) fn shortcuts<S: Toolset>() -> Vec<Shortcut> {
    let found = S::SHORTCUTS.iter().filter_map(|(command, name)| {
        let tool = registered::<S>().find(|tool| tool.name == *name)?;
        Some(Shortcut {
            command,
            tool: tool.name,
            about: tool.summary,
            input: (tool.input)(),
        })
    });
    found.collect()
}

/// The title of `list_schemas` for people: `List schemas`.
fn title(name: &str) -> String {
    let words = name.replace(['_', '.', '-'], " ");
    let mut chars = words.chars();
    let first: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    first + chars.as_str()
}

impl<S: Toolset> Tools for Toolbox<S> {
    fn domain(&self) -> &'static str {
        S::DOMAIN
    }

    fn title(&self) -> &'static str {
        S::TITLE
    }

    fn instructions(&self) -> &'static str {
        S::INSTRUCTIONS
    }

    fn example_files(&self) -> &'static [(&'static str, &'static str)] {
        S::EXAMPLE_FILES
    }

    fn is_sequential(&self) -> bool {
        S::SEQUENTIAL
    }

    fn list(&self) -> Vec<&Described> {
        self.tools.iter().map(|ready| &ready.described).collect()
    }

    fn find(&self, name: &str) -> Option<&Described> {
        self.ready(name).map(|ready| &ready.described)
    }

    fn carry_out(&self, name: &str, arguments: &str, cancel: &Cancel) -> Option<Structured> {
        let ready = self.ready(name)?;
        if let Some(why) = &ready.described.disabled {
            return Some((ready.tool.trouble)(Trouble::Disabled(why.clone())));
        }
        let inner = arguments::inner(arguments);
        let spelled = match ready.accepted(&inner) {
            Ok(spelled) => spelled,
            Err(refused) => return Some((ready.tool.trouble)(Trouble::Arguments(refused))),
        };
        let run = || match ready.tool.run {
            Run::Shared(run) => {
                let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
                run(&state, spelled.text(), cancel)
            }
            Run::Exclusive(run) => {
                let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
                run(&mut state, spelled.text(), cancel)
            }
        };
        let internal = |what: String| (ready.tool.trouble)(Trouble::Internal(what));
        let caller = cancel.clone();
        let (run, over) = work::within(self.steps, || {
            let run = || catch_unwind(AssertUnwindSafe(run));
            let run = work::wanted(move || caller.is_cancelled(), run);
            (run, work::over())
        });
        let reply = match run {
            Ok(reply) => reply,
            Err(panic) => return Some(internal(panic_message(&*panic))),
        };
        // A change that was made is reported, whatever comes after it.
        let is_report = !reply.is_error && !ready.described.hints.read_only;
        if !is_report {
            if let Some(spent) = over {
                return Some((ready.tool.trouble)(spent.into()));
            }
            if reply.text.len() > self.reply {
                return Some((ready.tool.trouble)(Trouble::Limit(Exceeded::Reply {
                    limit: self.reply,
                    actual: reply.text.len(),
                    shorter: S::shorter(ready.tool.name),
                })));
            }
        }
        let broken = self.checked.then(|| ready.broken(&reply)).flatten();
        let broken = broken
            .or_else(|| self.look(|state| state.verify(ready.tool.name, spelled.text(), &reply)));
        Some(broken.map_or(reply, internal))
    }

    fn refuse(&self, name: &str, trouble: Trouble) -> Option<Structured> {
        Some((self.ready(name)?.tool.trouble)(trouble))
    }

    fn present(&self, name: &str, arguments: &str, reply: &Structured) -> Presented {
        let Some(ready) = self.ready(name) else {
            return Presented::default();
        };
        let arguments = arguments::inner(arguments);
        self.look(|state| state.present(ready.tool.name, &arguments, reply))
    }

    fn help(&self, name: Option<&str>) -> Result<String> {
        let all = self.list();
        let Some(name) = name else {
            return Ok(card::brief(S::TITLE, S::INSTRUCTIONS, &all));
        };
        if name == "all" && self.find(name).is_none() {
            return Ok(card::all(S::TITLE, S::INSTRUCTIONS, &all));
        }
        match self.find(name) {
            Some(tool) => Ok(card::one(tool)),
            None => Err(unknown(self, name)),
        }
    }

    fn templates(&self) -> &'static [Template] {
        S::TEMPLATES
    }

    fn resources(&self) -> Vec<Resource> {
        self.look(S::resources)
    }

    fn read(&self, uri: &str) -> Option<Contents> {
        self.look(|state| state.read(uri))
    }

    fn instead(&self, config: &Config) -> io::Result<Option<ExitCode>> {
        S::instead(self, config)
    }

    fn front(self: Arc<Self>, mcp: &Transport<'_>) -> io::Result<()> {
        S::front(&self, mcp)
    }
}

/// The most tools that an error lists.
const SHOWN: usize = 10;

/// The error of an unknown tool name.
pub(crate) fn unknown(tools: &dyn Tools, name: &str) -> Diagnostic {
    let names: Vec<&str> = tools.list().iter().map(|tool| tool.name).collect();
    let near = crate::value::nearest_word(name, names.iter().copied());
    let near = near.map_or_else(String::new, |near| format!(", nearest is \"{near}\""));
    let mut list = names.get(..SHOWN).unwrap_or(&names).join(", ");
    if let Some(more @ 1..) = names.len().checked_sub(SHOWN) {
        list.push_str(&format!(" … and {more} more"));
    }
    let name = short_name(name);
    Diagnostic::new(format!("unknown tool \"{name}\"{near}; there are {list}"))
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

impl<S: Toolset> fmt::Debug for Toolbox<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.tools.iter().map(|ready| ready.tool.name).collect();
        f.debug_struct("Toolbox")
            .field("tools", &names)
            .finish_non_exhaustive()
    }
}
