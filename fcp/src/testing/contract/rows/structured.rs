//! T1 to T7: requirements on structured tools.

use serde_json::{Map, Value, json};

use super::Row;
use crate::testing::contract::case::Case;
use crate::testing::contract::known::NONSENSE;
use crate::testing::contract::talk::Talk;
use crate::testing::contract::verdict::{Proved, Stop, fail, holds, none, unproved};
use crate::tool::{Checker, DISABLED, alike};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "T1",
        rule: "A tool states its name, purpose, arguments, replies and hints.",
        proof: "tools/list shows of each a name that every client can send, a description, schemas of objects for arguments and replies, and all four hints.",
        restated: &["T2", "T3", "T5"],
        prove: listed,
    },
    Row {
        id: "T2",
        rule: "Schemas are of the draft 2020-12, sound and complete.",
        proof: "Each schema that tools/list shows is held against the metaschema, and compiled without any other document.",
        restated: &["T5"],
        prove: sound,
    },
    Row {
        id: "T3",
        rule: "A field that a tool does not take is refused, with the nearest that it takes.",
        proof: "Each tool is sent one of its fields misspelt, or an unknown one: the result is an error that names the right one.",
        restated: &[],
        prove: unknown_field,
    },
    Row {
        id: "T4",
        rule: "An unknown tool is an error of the protocol; arguments of any form are answered by the tool.",
        proof: "A nonsense name is refused with the known names; an array, a number and a text as arguments are results with isError.",
        restated: &[],
        prove: unknown_tool,
    },
    Row {
        id: "T5",
        rule: "A tool's answers fit its schemas, errors too.",
        proof: "The calls of each example in the codebook are sent to a fresh server: each reply fits the tool's schema, and is the one shown.",
        restated: &[],
        prove: promised,
    },
    Row {
        id: "T6",
        rule: "The structured content is in the text too, for clients that see only text.",
        proof: "The text of each reply to those calls is JSON, and equals the structured content.",
        restated: &["T3"],
        prove: as_text,
    },
    Row {
        id: "T7",
        rule: "A tool answers by its other names, which are not listed.",
        proof: "The first example of each is sent by another name of the tool; tools/list does not show it.",
        restated: &[],
        prove: aliases,
    },
];

/// The most characters of a name.
const LONGEST: usize = 128;

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap_or_default()
}

fn listed(case: &Case<'_>) -> Proved {
    // Requested again, so that the exchange is listed under the row.
    case.bare()?.request("tools/list", json!({}))?.ok();
    for tool in &case.known.tools {
        let name = name(tool);
        let legal = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        holds!(
            (1..=LONGEST).contains(&name.len()) && name.chars().all(legal),
            "{name:?} is a name that not every client can send"
        );
        let described = tool["description"]
            .as_str()
            .is_some_and(|text| !text.is_empty());
        holds!(described, "{name} has no description");
        for schema in ["inputSchema", "outputSchema"] {
            let of_object = tool[schema]["type"] == "object";
            holds!(of_object, "{name} has no {schema} of an object");
        }
        for hint in ["readOnly", "destructive", "idempotent", "openWorld"] {
            let given = tool["annotations"][format!("{hint}Hint")].is_boolean();
            holds!(given, "{name} does not give {hint}Hint");
        }
    }
    Ok(())
}

/// A compiled schema of a tool.
fn checker(tool: &Value, which: &str) -> Result<Checker, Stop> {
    let schema = &tool[which];
    let made = Checker::new(schema, "the value");
    made.map_err(|problem| fail(format!("{which} of {}: {problem}", name(tool))))
}

fn sound(case: &Case<'_>) -> Proved {
    for tool in &case.known.tools {
        for which in ["inputSchema", "outputSchema"] {
            if let Err(problem) = jsonschema::draft202012::meta::validate(&tool[which]) {
                return Err(fail(format!("{which} of {}: {problem}", name(tool))));
            }
            checker(tool, which)?;
        }
    }
    Ok(())
}

