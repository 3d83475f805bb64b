//! The settings that `set` changes: rules of this session. They are not part of a document and not
//! undoable.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::actions::NAMED;
use super::budget::Budget;
use super::echo::{Echo, ReplyOptions};
use super::given_setting::Given;
use super::own_setting::OwnSetting;
use super::query::cut;
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::{Domain, IsFolder, Reading};
use crate::endpoint::Policy;
use crate::op::{Fault, Limits, ParseError, ParsedOp, parse_action, repeated};
use crate::sql::Bounds;
use crate::value::nearest_word;
use crate::work::MILLION;

const MIB: usize = 1024 * 1024;

/// The maximum of `op-limit`, since a request cannot be larger.
const OP_MOST: usize = 64;

/// The default of `reply-limit`, in KiB.
const REPLY: usize = 64;

/// The default limit of a call's steps, in millions: some seconds of work.
const WORK: usize = 20;

/// The default limit of the rows by which ops may enlarge a document: far more than edits need, and
/// few enough for every query and save to take a second or two.
const ROWS: usize = 500_000;

/// The maximum of the other limits, in MiB or KiB.
pub(super) const MOST: usize = 65_536;

/// The settings of a session.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The policy of a batch with a failing op; if `None`, the transport's or the domain's default.
    pub batch: Option<Policy>,
    /// The grouping of reported successes.
    pub echo: Echo,
    /// Codes of warnings that are not shown after ops.
    pub quiet: Vec<String>,
    /// The longest op, in MiB.
    pub op_limit: usize,
    /// The memory that a document's log may hold, in MiB.
    pub log_limit: usize,
    /// The largest file that can be read, in MiB.
    file_limit: usize,
    /// `file_limit`, shared with documents.
    shared: FileLimit,
    /// The size limit of a call's answer, in KiB.
    reply_limit: usize,
    /// The limits of an SQL statement.
    pub sql: Bounds,
    /// The steps that a call may take, in millions.
    work_limit: usize,
    /// The rows by which ops may enlarge a document.
    pub row_limit: usize,
    /// The checkpoint that the table `changes` counts from.
    pub since: Option<String>,
    /// The domain's settings.
    own: Vec<OwnSetting>,
}

/// The settings as cards show them.
pub(crate) const SETTINGS: &[(&str, &str)] = &[
    (
        "batch",
        "atomic|isolate|stop: how a call with a failing op ends",
    ),
    (
        "echo",
        "full|runs: a line for each op done, or one for those of a verb and target (full)",
    ),
    (
        "warn",
        "-CODE hides a warning after ops, +CODE shows it again",
    ),
    ("op-limit", "the longest op, in MiB of up to 4096 words (1)"),
    ("log-limit", "the memory that undo may hold, in MiB (256)"),
    (
        "file-limit",
        "the largest file that is opened or that an op reads, in MiB",
    ),
    (
        "reply-limit",
        "the most that a call answers, pictures included, in KiB (64)",
    ),
    (
        "sql-steps",
        "the steps of a statement of SQL, in millions (40)",
    ),
    (
        "sql-rows",
        "the rows that a statement of SQL answers (200000)",
    ),
    ("sql-value", "the longest value that SQL makes, in KiB (64)"),
    ("sql-memory", "the memory that SQL takes, in MiB (512)"),
    ("work-limit", "the steps of a call, in millions (20)"),
    (
        "row-limit",
        "the rows by which ops may enlarge a document (500000)",
    ),
    (
        "since",
        "the checkpoint that table changes counts from (open)",
    ),
];

/// Whether a key is that of a setting.
pub(super) fn is_setting<M: Domain>(key: &str) -> bool {
    let mut all = SETTINGS.iter().chain(M::SETTINGS);
    all.any(|(own, _)| *own == key)
}

/// The size limit of files that ops read. Documents hold it for life and see later settings.
#[derive(Clone, Debug)]
pub(super) struct FileLimit(Arc<AtomicUsize>);

impl FileLimit {
    /// The limit in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed).saturating_mul(MIB) as u64
    }
}

