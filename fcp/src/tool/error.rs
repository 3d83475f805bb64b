//! Errors of tools.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Refused;
use crate::diag::{Diagnostic, Repair};
use crate::endpoint::{REPLY_LIMIT, WORK_LIMIT};
use crate::work::{MILLION, Spent};

/// The error type of a tool: an object, whose schema is next to that of the reply.
///
/// [`Diagnostic`] is one: `{"error": {"message": …, "try": …}}`. A domain whose errors are part of
/// its interface has its own type.
///
/// ```
/// use fcp::tool::{ToolError, Trouble};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// /// Why a book is not to be had.
/// #[derive(Serialize, JsonSchema)]
/// #[serde(tag = "reason", rename_all = "snake_case")]
/// pub enum NoBook {
///     /// There is none of this title.
///     NotFound,
///     /// The call itself is wrong.
///     Invalid {
///         /// The problem.
///         detail: String,
///     },
/// }
///
/// impl ToolError for NoBook {
///     fn of(trouble: Trouble) -> Self {
///         Self::Invalid { detail: trouble.to_string() }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool error",
    label = "a tool fails with a `Diagnostic`, or with a type that implements `ToolError`",
    note = "derive `Serialize` and `JsonSchema` for it, and write `impl ToolError`"
)]
pub trait ToolError: Serialize + JsonSchema {
    /// The error for a failure before the function is called, or in place of its answer.
    fn of(trouble: Trouble) -> Self;
}

/// A failure outside the tool's function. It is displayed as one sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The arguments do not fit the schema.
    Arguments(Refused),
    /// The tool is disabled [here](super::Toolset::disabled), with the reason.
    Disabled(String),
    /// The call was cancelled before it changed anything.
    Cancelled,
    /// The call is over a limit.
    Limit(Exceeded),
    /// The tool panicked, or its answer broke its promise.
    Internal(String),
}

/// A limit of all tools that a call exceeds. It is displayed as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The call takes more steps than this, and changes nothing.
    Steps(u64),
    /// The answer is too long.
    Reply {
        /// The limit, in bytes.
        limit: usize,
        /// The length of the answer.
        actual: usize,
        /// [A way](super::Toolset::shorter) to get a shorter one.
        shorter: &'static str,
    },
}

impl Exceeded {
    /// The flag that moves the limit.
    #[must_use]
    pub const fn setting(&self) -> &'static str {
        match self {
            Self::Steps(_) => WORK_LIMIT.name,
            Self::Reply { .. } => REPLY_LIMIT.name,
        }
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setting = self.setting();
        match self {
            Self::Steps(most) => write!(
                f,
                "the call takes more than {} million steps and changes nothing (--{setting} MILLIONS moves it)",
                most / MILLION
            ),
            Self::Reply {
                limit,
                actual,
                shorter,
            } => write!(
                f,
                "the answer has {actual} bytes, more than {limit}: {shorter} (--{setting} KIB moves it)"
            ),
        }
    }
}

impl From<Spent> for Trouble {
    fn from(spent: Spent) -> Self {
        match spent.limit() {
            Some(most) => Self::Limit(Exceeded::Steps(most)),
            None => Self::Cancelled,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(refused) => refused.fmt(f),
            Self::Disabled(why) => write!(f, "disabled here: {why}"),
            Self::Cancelled => f.write_str("the call was cancelled, and changed nothing"),
            Self::Limit(exceeded) => exceeded.fmt(f),
            Self::Internal(what) => {
                write!(f, "internal error, not in what you sent: {what}")
            }
        }
    }
}

impl ToolError for Diagnostic {
    fn of(trouble: Trouble) -> Self {
        let error = Self::new(trouble.to_string());
        match trouble {
            Trouble::Arguments(Refused {
                repaired: Some(arguments),
                ..
            }) => error.or_try(arguments.to_string()),
            _ => error,
        }
    }
}

/// Why the call failed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Error")]
struct Wire<'a> {
    /// The error.
    error: Body<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Body<'a> {
    /// The problem, in a sentence.
    message: &'a str,
    /// The call to send instead: arguments, or words.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "repair")]
    repair: Option<Value>,
}

/// Arguments, or a text.
fn repair(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["object", "string"] })
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let repair = match &self.repair {
            Repair::None => None,
            Repair::Try(text)
            | Repair::Untried(text)
            | Repair::Add(text)
            | Repair::Syntax(text) => {
                let arguments = serde_json::from_str(text).ok().filter(Value::is_object);
                Some(arguments.unwrap_or_else(|| text.clone().into()))
            }
        };
        let error = Body {
            message: &self.message,
            repair,
        };
        Wire { error }.serialize(to)
    }
}

impl JsonSchema for Diagnostic {
    fn schema_name() -> Cow<'static, str> {
        Wire::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Wire::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Wire::json_schema(generator)
    }
}
