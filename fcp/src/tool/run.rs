//! Calls the author's function with arguments, and returns its answer.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::{Fault, REPAIRED, Refused, join};
use super::{Structured, ToolError, Toolset, Trouble};

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
    let read = serde_json::from_str(arguments);
    let answer = match read.or_else(|problem| integers(arguments, &problem)) {
        Ok(arguments) => function(arguments).result(),
        Err(refused) => return trouble::<S, O>(Trouble::Arguments(refused)),
    };
    match answer {
        Ok(reply) => structured::<S>(&reply, false)
            .unwrap_or_else(|unwritten| trouble::<S, O>(Trouble::Internal(unwritten))),
        Err(error) => failed::<S>(&error),
    }
}

/// Reads arguments whose type has rules beyond their schema: for a schema, `1.0` is an integer, and
/// so is any greater number.
fn integers<A: DeserializeOwned>(
    arguments: &str,
    problem: &serde_json::Error,
) -> Result<A, Refused> {
    let refused = || Refused::with_message(problem.to_string());
    let mut value: Value = serde_json::from_str(arguments).map_err(|_| refused())?;
    let mut faults = Vec::new();
    respell(&mut value, "", &mut faults);
    match (A::deserialize(&value), faults.is_empty()) {
        (Ok(arguments), true) => Ok(arguments),
        (Ok(_), false) => Err(Refused {
            faults,
            repaired: Some(value).filter(|value| value.to_string().len() <= REPAIRED),
        }),
        (Err(_), _) => Err(refused()),
    }
}

/// Spells numbers without a fraction as integers: the greatest one if they are greater.
fn respell(value: &mut Value, path: &str, faults: &mut Vec<Fault>) {
    match value {
        Value::Number(number) => {
            let Some(float) = number
                .as_f64()
                .filter(|float| number.is_f64() && float.fract() == 0.0)
            else {
                return;
            };
            // A cast to an integer ends at its bounds.
            let integer = float as i64;
            if integer as f64 != float || integer == i64::MAX {
                let name = path.trim_start_matches('/');
                let message =
                    format!("\"{name}\" is {number}, beyond the integers, up to {integer}");
                let path = path.to_owned();
                faults.push(Fault { path, message });
            }
            *value = integer.into();
        }
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                respell(item, &join(path, &at.to_string()), faults);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                respell(member, &join(path, name), faults);
            }
        }
        _ => {}
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
