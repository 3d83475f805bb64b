//! Contents to be written, in memory or in the store.

use std::borrow::Cow;

use crate::identity::Blob;
use crate::reply::Answer;
use crate::session::Workspace;

/// A content to be written.
pub enum Content {
    /// Its bytes.
    Here(Vec<u8>),
    /// It is in the store, and read when it is written.
    Stored(Blob),
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Here(bytes)
    }
}

impl From<Blob> for Content {
    fn from(blob: Blob) -> Self {
        Self::Stored(blob)
    }
}

impl Content {
    /// Its bytes.
    pub fn read(&self, workspace: &Workspace) -> Answer<Cow<'_, [u8]>> {
        match self {
            Self::Here(bytes) => Ok(bytes.into()),
            Self::Stored(blob) => Ok(workspace.store.content(blob)?.into()),
        }
    }

    /// Its hash.
    pub fn blob(&self) -> Blob {
        match self {
            Self::Here(bytes) => Blob::of(bytes),
            Self::Stored(blob) => *blob,
        }
    }
}
