//! Subcommands that call a tool, with a flag for each of its arguments.

use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Map, Value};

use crate::tool::Shortcut;

/// Adds the subcommands. A property gets no flag if the program has one with its name.
pub(super) fn add(command: clap::Command, shortcuts: &[Shortcut]) -> clap::Command {
    let taken: Vec<String> = command
        .get_arguments()
        .filter_map(|argument| argument.get_long().map(str::to_owned))
        .collect();
    shortcuts.iter().fold(command, |command, shortcut| {
        let flags = properties(&shortcut.input)
            .filter(|(name, _)| !taken.contains(&long(name)))
            .map(|(name, schema)| {
                let about = schema["description"].as_str().unwrap_or_default();
                let flag = Arg::new(name.clone())
                    .long(long(name))
                    .help(about.to_owned());
                match has_type(schema, "boolean") {
                    true => flag.action(ArgAction::SetTrue),
                    false => flag.value_name("VALUE"),
                }
            });
        let about = format!("{} ({})", shortcut.about, shortcut.tool);
        command.subcommand(
            clap::Command::new(shortcut.command)
                .about(about)
                .args(flags),
        )
    })
}

/// The arguments of a subcommand's call.
pub(super) fn arguments(shortcut: &Shortcut, matches: &ArgMatches) -> Value {
    let mut arguments = Map::new();
    for (name, schema) in properties(&shortcut.input) {
        let value = match has_type(schema, "boolean") {
            true => matches!(matches.try_get_one(name), Ok(Some(true))).then_some(true.into()),
            false => match matches.try_get_one::<String>(name) {
                Ok(Some(text)) => Some(read(text, schema)),
                _ => None,
            },
        };
        arguments.extend(value.map(|value| (name.clone(), value)));
    }
    Value::Object(arguments)
}

fn properties(input: &Value) -> impl Iterator<Item = (&String, &Value)> {
    input["properties"].as_object().into_iter().flatten()
}

fn long(property: &str) -> String {
    property.replace('_', "-")
}

fn has_type(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    }
}

/// Text if the schema accepts text, else JSON. Text that is not valid JSON goes to the tool
/// unchanged, which rejects it by its schema.
fn read(text: &str, schema: &Value) -> Value {
    let json = (!has_type(schema, "string"))
        .then(|| serde_json::from_str(text).ok())
        .flatten();
    json.unwrap_or_else(|| text.into())
}
