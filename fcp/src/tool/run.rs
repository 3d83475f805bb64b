//! Calls the author's function with arguments, and returns its answer.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Refused, Structured, ToolError, Toolset, Trouble};

/// The return type of a tool. Macro expansions use it to find a function's types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool answer",
    label = "a tool answers with a `Result` of a type that derives `Serialize` and `JsonSchema`"
)]
pub trait Outcome {
    /// The reply.
    type Reply: Serialize + JsonSchema;
    /// The error.
    type Error: ToolError;

    /// The reply or the error.
    ///
    /// # Errors
    /// The function failed.
    fn result(self) -> Result<Self::Reply, Self::Error>;
}

impl<T: Serialize + JsonSchema, E: ToolError> Outcome for Result<T, E> {
    type Reply = T;
    type Error = E;

    fn result(self) -> Self {
        self
    }
}

/// Reads the arguments, calls the function, and writes the answer.
pub fn call<S: Toolset, A: DeserializeOwned, O: Outcome>(
    arguments: &str,
    function: impl FnOnce(A) -> O,
) -> Structured {
    let answer = match serde_json::from_str(arguments) {
        Ok(arguments) => function(arguments).result(),
        // The type has rules beyond its schema.
        Err(problem) => {
            let refused = Refused::with_message(problem.to_string());
            return trouble::<S, O>(Trouble::Arguments(refused));
        }
    };
    match answer {
        Ok(reply) => structured::<S>(&reply, false)
            .unwrap_or_else(|unwritten| trouble::<S, O>(Trouble::Internal(unwritten))),
        Err(error) => failed::<S>(&error),
    }
}

/// The tool's error for a failure outside its function.
pub fn trouble<S: Toolset, O: Outcome>(trouble: Trouble) -> Structured {
    failed::<S>(&O::Error::of(trouble))
}

fn failed<S: Toolset>(error: &impl ToolError) -> Structured {
    structured::<S>(error, true).unwrap_or_else(|unwritten| {
        // Only a type with a failing `Serialize` gets here; its caller still gets a message.
        Structured {
            text: serde_json::json!({ "error": { "message": unwritten } }).to_string(),
            is_error: true,
        }
    })
}

fn structured<S: Toolset>(reply: &impl Serialize, is_error: bool) -> Result<Structured, String> {
    let unwritten = |problem| format!("the reply cannot be written as JSON: {problem}");
    Ok(Structured {
        text: S::text(reply).map_err(unwritten)?,
        is_error,
    })
}
