//! Structured tools: their examples, and the check of a whole toolset.

use std::path::Path;

use super::play::{Scratch, lay, scratch};
use crate::endpoint::{Config, Flags};
use crate::tool::{Toolbox, Tools, Toolset, alike, steps};

/// A toolset in a folder that checks all replies against their schemas. Sets flags that begin with
/// `no-`, since results would otherwise depend on the machine.
///
/// # Panics
/// It cannot be opened, or its tools are inconsistent.
#[must_use]
pub fn toolbox<S: Toolset>(root: &Path) -> Toolbox<S> {
    let opened = Toolbox::open(&config::<S>(root));
    opened.unwrap_or_else(|error| panic!("{error}")).checked()
}

/// A configuration for tests, with the flags that begin with `no-`.
pub(in crate::testing) fn config<S: Toolset>(root: &Path) -> Config {
    let without = S::FLAGS.iter().filter(|flag| flag.name.starts_with("no-"));
    Config {
        flags: without.fold(Flags::default(), |flags, flag| flags.with(flag, None)),
        ..Config::at(root)
    }
}

/// Plays the examples of one tool. Each starts from a newly opened toolset, in a folder with only
/// its [example files](Toolset::EXAMPLE_FILES).
///
/// # Panics
/// There is no such tool, or a reply differs from the example. The message names the place in the
/// source.
pub fn tool_examples<S: Toolset>(name: &str) {
    let root = folder::<S>();
    let tools = toolbox::<S>(root.path());
    let Some(tool) = tools.find(name) else {
        panic!("{name} is not registered")
    };
    let mut failures = Vec::new();
    for example in tool.examples {
        if let Err((line, failure)) = play::<S>(name, example.script) {
            let line = example.line as usize + line - 1;
            failures.push(format!("{}:{line}\n{failure}", tool.source.file));
        }
    }
    assert!(
        failures.is_empty(),
        "examples of {name} are not true:\n{}",
        failures.join("\n")
    );
}

/// A folder with the files that examples use.
fn folder<S: Toolset>() -> Scratch {
    let root = scratch();
    lay(root.path(), S::EXAMPLE_FILES.iter().copied());
    root
}

/// Plays the calls of an example. The error has the line number.
fn play<S: Toolset>(own: &str, script: &str) -> Result<(), (usize, String)> {
    let root = folder::<S>();
    let tools = toolbox::<S>(root.path());
    for step in steps(script)? {
        let name = step.tool.as_deref().unwrap_or(own);
        let sent = format!("{name} {}", step.arguments);
        let Some(reply) = tools.call(name, step.arguments) else {
            return Err((step.line, format!("{sent}\nthere is no tool {name}")));
        };
        let (sign, text) = (if reply.is_error { '!' } else { '>' }, &reply.text);
        let good = match &step.expected {
            Some(expected) => {
                expected.is_error == reply.is_error
                    && reply
                        .value()
                        .is_ok_and(|value| alike(&expected.value, &value))
            }
            // A call without an expected reply is set-up: it must succeed.
            None => !reply.is_error,
        };
        if !good {
            return Err((step.line, format!("{sent}\nanswers\n{sign} {text}")));
        }
    }
    Ok(())
}

/// Checks that a toolset is consistent: its tools have distinct names and valid schemas, every file
/// of `tools/` registers something, and the help names all tools.
///
/// `source` is the crate's `src`: `concat!(env!("CARGO_MANIFEST_DIR"), "/src")`.
///
/// # Panics
/// A check fails.
pub fn tool_conformance<S: Toolset>(source: &str) {
    let root = scratch();
    let tools = toolbox::<S>(root.path());
    assert!(!tools.list().is_empty(), "no tool is registered");
    let files: Vec<&str> = tools.list().iter().map(|tool| tool.source.file).collect();
    let silent = super::domain::silent(Path::new(source), &["tools"], &files);
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    let help = tools.help(None).unwrap_or_default();
    assert!(help.len() <= 12 * 1024, "help has {} bytes", help.len());
    for tool in tools.list() {
        let line = format!("\n{}", tool.name);
        assert!(help.contains(&line), "the help lacks {}", tool.name);
        let own = tools.help(Some(tool.name)).unwrap_or_default();
        assert!(
            own.len() <= 4096,
            "help on {} has {} bytes",
            tool.name,
            own.len()
        );
    }
    let unknown = tools.help(Some("zzqx-nothing"));
    let unknown = unknown.err().map(|error| error.to_string());
    assert!(
        unknown.as_ref().is_some_and(|text| text.len() <= 300),
        "an unknown tool: {unknown:?}"
    );
}

/// The tests of every domain of structured tools, in one line: it is consistent, and its program
/// keeps the contract.
///
/// ```ignore
/// fcp::testing::tools!(fcp_shelf::Shelf);
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __tools {
    ($toolset:ty) => {
        #[test]
        fn the_tools_hold_together() {
            $crate::testing::tool_conformance::<$toolset>(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/src"
            ));
        }

        #[test]
        fn the_program_ends_in_order_at_a_signal() {
            $crate::testing::ends_at_signals(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }

        #[test]
        fn the_program_answers_requests_that_it_cannot_read() {
            $crate::testing::answers_every_id(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }

        #[test]
        fn the_program_keeps_the_contract() {
            $crate::testing::contract::tools_keep::<$toolset>(env!(concat!(
                "CARGO_BIN_EXE_",
                env!("CARGO_PKG_NAME")
            )));
        }
    };
}