impl Settings {
    pub fn new(file_limit: u64, quiet: &[&str], own: Vec<OwnSetting>) -> Self {
        let file_limit = usize::try_from(file_limit)
            .unwrap_or(usize::MAX)
            .div_ceil(MIB);
        Self {
            batch: None,
            echo: Echo::Full,
            quiet: quiet.iter().map(|code| (*code).to_owned()).collect(),
            op_limit: 1,
            log_limit: 256,
            file_limit,
            reply_limit: REPLY,
            sql: Bounds::default(),
            work_limit: WORK,
            row_limit: ROWS,
            since: None,
            shared: FileLimit(Arc::new(AtomicUsize::new(file_limit))),
            own,
        }
    }

    /// Applies the domain's settings to a document.
    pub fn adjust<M: Domain>(&self, model: &mut M) {
        for own in &self.own {
            model.apply_setting(own.key, own.value.as_deref());
        }
    }

    /// The limits of an op.
    pub fn limits(&self) -> Limits {
        Limits {
            bytes: self.op_limit * MIB,
            words: self.op_limit * Limits::default().words,
        }
    }

    /// The size limit of a call's answer.
    pub const fn budget(&self) -> Budget {
        Budget::new(self.reply_limit.saturating_mul(1024))
    }

    /// The steps that a call may take.
    pub const fn steps(&self) -> u64 {
        self.work_limit as u64 * MILLION
    }

    /// The reporting of a call's ops.
    pub const fn reply_options(&self) -> ReplyOptions {
        ReplyOptions {
            echo: self.echo,
            budget: self.budget(),
        }
    }

    /// The memory limit of a log, in bytes.
    pub const fn log_bytes(&self) -> usize {
        self.log_limit.saturating_mul(MIB)
    }

    /// The size limit of a file, in bytes.
    pub const fn file_bytes(&self) -> u64 {
        self.file_limit.saturating_mul(MIB) as u64
    }

    /// The size limit of a file, as a shared handle that sees later settings.
    pub fn file_limit(&self) -> FileLimit {
        self.shared.clone()
    }

    /// The limits and settings for readers of files.
    pub fn reading(&self) -> Reading {
        let value_of = |own: &OwnSetting| Some((own.key, own.value.clone()?));
        Reading::new(self.file_bytes(), self.own.iter().filter_map(value_of))
    }

    /// Settings that differ from the default, as `key:value`: the echo, hidden warnings, and the
    /// domain's settings.
    pub fn changed(&self) -> Vec<String> {
        let echo = (self.echo != Echo::Full).then(|| format!("echo:{}", self.echo.word()));
        let warn = (!self.quiet.is_empty()).then(|| format!("warn:{}", self.hidden()));
        let shown = |own: &OwnSetting| Some(format!("{}:{}", own.key, own.value.as_deref()?));
        let own = self.own.iter().filter_map(shown);
        echo.into_iter().chain(warn).chain(own).collect()
    }

    /// The codes of the hidden warnings, as a value of `warn`.
    fn hidden(&self) -> String {
        let codes = self.quiet.iter().map(|code| format!("-{code}"));
        codes.collect::<Vec<_>>().join(",")
    }

    /// Every setting as `key:value`.
    pub fn lines(&self) -> Vec<String> {
        let warn = match self.quiet.as_slice() {
            [] => "all".to_owned(),
            _ => self.hidden(),
        };
        let batch = self.batch.map_or("default", Policy::word);
        let value = |key: &str| match key {
            "batch" => batch.to_owned(),
            "echo" => self.echo.word().to_owned(),
            "warn" => warn.clone(),
            "op-limit" => self.op_limit.to_string(),
            "log-limit" => self.log_limit.to_string(),
            "file-limit" => self.file_limit.to_string(),
            "reply-limit" => self.reply_limit.to_string(),
            "sql-steps" => self.sql.steps.to_string(),
            "sql-rows" => self.sql.rows.to_string(),
            "sql-value" => self.sql.value.to_string(),
            "sql-memory" => self.sql.memory.to_string(),
            "work-limit" => self.work_limit.to_string(),
            "row-limit" => self.row_limit.to_string(),
            _ => self.since.clone().unwrap_or_else(|| "open".to_owned()),
        };
        SETTINGS
            .iter()
            .map(|(key, doc)| format!("{key}:{}  {doc}", value(key)))
            .chain(self.own.iter().map(|own| {
                let value = own.value.as_deref().unwrap_or(own.usual);
                format!("{}:{value}  {}", own.key, own.doc)
            }))
            .collect()
    }

