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
    Steps(usize),
    Rows,
    /// The bytes of a value.
    Value(usize),
    Memory,
    /// The length of the statement.
    Length,
}

impl Failure {
    /// One with a message and no place.
    pub fn because(message: impl Into<String>) -> Self {
        Self::Sql {
            message: message.into(),
            offset: None,
        }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error;
        match error {
            Error::SqlInputError { msg, offset, .. } => Self::Sql {
                message: msg,
                offset: usize::try_from(offset).ok(),
            },
            Error::SqliteFailure(failure, _) if failure.code == ErrorCode::OutOfMemory => {
                Self::Limit(Passed::Memory)
            }
            Error::SqliteFailure(_, Some(message)) => Self::because(message),
            Error::MultipleStatement => Self::because("there is more than one statement"),
            Error::UserFunctionError(inner) => Self::because(inner.to_string()),
            error => Self::because(error.to_string()),
        }
    }
}
