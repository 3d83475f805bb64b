//! A domain's server for transports and the command line: text in, text out, without the model
//! type.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The policy for a batch with a failing op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// The whole call is taken back; one reply shows every error.
    #[default]
    Atomic,
    /// Failed ops change nothing; the others stay.
    Isolate,
    /// The first failure ends the call; the ops before it stay.
    Stop,
}

impl Policy {
    /// Its name, as `batch` and `set batch:` take it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Isolate => "isolate",
            Self::Stop => "stop",
        }
    }

    /// The policy with a name, in any case.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        let all = [Self::Atomic, Self::Isolate, Self::Stop];
        all.into_iter()
            .find(|policy| word.eq_ignore_ascii_case(policy.word()))
    }
}

/// The answer of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The lines the agent reads.
    pub text: String,
    /// Nothing was applied or answered, because of errors.
    pub is_error: bool,
    /// The results after the text: images and other binary data.
    pub blocks: Vec<Block>,
}

/// The format of an answer in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// Cells separated by ` | `, and a count of rows.
    #[default]
    Table,
    /// Comma-separated values.
    Csv,
    /// An array of objects.
    Json,
}

/// A result that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A picture.
    Image {
        /// Such as `image/png`.
        mime: &'static str,
        /// The encoded picture.
        bytes: Vec<u8>,
    },
    /// A sound.
    Audio {
        /// Such as `audio/wav`.
        mime: &'static str,
        /// The encoded sound.
        bytes: Vec<u8>,
    },
}

/// A command-line flag of a domain's program, besides the common ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its name, without the dashes: `fonts`.
    pub name: &'static str,
    /// The value it takes.
    pub takes: FlagValue,
    /// Its effect, in a sentence.
    pub doc: &'static str,
}

impl Flag {
    /// A flag without a value.
    #[must_use]
    pub const fn switch(name: &'static str, doc: &'static str) -> Self {
        let takes = FlagValue::None;
        Self { name, takes, doc }
    }

    /// A flag with one text. `names` has its name in the help.
    #[must_use]
    pub const fn text(
        name: &'static str,
        names: &'static [&'static str],
        doc: &'static str,
    ) -> Self {
        let more = false;
        let takes = FlagValue::Text { names, more };
        Self { name, takes, doc }
    }
}

/// The value that a [`Flag`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// No value.
    None,
    /// An existing folder. The flag may be repeated.
    Folder,
    /// A number of seconds, 1…3600.
    Seconds,
    /// Texts, or names of files that need not exist.
    Text {
        /// The name of each in the help: `FILE`.
        names: &'static [&'static str],
        /// More may follow.
        more: bool,
    },
}

/// The roots after the first one.
pub const MORE_ROOTS: Flag = Flag {
    name: "root",
    takes: FlagValue::Folder,
    doc: "Another folder to serve.",
};

/// The most steps of a call of structured tools.
pub const WORK_LIMIT: Flag = Flag::text(
    "work-limit",
    &["MILLIONS"],
    "The most steps of a call, in millions.",
);

/// The longest answer of structured tools.
pub const REPLY_LIMIT: Flag = Flag::text(
    "reply-limit",
    &["KIB"],
    "The longest answer of a call, in KiB.",
);

/// A toolset that lists this flag is served over HTTP if the flag is given, by the feature `http`.
#[cfg(feature = "http")]
pub const HTTP: Flag = Flag::text(
    "http",
    &["ADDR"],
    "Serve HTTP on this address, such as 127.0.0.1:8000, and not standard input and output.",
);

/// The hosts that requests over [HTTP] may be for.
#[cfg(feature = "http")]
pub const HTTP_HOST: Flag = Flag {
    name: "http-host",
    takes: FlagValue::Text {
        names: &["HOST"],
        more: true,
    },
    doc: "Names of this server besides localhost, 127.0.0.1 and ::1; requests for others are refused.",
};

/// The flags that a program was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags(BTreeMap<&'static str, Vec<OsString>>);

impl Flags {
    /// Adds a flag, or another value of one.
    #[must_use]
    pub fn with(mut self, flag: &Flag, value: Option<OsString>) -> Self {
        self.0.entry(flag.name).or_default().extend(value);
        self
    }

