//! Errors of tools, in the structured form shared by all tools.

use std::borrow::Cow;
use std::io;

use fcp::tool::{Exceeded, ToolError, Trouble};
use fcp::work::Spent;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A tool's result.
pub type Answer<T> = Result<T, Failure>;

/// Kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// There is no such snapshot, file, captured path, lease or git object.
    NotFound,
    /// The arguments, or their combination, are invalid.
    InvalidArgument,
    /// Content changed during the call.
    RepoChanged,
    /// The path is closed.
    PermissionDenied,
    /// A limit is exceeded.
    TooLarge,
    /// Git, the store or the disk failed.
    Internal,
    /// The repository is not in the lease's state.
    StaleLease,
}

/// An error: `{"error": {"code", "message", "details"}}`.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its kind.
    pub code: Code,
    /// A sentence with the next step.
    pub message: String,
    /// Members that programs read.
    pub details: Map<String, Value>,
}

impl Failure {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Map::new(),
        }
    }

    /// The error for something missing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NotFound, message)
    }

    /// The error for an invalid argument. `pointer` is its JSON pointer.
    pub fn invalid(pointer: &str, message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message).with("path", pointer)
    }

    /// The error for content that changed.
    pub fn changed(message: impl Into<String>) -> Self {
        Self::new(Code::RepoChanged, message)
    }

    /// The error for a closed path.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(Code::PermissionDenied, message)
    }

    /// The error for an exceeded limit.
    pub fn too_large(what: &str, limit: u64, actual: u64, setting: &str) -> Self {
        let message =
            format!("{what}: {actual} is over the limit of {limit}, which --{setting} moves");
        Self::new(Code::TooLarge, message)
            .with("limit", limit)
            .with("actual", actual)
            .with("setting", setting)
    }

    /// Rejects more than a limit.
    pub fn within(what: &str, limit: u64, actual: u64, setting: &str) -> Answer<()> {
        match actual > limit {
            true => Err(Self::too_large(what, limit, actual, setting)),
            false => Ok(()),
        }
    }

    /// The error for a fault outside the arguments.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message)
    }

    /// The error for a lease on another state.
    pub fn stale(message: impl Into<String>) -> Self {
        Self::new(Code::StaleLease, message)
    }

    /// Adds a member to the details.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// This failure, with the argument that it is about where a path alone is known.
    #[must_use]
    pub fn about(mut self, pointer: &str) -> Self {
        if self.code == Code::InvalidArgument
            && self.details.get("path").is_some_and(|own| own == "/path")
        {
            self = self.with("path", pointer);
        }
        self
    }

    /// The error with another message.
    pub fn with_message(self, message: String) -> Self {
        Self { message, ..self }
    }

    /// The error for an operation on a path that the system rejected.
    pub fn disk(path: &str, doing: &str, problem: &io::Error) -> Self {
        fcp::confined::Refusal::disk(path, doing, problem).into()
    }
}

impl From<fcp::format::patch::Fault> for Failure {
    fn from(fault: fcp::format::patch::Fault) -> Self {
        let message = format!("patch line {}: {}", fault.line, fault.message);
        Self::invalid("/patch", message).with("line", fault.line)
    }
}

impl ToolError for Failure {
    fn of(trouble: Trouble) -> Self {
        let message = trouble.to_string();
        match trouble {
            Trouble::Arguments(refused) => {
                let pointer = refused.faults.first().map_or("", |fault| &*fault.path);
                let failure = Self::invalid(pointer, message);
                match refused.repaired {
                    Some(repaired) => failure.with("try", repaired),
                    None => failure,
                }
            }
            Trouble::Disabled(_) => Self::denied(message),
            Trouble::Limit(exceeded) => {
                let failure =
                    Self::new(Code::TooLarge, message).with("setting", exceeded.setting());
                match exceeded {
                    Exceeded::Steps(limit) => failure.with("limit", limit),
                    Exceeded::Reply { limit, actual, .. } => {
                        failure.with("limit", limit).with("actual", actual)
                    }
                }
            }
            Trouble::Cancelled | Trouble::Internal(_) => Self::internal(message),
        }
    }
}

impl From<Spent> for Failure {
    fn from(spent: Spent) -> Self {
        Self::of(spent.into())
    }
}

impl Serialize for Failure {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        json!({ "error": { "code": self.code, "message": self.message, "details": self.details } })
            .serialize(to)
    }
}

impl JsonSchema for Failure {
    fn schema_name() -> Cow<'static, str> {
        "ErrorResponse".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let fingerprint = generator.subschema_for::<crate::git::Fingerprint>();
        let error = |code: Value, details: Value| {
            json!({
                "type": "object",
                "properties": {
                    "code": code,
                    "message": { "type": "string", "description": "A sentence with the next step." },
                    "details": details,
                },
                "required": ["code", "message", "details"],
            })
        };
        let stale = error(
            json!({ "const": "STALE_LEASE" }),
            json!({
                "type": "object",
                "properties": {
                    "fingerprint": fingerprint,
                    "lease_id": { "type": "string" },
                    "reason": { "enum": ["fingerprint", "superseded", "not_held"] },
                    "changed_paths": { "type": "array", "items": { "type": "string" } },
                },
                "required": ["fingerprint", "lease_id", "reason", "changed_paths"],
            }),
        );
        let other = error(
            json!({ "enum": [
                "NOT_FOUND", "INVALID_ARGUMENT", "REPO_CHANGED", "PERMISSION_DENIED", "TOO_LARGE", "INTERNAL",
            ] }),
            json!({ "type": "object" }),
        );
        json_schema!({
            "type": "object",
            "description": "Why the call failed.",
            "properties": { "error": { "oneOf": [stale, other] } },
            "required": ["error"],
        })
    }
}
