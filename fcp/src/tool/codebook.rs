//! Descriptions of tools for programs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Tools, steps};

/// The tools for programs: their schemas, and their examples as calls and answers, with the files
/// that these use.
#[must_use]
pub fn codebook(tools: &dyn Tools) -> Value {
    let listed = tools.list().into_iter().map(|tool| {
        let examples = tool.examples.iter().filter_map(|example| {
            let steps = steps(example.script).ok()?.into_iter().map(|step| {
                json!({
                    "tool": step.tool.as_deref().unwrap_or(tool.name),
                    "arguments": step.arguments,
                    "answer": step.expected.as_ref().map(|expected| &expected.value),
                    "is_error": step.expected.is_some_and(|expected| expected.is_error),
                })
            });
            Some(Value::Array(steps.collect()))
        });
        json!({
            "name": tool.name,
            "aliases": tool.aliases,
            "summary": tool.summary,
            "input": tool.input,
            "output": tool.output(),
            "examples": examples.collect::<Vec<_>>(),
        })
    });
    json!({
        "domain": tools.domain(),
        "title": tools.title(),
        "example_files": tools.example_files().iter().copied().collect::<BTreeMap<_, _>>(),
        "schema_map": { "tools": listed.collect::<Vec<_>>() },
    })
}