    /// Whether a flag was given.
    #[must_use]
    pub fn has(&self, flag: &Flag) -> bool {
        self.0.contains_key(flag.name)
    }

    /// The folders that were given with a flag, in order.
    pub fn folders(&self, flag: &Flag) -> impl Iterator<Item = &Path> {
        self.0.get(flag.name).into_iter().flatten().map(Path::new)
    }

    /// The texts that were given with a flag, in order.
    pub fn texts(&self, flag: &Flag) -> impl Iterator<Item = &OsStr> {
        let given = self.0.get(flag.name).into_iter().flatten();
        given.map(OsString::as_os_str)
    }

    /// The index of the word that was given with a flag: 0 if none was.
    ///
    /// # Errors
    /// Another word was given.
    pub fn choice(&self, flag: &Flag, words: &[&str]) -> crate::diag::Result<usize> {
        let Some(given) = self.texts(flag).last() else {
            return Ok(0);
        };
        let found = words.iter().position(|word| given == OsStr::new(word));
        found.ok_or_else(|| {
            let message = format!("--{} takes {}", flag.name, words.join(" or "));
            crate::diag::Diagnostic::new(message)
        })
    }

    /// The number that was given with a flag.
    #[must_use]
    pub fn number(&self, flag: &Flag) -> Option<u64> {
        self.0.get(flag.name)?.last()?.to_str()?.parse().ok()
    }

    /// The number of seconds that was given with a flag.
    #[must_use]
    pub fn time(&self, flag: &Flag) -> Option<Duration> {
        self.number(flag).map(Duration::from_secs)
    }
}

/// The configuration that a server is started with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder that every path stays inside.
    pub root: PathBuf,
    /// The domain's own flags.
    pub flags: Flags,
}

impl Config {
    /// All roots, the first one first.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        let more = self.flags.folders(&MORE_ROOTS);
        std::iter::once(&*self.root).chain(more)
    }

    /// A server on a folder, without flags.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            flags: Flags::default(),
        }
    }
}

/// A domain's program before there is a session, without its types.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its own flags.
    pub flags: &'static [Flag],
    /// Makes its endpoint.
    pub make: fn(&Config) -> crate::diag::Result<Box<dyn Endpoint>>,
}

/// One connection's view of a domain: its documents, settings and vocabulary.
///
/// Calls are applied in the order they are made. No call panics, whatever its text.
pub trait Endpoint: Send {
    /// The short identifier that the tool names contain: `midi`.
    fn domain(&self) -> &'static str;
    /// The name of the files that the domain edits, for people: `Standard MIDI Files`.
    fn title(&self) -> &'static str;
    /// The tables that SQL reads, within `room` bytes: the end of the description of the query
    /// tool.
    fn tables_card(&self, _room: usize) -> String {
        String::new()
    }
    /// The compact card, at most 2,048 bytes: the description of the mutation tool.
    fn card(&self) -> String;
    /// A batch of ops. `policy` is the transport's default; the call and the session may set
    /// another.
    fn run(&mut self, ops: &[String], policy: Option<Policy>) -> Answer;
    /// A query. Changes nothing.
    fn query(&mut self, query: &str) -> Answer;
    /// A session action.
    fn act(&mut self, action: &str) -> Answer;
    /// The full card, or one topic of it.
    fn help(&mut self, topic: Option<&str>) -> Answer;
    /// The machine-readable vocabulary (`schema_map`) and content (`content_map`).
    fn codebook(&self) -> serde_json::Value;
    /// JSON Schema of the model.
    fn schema(&self) -> serde_json::Value;
    /// The open document as text: the answer of query `map`, and the digest.
    fn document(&self) -> String;
    /// Compares the file that a save would write with the file that was opened; `None` if none was.
    ///
    /// # Errors
    /// The document cannot be written.
    fn account(&mut self) -> crate::diag::Result<Option<crate::account::Account>> {
        Ok(None)
    }

    /// Answers SQL about a file, as a table, CSV or JSON.
    fn sql(&mut self, _path: &str, _statement: &str, _format: Spelling) -> Answer {
        Answer {
            text: "! there are no tables here".to_owned(),
            is_error: true,
            ..Answer::default()
        }
    }
    /// Opens a file and reports what it holds and whether a save would leave it unharmed.
    fn check(&mut self, path: &str) -> Answer;
}
