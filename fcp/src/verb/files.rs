//! The files that an op names.

use std::fmt;
use std::sync::Arc;

use super::{Arg, FromArg, Scope};
use crate::domain::Domain;
use crate::value::{ValueError, ValueSpec};

/// Reads a file by its path as the op writes it.
type Read = dyn Fn(&str) -> Result<Vec<u8>, ValueError> + Send + Sync;

/// The files that ops may read: those below the session's root. Clones share it; the default has
/// none.
#[derive(Clone, Default)]
pub struct Files(Option<Arc<Read>>);

/// A file that an op names, read when the op is bound.
///
/// As a parameter it is `file: FileBytes`. The log keeps what the op made of the bytes, so redo
/// does not read the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBytes {
    path: Box<str>,
    bytes: Vec<u8>,
}

impl Files {
    /// Files read by a function, by their paths. The function rejects paths outside the root and
    /// suggests a similar path for one that does not exist.
    pub fn new(read: impl Fn(&str) -> Result<Vec<u8>, ValueError> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(read)))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file does not exist, is outside the root or too large, or reading is not supported here.
    pub fn read(&self, path: &str) -> Result<FileBytes, ValueError> {
        let Some(read) = &self.0 else {
            return Err(ValueError::sentence("no files are read here"));
        };
        Ok(FileBytes {
            path: path.into(),
            bytes: read(path)?,
        })
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Files").field(&self.0.is_some()).finish()
    }
}

impl FileBytes {
    /// Its path, as the op writes it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<M: Domain> FromArg<M> for FileBytes {
    fn spec() -> ValueSpec {
        ValueSpec::new("FILE", "a file below the root")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        match arg.kind {
            Some(kind) => scope.files.read(&format!("{kind}:{}", arg.text)),
            None => scope.files.read(arg.text),
        }
    }
}
