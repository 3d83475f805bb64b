//! File errors, in words that reveal no path the caller did not name.

use std::{fmt, io};

use crate::diag::Diagnostic;
use crate::session::settings::MOST;
use crate::value::{ValueError, is_typo};
use crate::work::Spent;

/// A result of this module.
pub type Result<T, E = FileError> = std::result::Result<T, E>;

/// The reason why a file was not read or written. Becomes a [`Diagnostic`] by `?`.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The path is the empty string.
    NoPath,
    /// No file can have this path.
    BadPath {
        /// As the caller wrote it.
        path: String,
        /// Its fault: `holds a NUL character`.
        why: &'static str,
    },
    /// It leads out of the root.
    LeavesRoot {
        /// As the caller wrote it.
        path: String,
        /// Whether a symbolic link leads out.
        link: bool,
    },
    /// There is no such file.
    NotFound {
        /// As the caller wrote it.
        path: String,
        /// Paths of existing files with similar names, best first, at most three.
        nearest: Vec<String>,
    },
    /// The folder to write into is missing, or is a file.
    NoFolder {
        /// As the caller wrote it.
        path: String,
        /// The part of it that is not a folder.
        folder: String,
    },
    /// The folder does not exist.
    MissingFolder {
        /// As the caller wrote it.
        path: String,
        /// An existing folder with a similar name.
        nearest: Option<String>,
    },
    /// A folder instead of a file.
    IsFolder {
        /// As the caller wrote it.
        path: String,
    },
    /// A pipe, socket or device.
    Special {
        /// As the caller wrote it.
        path: String,
    },
    /// Larger than the caller's limit.
    TooLarge {
        /// As the caller wrote it.
        path: String,
        /// Its size in bytes, as far as known.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Its content has changed since it was last read or written.
    Changed {
        /// As the caller wrote it.
        path: String,
    },
    /// It was removed since it was last read or written.
    Vanished {
        /// As the caller wrote it.
        path: String,
    },
    /// Another file already exists there.
    Exists {
        /// As the caller wrote it.
        path: String,
    },
    /// Its permissions forbid writing.
    ReadOnly {
        /// As the caller wrote it.
        path: String,
    },
    /// The system reported an error.
    Io {
        /// As the caller wrote it.
        path: String,
        /// The failed operation: `read`, `written`.
        done: &'static str,
        /// Why.
        error: io::Error,
    },
    /// The call has no steps left for it.
    Spent(Spent),
}

impl From<Spent> for FileError {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl FileError {
    pub(super) fn io(path: &str, done: &'static str, error: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            done,
            error,
        }
    }
}

impl FileError {
    /// Whether the system forbids any way to write the file.
    pub(in crate::session) fn is_closed(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(self, Self::Io { error, .. } if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem))
    }
}

/// A path in quotes, on one line, of limited length.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 200;
        match self.0.char_indices().nth(MOST) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}…", self.0.get(..end).unwrap_or("")),
        }
    }
}

/// Bytes, in the largest unit that keeps the figure at 1 or more.
struct Size(u64);

impl fmt::Display for Size {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..0x400 => return write!(f, "{} bytes", self.0),
            0x400..0x10_0000 => (0x400, "KiB"),
            0x10_0000..0x4000_0000 => (0x10_0000, "MiB"),
            _ => (0x4000_0000, "GiB"),
        };
        if self.0.is_multiple_of(unit) {
            write!(f, "{} {name}", self.0 / unit)
        } else {
            write!(f, "{:.1} {name}", self.0 as f64 / unit as f64)
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPath => write!(f, "the path is empty"),
            Self::Spent(spent) => spent.fmt(f),
            Self::BadPath { path, why } => write!(f, "path {} {why}", Quoted(path)),
            Self::LeavesRoot { path, link: false } => {
                write!(f, "path leaves the root: {}", Quoted(path))
            }
            Self::LeavesRoot { path, link: true } => {
                write!(f, "path leaves the root through a link: {}", Quoted(path))
            }
            Self::NotFound { path, .. } => write!(f, "file {} not found", Quoted(path)),
            Self::NoFolder { path, folder } => {
                write!(
                    f,
                    "no folder {} to write {} into",
                    Quoted(folder),
                    Quoted(path)
                )
            }
            Self::MissingFolder { path, .. } => write!(f, "folder {} not found", Quoted(path)),
            Self::IsFolder { path } => write!(f, "{} is a folder", Quoted(path)),
            Self::Special { path } => write!(
                f,
                "{} is a pipe, socket or device, not a file",
                Quoted(path)
            ),
            Self::TooLarge { path, size, limit }
                if Size(*size).to_string() == Size(*limit).to_string() =>
            {
                write!(
                    f,
                    "{} has {size} bytes, over the limit of {limit}",
                    Quoted(path)
                )
            }
            Self::TooLarge { path, size, limit } => {
                write!(
                    f,
                    "{} has {}, over the limit of {}",
                    Quoted(path),
                    Size(*size),
                    Size(*limit)
                )
            }
            Self::Changed { path } => {
                let path = Quoted(path);
                write!(
                    f,
                    "{path} changed on disk since it was opened; force overwrites it"
                )
            }
            Self::Vanished { path } => write!(
                f,
                "{} was removed from disk since it was opened",
                Quoted(path)
            ),
            Self::Exists { path } => {
                write!(f, "{} exists already; force overwrites it", Quoted(path))
            }
            Self::ReadOnly { path } => {
                write!(f, "{} is read-only; force overwrites it", Quoted(path))
            }
            Self::Io { path, done, error } => {
                write!(f, "{} cannot be {done}: {}", Quoted(path), reason(error))
            }
        }
    }
}

/// The system's message without its error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => text.to_owned(),
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// The setting that admits a file of this size, if possible.
fn moved_by(size: u64) -> Option<String> {
    let wanted = usize::try_from(size.div_ceil(1024 * 1024)).ok()?;
    (wanted <= MOST).then(|| format!("set file-limit:{wanted}"))
}

impl FileError {
    /// The error; if a limit was exceeded, with the setting that raises it.
    fn message(&self) -> String {
        match self {
            Self::TooLarge { .. } => format!("{self} (set file-limit:MIB moves it)"),
            _ => self.to_string(),
        }
    }
}

impl From<FileError> for ValueError {
    fn from(error: FileError) -> Self {
        let value_error = Self::sentence(error.message());
        match error {
            FileError::NotFound { path, nearest } => {
                value_error.maybe_fix(nearest.into_iter().find(|near| is_typo(&path, near)))
            }
            FileError::MissingFolder { nearest, .. } => value_error.maybe_fix(nearest),
            FileError::TooLarge { size, .. } => match moved_by(size) {
                Some(setting) => value_error.first(format!("! {setting}")),
                None => value_error,
            },
            _ => value_error,
        }
    }
}

impl From<FileError> for Diagnostic {
    fn from(error: FileError) -> Self {
        let diagnostic = Self::new(error.message());
        match error {
            FileError::Vanished { .. } => diagnostic.or_try("save force"),
            FileError::TooLarge { size, .. } => match moved_by(size) {
                Some(setting) => diagnostic.or_try(setting),
                None => diagnostic,
            },
            _ => diagnostic,
        }
    }
}
