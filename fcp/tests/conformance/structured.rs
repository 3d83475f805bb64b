//! A way to break a server of structured tools for each row.

use serde_json::{Value, json};

use crate::line::{Fault, Line, erring, tool, with_text};

const fn fault(
    row: &'static str,
    how: &'static str,
    tamper: fn(&mut Line, &Value) -> Option<Value>,
) -> Fault {
    Fault { row, how, tamper }
}

/// The list of tools, with each tool changed.
fn each(line: &mut Line, message: &Value, change: fn(&mut Value)) -> Option<Value> {
    let listing = message["method"] == "tools/list";
    listing.then(|| {
        let mut answer = line.pass(message);
        let tools = answer["result"]["tools"].as_array_mut().unwrap();
        tools.iter_mut().for_each(change);
        answer
    })
}

/// A result with other structured content, also in its text.
fn answering(mut answer: Value, value: Value) -> Value {
    let text = value.to_string();
    answer["result"]["structuredContent"] = value;
    with_text(answer, text)
}

fn calls(message: &Value) -> bool {
    message["method"] == "tools/call"
}

pub const FAULTS: &[Fault] = &[
    fault("T1", "a hint is not given", |line, message| {
        each(line, message, |tool| {
            let hints = tool["annotations"].as_object_mut().unwrap();
            hints.remove("idempotentHint");
        })
    }),
    fault("T1", "a tool has no description", |line, message| {
        each(line, message, |tool| tool["description"] = json!(""))
    }),
    fault(
        "T2",
        "a schema names a type that is invalid",
        |line, message| {
            each(line, message, |tool| {
                tool["inputSchema"]["description"] = json!(7);
            })
        },
    ),
    fault(
        "T2",
        "a schema refers to what is not there",
        |line, message| {
            each(line, message, |tool| {
                tool["inputSchema"]["not"] = json!({ "$ref": "http://localhost/elsewhere.json" });
            })
        },
    ),
    fault(
        "T3",
        "a misspelt field is refused without a word",
        |line, message| {
            let fields = message["params"]["arguments"].as_object();
            let misspelt = fields.is_some_and(|fields| fields.values().any(Value::is_null));
            misspelt.then(|| answering(line.pass(message), json!({ "error": { "message": "no" } })))
        },
    ),
    fault("T3", "a misspelt field is dropped", |line, message| {
        let fields = message["params"]["arguments"].as_object();
        let misspelt = fields.is_some_and(|fields| fields.values().any(Value::is_null));
        misspelt.then(|| erring(line.pass(message), false))
    }),
    fault("T4", "a tool that is not there answers", |line, message| {
        (calls(message) && tool(message) == "zzqx").then(|| line.call("titles", json!({})))
    }),
    fault(
        "T4",
        "arguments of another form are an error of the protocol",
        |_, message| {
            let odd = calls(message) && message["params"]["arguments"].is_number();
            odd.then(|| json!({ "jsonrpc": "2.0", "error": { "code": -32602, "message": "no" } }))
        },
    ),
    fault(
        "T5",
        "a reply has a field that was not promised",
        |line, message| {
            (tool(message) == "titles").then(|| {
                let answer = line.pass(message);
                let mut value = answer["result"]["structuredContent"].clone();
                value["more"] = json!(1);
                answering(answer, value)
            })
        },
    ),
    fault("T5", "another reply than the example's", |line, message| {
        let listed = tool(message) == "titles" && message["params"]["arguments"]["limit"] == 1;
        listed.then(|| answering(line.pass(message), json!({ "titles": [] })))
    }),
    fault("T6", "the text is for people", |line, message| {
        (tool(message) == "titles").then(|| with_text(line.pass(message), "done"))
    }),
    fault("T7", "another name is not known", |line, message| {
        let mut other = message.clone();
        (tool(message) == "book_add").then(|| {
            other["params"]["name"] = json!("book_addd");
            line.pass(&other)
        })
    }),
];
