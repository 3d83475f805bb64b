//! The commands shown in the README must be runnable.

use std::collections::BTreeSet;

use clap::CommandFactory;

use super::{Report, Tree};
use crate::workspace::{list, text};

/// The path of the README.
pub const README: &str = "README.md";

/// A command in a fenced block, with the line it starts on.
pub struct Shown {
    /// Its line, from 1.
    pub line: usize,
    /// The command, with continued lines joined.
    pub command: String,
}

/// The commands in blocks marked `sh`, `bash`, `shell` or `console`; in a console they follow `$ `.
pub fn commands(text: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut block: Option<&str> = None;
    let mut goes_on = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(mark) = line.strip_prefix("```") {
            block = match block {
                None => Some(mark),
                Some(_) => None,
            };
            goes_on = false;
            continue;
        }
        let line = match block {
            Some("sh" | "bash" | "shell") => line.strip_prefix("$ ").unwrap_or(line),
            Some("console") if goes_on => line,
            Some("console") => match line.strip_prefix("$ ") {
                Some(line) => line,
                None => continue,
            },
            _ => continue,
        };
        if line.is_empty() || line.starts_with('#') {
            goes_on = false;
            continue;
        }
        let line = line.split(" # ").next().unwrap_or(line).trim_end();
        let (line, more) = match line.strip_suffix('\\') {
            Some(line) => (line.trim_end(), true),
            None => (line, false),
        };
        match shown.last_mut().filter(|_| goes_on) {
            Some(last) => last.command = format!("{} {line}", last.command),
            None => shown.push(Shown {
                line: at + 1,
                command: line.to_owned(),
            }),
        }
        goes_on = more;
    }
    shown
}

/// Names that may occur in a command.
struct Known {
    packages: BTreeSet<String>,
    programs: BTreeSet<String>,
    examples: BTreeSet<String>,
    commands: BTreeSet<String>,
}

/// Checks that README.md exists, and that everything in its commands exists.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    let Some(readme) = tree.file(README) else {
        report.add(
            README,
            1,
            "there is no README.md",
            "write one, with the command that tests and one that shows what this is, in blocks marked sh",
        );
        return;
    };
    let known = Known::of(tree);
    let shown = commands(&readme.text);
    for (start, why) in [
        ("cargo test", "the command that runs the tests"),
        ("cargo run", "a command that shows what this is"),
    ] {
        if !shown.iter().any(|shown| shown.command.starts_with(start)) {
            report.add(
                README,
                1,
                format!("it does not show {why}: {start} …"),
                "show it in a block marked sh; cargo xtask ci runs it",
            );
        }
    }
    for Shown { line, command } in &shown {
        for simple in command.split(['|', ';', '&']) {
            if let Err(problem) = known.check(tree, simple) {
                report.add(
                    README,
                    *line,
                    format!("{}: {problem}", simple.trim()),
                    "show a command that can be run",
                );
            }
        }
    }
}

impl Known {
    fn of(tree: &Tree) -> Self {
        let members = list(&tree.metadata, "workspace_members");
        let (mut packages, mut programs, mut examples) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for package in list(&tree.metadata, "packages") {
            if !members.contains(&package["id"]) {
                continue;
            }
            packages.insert(text(package, "name").to_owned());
            for target in list(package, "targets") {
                let is = |kind: &str| list(target, "kind").iter().any(|own| own == kind);
                let name = text(target, "name").to_owned();
                if is("bin") {
                    programs.insert(name);
                } else if is("example") {
                    examples.insert(name);
                }
            }
        }
        let commands = crate::Args::command()
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect();
        Self {
            packages,
            programs,
            examples,
            commands,
        }
    }

    fn check(&self, tree: &Tree, command: &str) -> Result<(), String> {
        let words: Vec<&str> = command
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']))
            // Skip environment settings before the program.
            .skip_while(|word| {
                word.split_once('=').is_some_and(|(name, _)| {
                    name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
                })
            })
            .collect();
        let Some((&program, rest)) = words.split_first() else {
            return Ok(());
        };
        let among = |what: &str, name: &str, names: &BTreeSet<String>| {
            if names.contains(name) {
                return Ok(());
            }
            let all: Vec<&str> = names.iter().map(String::as_str).collect();
            Err(format!(
                "there is no {what} {name}; there are {}",
                all.join(", ")
            ))
        };
        if program == "cargo" && rest.first() == Some(&"xtask") {
            let Some(name) = rest.get(1) else {
                return Ok(());
            };
            return among("command", name, &self.commands);
        }
        if program == "cargo" {
            let split = rest.iter().position(|word| *word == "--");
            let (own, _) = rest.split_at(split.unwrap_or(rest.len()));
            for pair in own.windows(2) {
                match pair[0] {
                    "-p" | "--package" => among("package", pair[1], &self.packages)?,
                    "--bin" => among("program", pair[1], &self.programs)?,
                    "--example" => among("example", pair[1], &self.examples)?,
                    _ => {}
                }
            }
        } else if program.starts_with("target/") {
            let name = program.rsplit('/').next().unwrap_or(program);
            return among("program", name, &self.programs);
        }
        // A word with a slash is a path in the workspace, unless created by the command or a
        // placeholder.
        let words = std::iter::once(&program).chain(rest);
        for word in words {
            let path = word.trim_start_matches("./");
            let literal = path.contains('/')
                && !path.starts_with(['/', '-', '~', '<', '.'])
                && !path.contains([':', '=', '*', '$', '…'])
                || path.starts_with(".ci/");
            let missing = literal && !path.starts_with("target/") && !tree.has(path);
            if missing {
                return Err(format!("there is no {path}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_blocks() {
        let text = "`cargo no`\n```sh\n# a comment\ncargo test --workspace # all\n\ncargo run \\\n  -p x\n```\n```text\ncargo no\n```\n```console\n$ cargo xtask ci\nsaid\n```\n";
        let shown = commands(text);
        let shown: Vec<(usize, &str)> = shown
            .iter()
            .map(|shown| (shown.line, shown.command.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                (4, "cargo test --workspace"),
                (6, "cargo run -p x"),
                (13, "cargo xtask ci")
            ]
        );
    }
}
