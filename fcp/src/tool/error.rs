//! Errors of tools.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Refused;
use crate::diag::{Diagnostic, Repair};

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
    /// The call was cancelled before it began.
    Cancelled,
    /// The tool panicked, or its answer broke its promise.
    Internal(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(refused) => refused.fmt(f),
            Self::Disabled(why) => write!(f, "disabled here: {why}"),
            Self::Cancelled => f.write_str("cancelled before it was carried out"),
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