    /// Applies an action `set KEY:VALUE…` entirely or not at all. The repair of an error has been
    /// tried.
    pub fn set(
        &mut self,
        action: &ParsedOp<'_>,
        (codes, checkpoints): (&[&'static str], &[String]),
        is_folder: IsFolder<'_>,
    ) -> Result<String> {
        let done = self.change(action, (codes, checkpoints), is_folder);
        // Not in `change`, since that also runs to try repairs.
        self.shared.0.store(self.file_limit, Ordering::Relaxed);
        done.map_err(|mut error| {
            let mut syntax = Repair::Syntax("set [KEY:VALUE…]".to_owned());
            for _ in 0..=action.words.len() {
                let Repair::Try(next) = &error.repair else {
                    break;
                };
                let next = next.clone();
                let tried = parse_action(&next)
                    .map(|next| self.clone().change(&next, (codes, checkpoints), is_folder));
                match tried {
                    Ok(Ok(_)) => {
                        syntax = Repair::Try(next);
                        break;
                    }
                    Ok(Err(more)) => error.repair = more.repair,
                    Err(_) => break,
                }
            }
            error.repair = syntax;
            error
        })
    }

    fn change(
        &mut self,
        action: &ParsedOp<'_>,
        (codes, checkpoints): (&[&'static str], &[String]),
        is_folder: IsFolder<'_>,
    ) -> Result<String> {
        let mut next = self.clone();
        let mut changes: Vec<String> = Vec::new();
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for param in action.params() {
            let mut earlier = seen.iter().filter(|(key, _)| *param.key == **key);
            if *param.key != *"warn"
                && let Some((key, first)) = earlier.next()
            {
                let again = repeated(action.raw, *first, param.span);
                return Err(Diagnostic::new(format!("{key}: is given twice"))
                    .maybe_try(again.map(|word| word.replace(action.raw, ""))));
            }
            let given = Given {
                action: action.raw,
                param,
            };
            let usual = Bounds::default();
            match &*param.key {
                "batch" if param.value.eq_ignore_ascii_case("default") => next.batch = None,
                "batch" => {
                    next.batch = Some(given.word(["atomic", "isolate", "stop"], Policy::of)?);
                }
                "echo" => next.echo = given.word(Echo::ALL.map(Echo::word), Echo::of)?,
                "warn" => next
                    .warn(&param.value, codes)
                    .map_err(|error| match error.1 {
                        Some(near) => given.wrong(error.0, &near),
                        None => Diagnostic::new(error.0),
                    })?,
                "op-limit" => next.op_limit = given.number(" of MiB", OP_MOST, 1)?,
                "log-limit" => next.log_limit = given.number(" of MiB", MOST, 256)?,
                "file-limit" => next.file_limit = given.number(" of MiB", MOST, 256)?,
                "reply-limit" => next.reply_limit = given.number(" of KiB", MOST, REPLY)?,
                "sql-steps" => {
                    next.sql.steps = given.number(" of millions", 100_000, usual.steps)?;
                }
                "sql-rows" => next.sql.rows = given.number("", 10_000_000, usual.rows)?,
                "sql-value" => next.sql.value = given.number(" of KiB", 65_536, usual.value)?,
                "sql-memory" => next.sql.memory = given.number(" of MiB", MOST, usual.memory)?,
                "work-limit" => next.work_limit = given.number(" of millions", 100_000, WORK)?,
                "row-limit" => next.row_limit = given.number("", 100_000_000, ROWS)?,
                "since" => next.since = given.checkpoint(checkpoints)?,
                key if next.own.iter().any(|own| own.key == key) => {
                    for own in next.own.iter_mut().filter(|own| own.key == key) {
                        own.value = given.own_value(own, is_folder)?;
                    }
                }
                _ => return Err(self.unknown(&given)),
            }
            seen.push((&*param.key, param.span));
            changes.push(format!("{}:{}", param.key, cut(&param.value, NAMED)));
        }
        *self = next;
        Ok(changes.join(" "))
    }

    /// The error of a setting that does not exist.
    fn unknown(&self, given: &Given<'_>) -> Diagnostic {
        let key = &*given.param.key;
        let own = self.own.iter().map(|own| own.key);
        let known: Vec<&str> = SETTINGS.iter().map(|(key, _)| *key).chain(own).collect();
        match nearest_word(key, known.iter().copied()) {
            Some(near) => Diagnostic::new(format!("no setting {key}:"))
                .or_try(given.param.key_span.replace(given.action, near)),
            None => Diagnostic::new(format!("no setting {key}:; there are {}", known.join(", ")))
                .or_try("set"),
        }
    }

    /// The warnings whose codes are not hidden, as reply lines.
    pub fn shown(&self, found: Vec<(&'static str, String)>) -> Vec<String> {
        let shown = found
            .into_iter()
            .filter(|(code, _)| !self.quiet.iter().any(|quiet| quiet == code));
        shown
            .map(|(_, message)| format!("? {}", crate::reply::one_line(&message)))
            .collect()
    }

    /// The new warnings as lines of a reply: at most five, then the number of others.
    pub fn page_warnings(&self, found: Vec<(&'static str, String)>) -> Vec<String> {
        let mut lines = self.shown(found);
        let more = lines.len().saturating_sub(5);
        if more > 0 {
            lines.truncate(5);
            lines.push(format!("? … {more} more (query \"warnings\")"));
        }
        lines
    }

    fn warn(
        &mut self,
        value: &str,
        codes: &[&'static str],
    ) -> Result<(), (String, Option<String>)> {
        let items: Vec<&str> = value.split(',').collect();
        for (ix, item) in items.iter().enumerate() {
            let (hide, code) = match item.strip_prefix('-') {
                Some(code) => (true, code),
                None => (false, item.strip_prefix('+').unwrap_or(item)),
            };
            if !hide && code == "all" {
                self.quiet.clear();
                continue;
            }
            if !codes.contains(&code) {
                let sign = if hide { "-" } else { "+" };
                let list = nearest_word(code, codes.iter().copied()).map(|near| {
                    let near = format!("{sign}{near}");
                    let mut items = items.clone();
                    items[ix] = &near;
                    items.join(",")
                });
                let known = match codes {
                    [] => "there are none".to_owned(),
                    codes => format!("there are {}", codes.join(", ")),
                };
                return Err((format!("no warning {code}; {known}"), list));
            }
            self.quiet.retain(|quiet| quiet != code);
            if hide {
                self.quiet.push(code.to_owned());
            }
        }
        Ok(())
    }
}

/// The error of a text that is malformed or too long; if too long, with the setting that raises the
/// limit. `sign` names the session tool if the call went to another one.
pub(super) fn refused(error: ParseError, sign: &str) -> Diagnostic {
    let wanted = match error.fault {
        Fault::TooLong => error.raw.len().div_ceil(MIB),
        Fault::TooManyWords => {
            let words = error.raw.split_ascii_whitespace().count();
            words.div_ceil(Limits::default().words)
        }
        _ => return error.into(),
    };
    // Whitespace inside quotes does not separate words, so a lower limit may do; both limits grow
    // together.
    let wanted = wanted.max(error.raw.len().div_ceil(MIB));
    let diagnostic = Diagnostic::new(format!("{} (set op-limit:MIB moves it)", error.error));
    if wanted <= OP_MOST {
        diagnostic.or_try(format!("{sign}set op-limit:{wanted}"))
    } else {
        diagnostic
    }
}
