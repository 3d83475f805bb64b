//! Failures of tools.

use fcp::prelude::*;
use fcp::tool::Trouble;
use fcp::work::Spent;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::{
    BackendError, Cancelled, False, InternalError, NotFound, Unsupported, ValidationFailed,
};
use crate::json::{self, Json};

/// The result of a tool.
pub type Answer<T> = std::result::Result<T, Failure>;

/// Why a tool does not do what it was asked for. An invalid asset is not a failure but an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Failure {
    /// The arguments are not what the tool takes.
    Arguments(Arguments),
    /// There is nothing of this name.
    NotFound {
        /// It failed.
        ok: False,
        /// Why.
        reason: NotFound,
        /// The probable intent.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// This server does not do it.
    Unsupported {
        /// It failed.
        ok: False,
        /// Why.
        reason: Unsupported,
        /// The unsupported part.
        detail: String,
    },
    /// The backend did not take the asset, or cannot be reached.
    Backend {
        /// It failed.
        ok: False,
        /// Why.
        reason: BackendError,
        /// The status of HTTP; 503 if there was none.
        status: u16,
        /// The backend's answer.
        detail: String,
    },
    /// The call was taken back before it began.
    Cancelled {
        /// It failed.
        ok: False,
        /// Why.
        reason: Cancelled,
    },
    /// A mistake of this program.
    Internal {
        /// It failed.
        ok: False,
        /// Why.
        reason: InternalError,
        /// The problem.
        detail: String,
    },
}

/// Arguments that a tool does not take.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Arguments {
    /// It failed.
    ok: False,
    /// Why.
    reason: ValidationFailed,
    /// The problems, sorted by path.
    #[schemars(length(min = 1))]
    errors: Vec<ArgumentFault>,
}

/// Something wrong with an argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ArgumentFault {
    /// Place, as a JSON pointer into the arguments.
    path: String,
    /// The problem. Unlike problems of assets, it begins with the argument's name.
    #[schemars(regex(pattern = "^arguments?[ :]"))]
    msg: String,
}

impl Failure {
    /// An invalid argument. `what` follows its name: `: no schema named "x"`, ` is required`.
    #[must_use]
    pub fn argument(path: &str, what: &str) -> Self {
        Self::arguments(vec![ArgumentFault::new(path, what)])
    }

    fn arguments(errors: Vec<ArgumentFault>) -> Self {
        Self::Arguments(Arguments {
            ok: False,
            reason: ValidationFailed,
            errors,
        })
    }

    /// Nothing has this name; `near` is a similar name.
    #[must_use]
    pub fn missing(near: Option<String>) -> Self {
        Self::NotFound {
            ok: False,
            reason: NotFound,
            detail: near.map(|near| format!("did you mean {}?", Json::String(near.into()))),
        }
    }

    /// This server does not support it.
    pub fn unsupported(detail: impl Into<String>) -> Self {
        Self::Unsupported {
            ok: False,
            reason: Unsupported,
            detail: detail.into(),
        }
    }

    /// The backend answered with an error.
    pub fn backend(status: u16, detail: impl Into<String>) -> Self {
        Self::Backend {
            ok: False,
            reason: BackendError,
            status,
            detail: detail.into(),
        }
    }
}

impl ArgumentFault {
    /// A fault of the argument that the path starts with.
    fn new(path: &str, what: &str) -> Self {
        let name = path.split('/').nth(1).unwrap_or_default();
        Self {
            path: path.to_owned(),
            msg: format!("argument {name}{what}"),
        }
    }

    /// A fault found by the input schema: `"detail" is a string, not a boolean`.
    fn refused(path: &str, message: &str) -> Self {
        let Some(inside) = path.strip_prefix('/') else {
            return Self {
                path: String::new(),
                msg: format!("arguments: {message}"),
            };
        };
        let own = message
            .strip_prefix('"')
            .and_then(|rest| rest.strip_prefix(inside));
        match own.and_then(|rest| rest.strip_prefix('"')) {
            Some(" is missing") if !inside.contains('/') => Self::new(path, " is required"),
            Some(what) if !inside.contains('/') => Self::new(path, what),
            _ => Self::new(path, &format!(": {message}")),
        }
    }
}

impl ToolError for Failure {
    fn of(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Arguments(refused) => {
                let faults = refused.faults.iter();
                let faults =
                    faults.map(|fault| ArgumentFault::refused(&fault.path, &fault.message));
                let mut errors: Vec<ArgumentFault> = faults.collect();
                errors.sort();
                Self::arguments(errors)
            }
            Trouble::Disabled(why) => Self::unsupported(why),
            Trouble::Cancelled => Self::Cancelled {
                ok: False,
                reason: Cancelled,
            },
            Trouble::Limit(exceeded) => {
                Self::arguments(vec![ArgumentFault::refused("", &exceeded.to_string())])
            }
            Trouble::Internal(detail) => Self::Internal {
                ok: False,
                reason: InternalError,
                detail,
            },
        }
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Self {
        Self::of(spent.into())
    }
}

/// This program wrote a value that it cannot read.
impl From<serde_json::Error> for Failure {
    fn from(problem: serde_json::Error) -> Self {
        Self::of(Trouble::Internal(problem.to_string()))
    }
}

/// Arguments that only other parsers take as JSON: values too deep, or half of a surrogate pair.
impl From<json::Fault> for Failure {
    fn from(fault: json::Fault) -> Self {
        Self::arguments(vec![ArgumentFault::refused("", fault.what)])
    }
}