/// The result of a call, or the message of a protocol error.
fn call(talk: &mut Talk, tool: &str, arguments: &Value) -> Result<Result<Value, String>, Stop> {
    talk.request(
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

/// The result of a call, which must be an error, but not a protocol error.
fn refusal(talk: &mut Talk, tool: &str, arguments: &Value) -> Result<String, Stop> {
    let shown = format!("{tool} {arguments}");
    let result = call(talk, tool, arguments)?
        .map_err(|message| fail(format!("{shown} is an error of the protocol: {message}")))?;
    holds!(
        result["isError"] == true,
        "{shown} is not refused: {result}"
    );
    Ok(text(&result).to_owned())
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

fn unknown_field(case: &Case<'_>) -> Proved {
    let mut talk = case.bare()?;
    let enabled = |tool: &&Value| tool["_meta"][DISABLED].is_null();
    for tool in case.known.tools.iter().filter(enabled) {
        let tool_name = name(tool);
        let fields = tool["inputSchema"]["properties"].as_object();
        let names = || fields.into_iter().flat_map(Map::keys);
        // A name with an extra letter is nearest to the original, unless it is a field as well.
        let near = names().find_map(|right| {
            let wrong = format!("{right}q");
            names().all(|own| *own != wrong).then_some((wrong, right))
        });
        let wrong = near.as_ref().map_or(NONSENSE, |(wrong, _)| wrong);
        let answer = refusal(&mut talk, tool_name, &json!({ wrong: null }))?;
        holds!(
            answer.contains(wrong),
            "{tool_name} does not refuse {wrong}: {answer}"
        );
        if let Some((_, right)) = near {
            holds!(
                answer.replace(wrong, "").contains(right.as_str()),
                "{tool_name} does not suggest {right} for {wrong}: {answer}"
            );
        }
    }
    Ok(())
}

fn unknown_tool(case: &Case<'_>) -> Proved {
    let mut talk = case.bare()?;
    let Some(first) = case.known.tools.first().map(name) else {
        return Err(fail("there is no tool"));
    };
    match call(&mut talk, NONSENSE, &json!({}))? {
        Ok(result) => return Err(fail(format!("a tool {NONSENSE} is answered: {result}"))),
        Err(message) => holds!(
            message.contains(first),
            "{NONSENSE} is refused without a known name: {message}"
        ),
    }
    for tool in &case.known.tools {
        for arguments in [json!([1]), json!(7), json!("text")] {
            refusal(&mut talk, name(tool), &arguments)?;
        }
    }
    Ok(())
}

/// A call of an example, and its result.
struct Made<'a> {
    tool: &'a Value,
    step: &'a Value,
    result: Value,
}

/// The calls of every example in the codebook, each example on its own server.
fn examples<'a>(case: &Case<'a>) -> Result<Vec<Made<'a>>, Stop> {
    let mut made = Vec::new();
    for tool in case.known.map("tools") {
        let examples = tool["examples"].as_array().map_or(&[][..], Vec::as_slice);
        for example in examples {
            let mut talk = case.bare()?;
            for step in example.as_array().map_or(&[][..], Vec::as_slice) {
                made.push(sent(case, &mut talk, step)?);
            }
        }
    }
    if made.is_empty() {
        return Err(unproved(
            "the server has no codebook with examples of its tools",
        ));
    }
    Ok(made)
}

fn sent<'a>(case: &Case<'a>, talk: &mut Talk, step: &'a Value) -> Result<Made<'a>, Stop> {
    let called = step["tool"].as_str().unwrap_or_default();
    let result = call(talk, called, &step["arguments"])?;
    let result = result.map_err(|message| fail(format!("{called}: {message}")))?;
    let by_alias = || {
        let mut all = case.known.map("tools").iter();
        let named = all.find(|tool| {
            let aliases = tool["aliases"].as_array();
            aliases.is_some_and(|names| names.iter().any(|name| name == called))
        });
        named.map_or("", name)
    };
    let mut tools = case.known.tools.iter();
    let tool = tools
        .clone()
        .find(|tool| name(tool) == called)
        .or_else(|| tools.find(|tool| name(tool) == by_alias()));
    let tool =
        tool.ok_or_else(|| fail(format!("an example calls {called}, which is not listed")))?;
    Ok(Made { tool, step, result })
}

fn promised(case: &Case<'_>) -> Proved {
    for Made { tool, step, result } in examples(case)? {
        let (tool_name, answer) = (name(tool), &result["structuredContent"]);
        let checker = checker(tool, "outputSchema")?;
        if let Some(problem) = checker.refuse("the reply", answer) {
            return Err(fail(format!(
                "{tool_name} answers what its schema does not allow: {problem}: {answer}"
            )));
        }
        let is_shown = step["answer"].is_null() || alike(&step["answer"], answer);
        let as_structured =
            result["isError"].as_bool().unwrap_or_default() == (step["is_error"] == true);
        holds!(
            is_shown && as_structured,
            "{tool_name} {} answers {answer}, not {}",
            step["arguments"],
            step["answer"]
        );
    }
    Ok(())
}

fn as_text(case: &Case<'_>) -> Proved {
    for Made { tool, result, .. } in examples(case)? {
        let read: Option<Value> = serde_json::from_str(text(&result)).ok();
        holds!(
            read.as_ref() == Some(&result["structuredContent"]),
            "{} shows {}, which is not its structured content",
            name(tool),
            text(&result)
        );
    }
    Ok(())
}

fn aliases(case: &Case<'_>) -> Proved {
    let mut tried = 0;
    for tool in case.known.map("tools") {
        let first = tool["examples"][0]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        for alias in tool["aliases"].as_array().into_iter().flatten() {
            let Some(alias) = alias.as_str() else {
                continue;
            };
            let listed = case.known.tool_names().contains(&alias);
            holds!(!listed, "{alias} is listed next to {}", name(tool));
            let (mut own, mut other) = (case.bare()?, case.bare()?);
            for step in first {
                let called = step["tool"].as_str().unwrap_or_default();
                let renamed = if called == name(tool) { alias } else { called };
                let right = call(&mut own, called, &step["arguments"])?;
                let same = call(&mut other, renamed, &step["arguments"])?;
                let known = step["answer"].to_string().contains('…');
                holds!(
                    right == same || known && same.is_ok(),
                    "{renamed} does not answer as {called}: {same:?}"
                );
                tried += 1;
            }
        }
    }
    match tried {
        0 => Err(none(
            "no tool in the codebook has another name and an example",
        )),
        _ => Ok(()),
    }
}
