//! `expected_blob`: a mutation applies only to the content that the caller has read.

use crate::identity::Blob;
use crate::reply::{Answer, Failure};

/// The content that a file must have; an inner `None` means that there must be no file.
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

/// Checks a place with something other than a file: no expected content fits it.
pub fn check_other(path: &str, expected: Expected, what: &str) -> Answer<()> {
    match expected {
        None => Ok(()),
        Some(None) => Err(Failure::changed(format!(
            "{path} is there, and is {what}; read it again"
        ))
        .with("path", path)),
        Some(Some(_)) => Err(Failure::invalid(
            "/expected_blob",
            format!("{path} is {what}, which has no blob; leave out expected_blob"),
        )),
    }
}

/// Checks the content of a file.
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
