//! Descriptions of tools for people, from their schemas.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::{Described, Hints};

/// All tools.
pub(super) fn all(title: &str, instructions: &str, tools: &[&Described]) -> String {
    let mut text = format!("{title}. {instructions}\n");
    for tool in tools {
        text.push('\n');
        text.push_str(&one(tool));
    }
    text
}

/// The most bytes of the help on all tools.
const HELP_BYTES: usize = 12 * 1024;

/// All tools, with their examples if there is room; otherwise with their fields and one sentence
/// each.
pub(super) fn brief(title: &str, instructions: &str, tools: &[&Described]) -> String {
    let whole = all(title, instructions, tools);
    if whole.len() <= HELP_BYTES {
        return whole;
    }
    let mut text = format!(
        "{title}. {instructions}\n`help TOOL` shows all of a tool, `help all` all of all.\n"
    );
    for tool in tools {
        let required = tool.input.get("required").and_then(Value::as_array);
        let fields = tool.input.get("properties").and_then(Value::as_object);
        let fields = fields.into_iter().flatten().map(|(name, _)| {
            let must = required.is_some_and(|names| names.iter().any(|own| own == name));
            if must {
                name.clone()
            } else {
                format!("[{name}]")
            }
        });
        let fields: Vec<String> = fields.collect();
        let first = tool.description.lines().next().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{} {}{}\n  {first}",
            tool.name,
            fields.join(" "),
            hints(tool.hints)
        );
    }
    text
}

/// One tool.
pub(super) fn one(tool: &Described) -> String {
    let mut text = format!("{}{}\n", tool.name, hints(tool.hints));
    for line in tool.description.lines() {
        text.push_str(format!("  {line}").trim_end());
        text.push('\n');
    }
    if !tool.aliases.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  Also called {}.", tool.aliases.join(", "));
    }
    let required = tool.input.get("required").and_then(Value::as_array);
    let fields = tool.input.get("properties").and_then(Value::as_object);
    for (name, schema) in fields.into_iter().flatten() {
        let must = required.is_some_and(|names| names.iter().any(|own| own == name));
        let form = if must {
            name.clone()
        } else {
            format!("[{name}]")
        };
        let doc = schema["description"].as_str().unwrap_or_default();
        let kind = kind(schema, &tool.input, 0);
        let default = schema.get("default").filter(|default| !default.is_null());
        let default = default.map_or_else(String::new, |value| format!(" ({value} if left out)"));
        let _ = writeln!(text, "    {form}: {kind}. {doc}{default}");
    }
    for example in tool.examples {
        for line in example
            .script
            .lines()
            .filter(|line| !line.trim().is_empty())
        {
            let _ = writeln!(text, "  | {line}");
        }
    }
    text
}

fn hints(hints: Hints) -> String {
    let words = [
        (hints.read_only, "reads only"),
        (hints.destructive, "destructive"),
        (hints.idempotent, "idempotent"),
        (hints.open_world, "open world"),
    ];
    let shown: Vec<&str> = words
        .into_iter()
        .filter_map(|(holds, word)| holds.then_some(word))
        .collect();
    if shown.is_empty() {
        String::new()
    } else {
        format!(" ({})", shown.join(", "))
    }
}

/// The kind of a value, in a word or two: `integer`, `one of "fast", "slow"`, `list of string`.
fn kind(schema: &Value, root: &Map<String, Value>, depth: usize) -> String {
    // The schema may be a list of lists of itself.
    if depth > 4 {
        return "more of the same".to_owned();
    }
    let mut schema = schema;
    for _ in 0..4 {
        let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|path| path.strip_prefix("#/$defs/"))
        else {
            break;
        };
        match root.get("$defs").and_then(|defs| defs.get(name)) {
            Some(named) => schema = named,
            None => break,
        }
    }
    let forms = |keyword: &str| schema[keyword].as_array().filter(|all| !all.is_empty());
    if let Some(word) = schema.get("const") {
        return word.to_string();
    }
    if let Some(words) = forms("enum") {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return format!("one of {}", words.join(", "));
    }
    if let Some(forms) = forms("oneOf").or_else(|| forms("anyOf")) {
        let named: Vec<&str> = forms
            .iter()
            .filter_map(|form| form["const"].as_str())
            .collect();
        if named.len() == forms.len() {
            let quoted: Vec<String> = named.iter().map(|word| format!("\"{word}\"")).collect();
            return format!("one of {}", quoted.join(", "));
        }
        let real: Vec<&Value> = forms.iter().filter(|form| form["type"] != "null").collect();
        return match real.as_slice() {
            [only] => kind(only, root, depth + 1),
            _ => "one of several forms".to_owned(),
        };
    }
    let bounds = match (schema.get("minimum"), schema.get("maximum")) {
        (Some(low), Some(high)) => format!(" {low} to {high}"),
        (Some(low), None) => format!(" from {low}"),
        (None, Some(high)) => format!(" up to {high}"),
        (None, None) => String::new(),
    };
    let plain = |name: &str| match name {
        "array" => match schema.get("items") {
            Some(items) if items.is_object() => format!("list of {}", kind(items, root, depth + 1)),
            _ => "list".to_owned(),
        },
        "string" => "text".to_owned(),
        name => format!("{name}{bounds}"),
    };
    match &schema["type"] {
        Value::String(name) => plain(name),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            let names: Vec<String> = names.filter(|name| *name != "null").map(plain).collect();
            names.join(" or ")
        }
        _ => "any JSON".to_owned(),
    }
}
