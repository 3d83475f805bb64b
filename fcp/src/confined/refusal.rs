//! The reasons why a file cannot be read or written.

use std::fmt;
use std::io;

use rustix::io::Errno;

/// The reason why a file cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of reason.
    pub kind: Kind,
    /// The reason, in a sentence.
    pub message: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The file does not exist.
    Missing,
    /// The path cannot name the requested kind of file.
    Invalid,
    /// The path is closed, or the system denies access.
    Denied,
    /// Another process wrote meanwhile.
    Changed,
    /// A limit is exceeded.
    TooLarge {
        /// The limit.
        limit: u64,
        /// The size.
        actual: u64,
    },
    /// The system reported an error.
    Failed,
}

impl Refusal {
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { kind, message }
    }

    pub(super) fn denied(message: impl Into<String>) -> Self {
        Self::new(Kind::Denied, message)
    }

    pub(super) fn changed(message: impl Into<String>) -> Self {
        Self::new(Kind::Changed, message)
    }

    /// The error of an operation on a path that the system rejected.
    #[must_use]
    pub fn disk(path: &str, doing: &str, problem: &io::Error) -> Self {
        let shown = if path.is_empty() { "." } else { path };
        match problem.kind() {
            io::ErrorKind::NotFound => Self::new(Kind::Missing, format!("there is no {shown}")),
            io::ErrorKind::PermissionDenied => {
                Self::denied(format!("the system does not allow {doing} {shown}"))
            }
            io::ErrorKind::ReadOnlyFilesystem => {
                Self::denied(format!("{shown} is on a read-only file system"))
            }
            io::ErrorKind::NotADirectory => {
                let message = format!("{shown}: a part of the path is not a directory");
                Self::new(Kind::Invalid, message)
            }
            _ => match problem.raw_os_error().map(Errno::from_raw_os_error) {
                Some(Errno::LOOP | Errno::XDEV) => Self::denied(format!(
                    "{shown} became a link while it was used; ask again"
                )),
                Some(Errno::NAMETOOLONG) => Self::new(
                    Kind::Invalid,
                    format!("a path of {} bytes is too long for the system", path.len()),
                ),
                _ => Self::new(Kind::Failed, format!("{doing} {shown} failed: {problem}")),
            },
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
