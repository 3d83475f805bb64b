//! Errors with a code, for programs that decide by it.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::limit::Over;
use super::{Exceeded, ToolError, Trouble};
use crate::work::Spent;

/// The codes of a toolset's errors, each of which is serialized as its name.
pub trait Code: Copy + fmt::Debug + PartialEq + Serialize + 'static {
    /// Something that the call names does not exist.
    const NOT_FOUND: Self;
    /// The arguments, or their combination, are invalid.
    const INVALID: Self;
    /// Content changed during the call.
    const CHANGED: Self;
    /// The call is not allowed.
    const DENIED: Self;
    /// A limit is exceeded.
    const TOO_LARGE: Self;
    /// A fault outside the arguments.
    const INTERNAL: Self;
    /// All codes, in the order of the schema.
    const ALL: &'static [Self];

    /// The schema of the details, if a code promises some.
    fn details(self, _: &mut SchemaGenerator) -> Option<Value> {
        None
    }
}

/// An error with a code: `{"error": {"code", "message", "details"}}`.
///
/// ```
/// use fcp::tool::{Code, Failure};
/// use serde::Serialize;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
/// #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
/// enum Shelf {
///     NoBook,
///     Invalid,
///     Internal,
/// }
///
/// impl Code for Shelf {
///     const NOT_FOUND: Self = Self::NoBook;
///     const INVALID: Self = Self::Invalid;
///     const CHANGED: Self = Self::Internal;
///     const DENIED: Self = Self::Invalid;
///     const TOO_LARGE: Self = Self::Invalid;
///     const INTERNAL: Self = Self::Internal;
///     const ALL: &'static [Self] = &[Self::NoBook, Self::Invalid, Self::Internal];
/// }
///
/// let failure = Failure::<Shelf>::not_found("no book Emma; list them").with("near", "Emil");
/// assert_eq!(
///     fcp::tool::canonical(&failure)?,
///     r#"{"error":{"code":"NO_BOOK","details":{"near":"Emil"},"message":"no book Emma; list them"}}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Failure<C> {
    /// Its kind.
    pub code: C,
    /// A sentence with the next step.
    pub message: String,
    /// Members that programs read.
    pub details: Map<String, Value>,
}

impl<C: Code> Failure<C> {
    /// An error without details.
    pub fn new(code: C, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Map::new(),
        }
    }

    /// The error for something missing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(C::NOT_FOUND, message)
    }

    /// The error for an invalid argument. `pointer` is its JSON pointer.
    pub fn invalid(pointer: &str, message: impl Into<String>) -> Self {
        Self::new(C::INVALID, message).with("path", pointer)
    }

    /// The error for content that changed.
    pub fn changed(message: impl Into<String>) -> Self {
        Self::new(C::CHANGED, message)
    }

    /// The error for something that is not allowed.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(C::DENIED, message)
    }

    /// The error for a fault outside the arguments.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(C::INTERNAL, message)
    }

    /// Adds a member to the details.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The error with another message.
    #[must_use]
    pub fn with_message(self, message: String) -> Self {
        Self { message, ..self }
    }

    /// The error with the argument that it is about, where only a path is known.
    #[must_use]
    pub fn about(self, pointer: &str) -> Self {
        let of_path = self.details.get("path").is_some_and(|own| own == "/path");
        match self.code == C::INVALID && of_path {
            true => self.with("path", pointer),
            false => self,
        }
    }

    /// The error for an operation on a path that the system rejected.
    #[cfg(all(unix, feature = "confined"))]
    pub fn disk(path: &str, doing: &str, problem: &std::io::Error) -> Self {
        crate::confined::Refusal::disk(path, doing, problem).into()
    }
}

impl<C: Code> From<Over> for Failure<C> {
    fn from(over: Over) -> Self {
        Self::new(C::TOO_LARGE, over.to_string())
            .with("limit", over.limit)
            .with("actual", over.actual)
            .with("setting", over.setting)
    }
}

impl<C: Code> From<Spent> for Failure<C> {
    fn from(spent: Spent) -> Self {
        Self::of(spent.into())
    }
}

#[cfg(all(unix, feature = "confined"))]
impl<C: Code> From<crate::confined::Refusal> for Failure<C> {
    fn from(refusal: crate::confined::Refusal) -> Self {
        use crate::confined::RefusalKind as Kind;
        let message = refusal.message;
        match refusal.kind {
            Kind::Missing => Self::not_found(message),
            Kind::Invalid => Self::invalid("/path", message),
            Kind::Denied => Self::denied(message),
            Kind::Changed => Self::changed(message),
            Kind::TooLarge { limit, actual } => Self::new(C::TOO_LARGE, message)
                .with("limit", limit)
                .with("actual", actual),
            Kind::Failed => Self::internal(message),
        }
    }
}

#[cfg(feature = "patch")]
impl<C: Code> From<crate::format::patch::Fault> for Failure<C> {
    fn from(fault: crate::format::patch::Fault) -> Self {
        let message = format!("patch line {}: {}", fault.line, fault.message);
        Self::invalid("/patch", message).with("line", fault.line)
    }
}

impl<C: Code> ToolError for Failure<C> {
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
                let failure = Self::new(C::TOO_LARGE, message).with("setting", exceeded.setting());
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

impl<C: Code> Serialize for Failure<C> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        json!({ "error": { "code": self.code, "message": self.message, "details": self.details } })
            .serialize(to)
    }
}

impl<C: Code> JsonSchema for Failure<C> {
    fn schema_name() -> Cow<'static, str> {
        "ErrorResponse".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
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
        let (mut branches, mut others) = (Vec::new(), Vec::new());
        for code in C::ALL {
            match code.details(generator) {
                Some(details) => branches.push(error(json!({ "const": code }), details)),
                None => others.push(json!(code)),
            }
        }
        if !others.is_empty() {
            branches.push(error(
                json!({ "enum": others }),
                json!({ "type": "object" }),
            ));
        }
        json_schema!({
            "type": "object",
            "description": "Why the call failed.",
            "properties": { "error": { "oneOf": branches } },
            "required": ["error"],
        })
    }
}
