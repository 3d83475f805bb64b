//! Errors of tools, in the structured form shared by all tools.

use fcp::tool;
use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Value, json};

use crate::identity::Fingerprint;

/// A tool's result.
pub type Answer<T> = Result<T, Failure>;

/// An error: `{"error": {"code", "message", "details"}}`.
pub type Failure = tool::Failure<Code>;

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

impl tool::Code for Code {
    const NOT_FOUND: Self = Self::NotFound;
    const INVALID: Self = Self::InvalidArgument;
    const CHANGED: Self = Self::RepoChanged;
    const DENIED: Self = Self::PermissionDenied;
    const TOO_LARGE: Self = Self::TooLarge;
    const INTERNAL: Self = Self::Internal;
    const ALL: &'static [Self] = &[
        Self::NotFound,
        Self::InvalidArgument,
        Self::RepoChanged,
        Self::PermissionDenied,
        Self::TooLarge,
        Self::Internal,
        Self::StaleLease,
    ];

    fn details(self, generator: &mut SchemaGenerator) -> Option<Value> {
        let fingerprint = generator.subschema_for::<Fingerprint>();
        (self == Self::StaleLease).then(|| {
            json!({
                "type": "object",
                "properties": {
                    "fingerprint": fingerprint,
                    "lease_id": { "type": "string" },
                    "reason": { "enum": ["fingerprint", "superseded", "not_held"] },
                    "changed_paths": { "type": "array", "items": { "type": "string" } },
                },
                "required": ["fingerprint", "lease_id", "reason", "changed_paths"],
            })
        })
    }
}
