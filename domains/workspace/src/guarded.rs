//! `expected_blob`: a mutation holds only for the content that the caller has read.

use crate::failure::{Answer, Failure};
use crate::hash::Blob;

/// A content that a file must have; `None` inside if there must be no file.
pub type Expected = Option<Option<Blob>>;

/// Reads the argument.
pub fn expected(text: Option<&str>) -> Answer<Expected> {
    match text {
        None => Ok(None),
        Some("absent") => Ok(Some(None)),
        Some(text) => text.parse().map(|blob| Some(Some(blob))).map_err(|()| {
            Failure::invalid(
                "/expected_blob",
                format!("{text:?} is not sha256: and 64 hex digits, and not absent"),
            )
        }),
    }
}

/// Holds a file against it.
pub fn check(path: &str, expected: Expected, now: Option<Blob>) -> Answer<()> {
    match expected {
        Some(expected) if expected != now => {
            let found = now.map_or("absent".to_owned(), |blob| blob.to_string());
            let message =
                format!("{path} is {found} now, and not what was expected; read it again");
            Err(Failure::changed(message)
                .with("path", path)
                .with("blob", found))
        }
        _ => Ok(()),
    }
}
