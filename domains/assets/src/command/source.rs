//! Files named on the command line.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::json::{Fault, Json, read};
use crate::library::FILE_BYTES;

/// Meaning of a path on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// `-`
    Input,
    /// A file or a folder.
    Path(PathBuf),
    /// An empty path.
    None,
}

/// Reason why a file cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// It cannot be read.
    Io(String),
    /// It is not JSON.
    Parse {
        what: String,
        line: usize,
        column: usize,
    },
}

impl Source {
    /// The meaning of a path, relative to a folder.
    pub(super) fn of(root: &Path, path: &OsStr) -> Self {
        match path.to_str() {
            Some("-") => Self::Input,
            Some("") => Self::None,
            _ => Self::Path(root.join(path)),
        }
    }

    /// The whole text of the source.
    pub(super) fn text(&self) -> Result<String, Problem> {
        let read = match self {
            Self::Input => limited(io::stdin()),
            Self::None => Err(io::Error::other("the path is empty")),
            Self::Path(path) if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Self::Path(path) => File::open(path).and_then(limited),
        };
        let bytes = read.map_err(|problem| Problem::Io(problem.to_string()))?;
        String::from_utf8(bytes).map_err(|problem| {
            let at = problem.utf8_error().valid_up_to();
            let (before, _) = problem.as_bytes().split_at(at);
            let before = String::from_utf8_lossy(before);
            let what = "the text is not UTF-8";
            Problem::parse(Fault { what, at }, &before)
        })
    }
}

/// A whole stream, unless it is longer than a file may be.
fn limited(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_BYTES {
        let limit = FILE_BYTES >> 20;
        return Err(io::Error::other(format!("it is larger than {limit} MiB")));
    }
    Ok(bytes)
}

impl Problem {
    /// Parses a text as JSON.
    pub(super) fn json(text: &str) -> Result<Json<'_>, Self> {
        read(text).map_err(|fault| Self::parse(fault, text))
    }

    fn parse(fault: Fault, text: &str) -> Self {
        let (line, column) = fault.place(text);
        Self::Parse {
            what: fault.what.to_owned(),
            line,
            column,
        }
    }

    /// The problem as a line of JSON.
    pub(super) fn line(&self) -> String {
        let quoted = |text: &str| Json::String(text.into()).to_string();
        match self {
            Self::Io(what) => {
                let what = quoted(what);
                format!(r#"{{"ok":false,"reason":"io_error","detail":{what}}}"#)
            }
            Self::Parse { what, line, column } => {
                let what = quoted(&format!("line {line}, column {column}: {what}"));
                format!(
                    r#"{{"ok":false,"reason":"parse_error","detail":{what},"line":{line},"column":{column}}}"#
                )
            }
        }
    }
}
