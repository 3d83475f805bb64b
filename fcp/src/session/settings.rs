//! What `set` sets: the rules of this session, no part of any document and no undo step.

use crate::diag::{Diagnostic, Result};
use crate::endpoint::Policy;
use crate::op::{Limits, ParsedOp};
use crate::value::nearest_word;

const MIB: usize = 1024 * 1024;

/// The settings of a session.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// How a batch with a failing op ends; the transport's or the domain's default if none.
    pub batch: Option<Policy>,
    /// Codes of warnings that are not shown after ops.
    pub quiet: Vec<String>,
    /// The longest op, in MiB.
    pub op_limit: usize,
    /// The memory that a document's log may hold, in MiB.
    pub log_limit: usize,
    /// The largest file that is opened, in MiB.
    pub file_limit: usize,
}

/// A setting as cards show it.
pub(crate) const SETTINGS: &[(&str, &str)] = &[
    (
        "batch",
        "atomic|isolate|stop: how a call with a failing op ends",
    ),
    (
        "warn",
        "-CODE hides a warning after ops, +CODE shows it again",
    ),
    ("op-limit", "the longest op, in MiB (1)"),
    ("log-limit", "the memory that undo may hold, in MiB (256)"),
    ("file-limit", "the largest file that is opened, in MiB"),
];

impl Settings {
    pub fn new(file_limit: u64) -> Self {
        let file_limit = usize::try_from(file_limit).unwrap_or(usize::MAX) / MIB;
        Self {
            batch: None,
            quiet: Vec::new(),
            op_limit: 1,
            log_limit: 256,
            file_limit,
        }
    }

    /// What an op may hold.
    pub fn limits(&self) -> Limits {
        Limits {
            bytes: self.op_limit * MIB,
            ..Limits::default()
        }
    }

    /// The memory of a log, in bytes.
    pub const fn log_bytes(&self) -> usize {
        self.log_limit.saturating_mul(MIB)
    }

    /// The largest file, in bytes.
    pub const fn file_bytes(&self) -> u64 {
        self.file_limit.saturating_mul(MIB) as u64
    }

    /// Every setting as `key:value`.
    pub fn lines(&self) -> Vec<String> {
        let warn = match self.quiet.as_slice() {
            [] => "all".to_owned(),
            codes => codes
                .iter()
                .map(|code| format!("-{code}"))
                .collect::<Vec<_>>()
                .join(","),
        };
        let batch = self.batch.map_or("default", policy_word);
        let values = [
            batch.to_owned(),
            warn,
            self.op_limit.to_string(),
            self.log_limit.to_string(),
            self.file_limit.to_string(),
        ];
        SETTINGS
            .iter()
            .zip(values)
            .map(|((key, doc), value)| format!("{key}:{value}  {doc}"))
            .collect()
    }

    /// Sets what an action `set KEY:VALUE…` says: all of it, or nothing.
    pub fn set(&mut self, action: &ParsedOp<'_>, codes: &[&'static str]) -> Result<String> {
        let mut next = self.clone();
        let mut said = Vec::new();
        for param in action.params() {
            let value: &str = &param.value;
            let fix = |with: &str| param.value_span.replace(action.raw, with);
            match &*param.key {
                "batch" => {
                    next.batch = Some(policy(value).ok_or_else(|| {
                        let near =
                            nearest_word(value, ["atomic", "isolate", "stop"]).unwrap_or("atomic");
                        Diagnostic::new(format!(
                            "batch:{value} is not one of atomic, isolate, stop"
                        ))
                        .or_try(fix(near))
                    })?);
                }
                "warn" => next.warn(value, codes).map_err(|error| match error.1 {
                    Some(near) => Diagnostic::new(error.0).or_try(fix(&near)),
                    None => Diagnostic::new(error.0),
                })?,
                "op-limit" => next.op_limit = number(value, 64).map_err(|e| e.or_try(fix("1")))?,
                "log-limit" => {
                    next.log_limit = number(value, 65_536).map_err(|e| e.or_try(fix("256")))?;
                }
                "file-limit" => {
                    next.file_limit = number(value, 65_536).map_err(|e| e.or_try(fix("256")))?;
                }
                key => {
                    let known = SETTINGS.iter().map(|(key, _)| *key);
                    let error = Diagnostic::new(format!("no setting {key}:"));
                    return Err(match nearest_word(key, known.clone()) {
                        Some(near) => error.or_try(param.key_span.replace(action.raw, near)),
                        None => {
                            let known = known.collect::<Vec<_>>().join(", ");
                            Diagnostic::new(format!("no setting {key}:; there are {known}"))
                                .or_try("set")
                        }
                    });
                }
            }
            said.push(format!("{}:{value}", param.key));
        }
        *self = next;
        Ok(said.join(" "))
    }

    /// The warnings whose codes are not hidden.
    pub fn shown(&self, found: Vec<(&'static str, String)>) -> Vec<String> {
        let shown = found
            .into_iter()
            .filter(|(code, _)| !self.quiet.iter().any(|quiet| quiet == code));
        shown
            .map(|(_, message)| format!("? {}", crate::reply::one_line(&message)))
            .collect()
    }

    /// The new warnings as lines of a reply: at most five, then how many more.
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
        for item in value.split(',') {
            let (hide, code) = match item.strip_prefix('-') {
                Some(code) => (true, code),
                None => (false, item.strip_prefix('+').unwrap_or(item)),
            };
            if !codes.contains(&code) {
                let near = nearest_word(code, codes.iter().copied());
                let sign = if hide { "-" } else { "+" };
                return Err((
                    format!("no warning {code}"),
                    near.map(|near| format!("{sign}{near}")),
                ));
            }
            self.quiet.retain(|quiet| quiet != code);
            if hide {
                self.quiet.push(code.to_owned());
            }
        }
        Ok(())
    }
}

fn number(value: &str, most: usize) -> Result<usize> {
    let n = value
        .parse::<usize>()
        .ok()
        .filter(|n| (1..=most).contains(n));
    n.ok_or_else(|| Diagnostic::new(format!("{value} is not a number of MiB from 1 to {most}")))
}

/// The policy of this name.
pub(super) fn policy(word: &str) -> Option<Policy> {
    match word.to_ascii_lowercase().as_str() {
        "atomic" => Some(Policy::Atomic),
        "isolate" => Some(Policy::Isolate),
        "stop" => Some(Policy::Stop),
        _ => None,
    }
}

/// The name of a policy.
pub(super) const fn policy_word(policy: Policy) -> &'static str {
    match policy {
        Policy::Atomic => "atomic",
        Policy::Isolate => "isolate",
        Policy::Stop => "stop",
    }
}
