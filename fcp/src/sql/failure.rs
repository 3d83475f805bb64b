//! The reasons why a question has no answer.

use rusqlite::ErrorCode;

use super::watch::Denied;

/// The reason why a question has no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// It is not allowed.
    Denied(Denied),
    /// It exceeds this limit.
    Limit(Passed),
    /// It has a parameter, for which no value is given; its name, if it has one.
    Parameter(Option<String>),
    /// SQLite's message and its place.
    Sql {
        message: String,
        offset: Option<usize>,
    },
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// These steps.
    Steps(u64),
    Rows,
    /// The bytes of a value.
    Value(usize),
    Memory,
    /// The length of the statement.
    Length,
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        match &error {
            rusqlite::Error::SqlInputError { msg, offset, .. } => {
                return Self::Sql {
                    message: msg.clone(),
                    offset: usize::try_from(*offset).ok(),
                };
            }
            rusqlite::Error::SqliteFailure(failure, message) => {
                if failure.code == ErrorCode::OutOfMemory {
                    return Self::Limit(Passed::Memory);
                }
                if let Some(message) = message {
                    return Self::Sql {
                        message: message.clone(),
                        offset: None,
                    };
                }
            }
            rusqlite::Error::MultipleStatement => {
                return Self::Sql {
                    message: "there is more than one statement".to_owned(),
                    offset: None,
                };
            }
            rusqlite::Error::UserFunctionError(inner) => {
                return Self::Sql {
                    message: inner.to_string(),
                    offset: None,
                };
            }
            _ => {}
        }
        Self::Sql {
            message: error.to_string(),
            offset: None,
        }
    }
}
