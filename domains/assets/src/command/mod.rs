//! Commands: they print lines of JSON and end, instead of serving.
//! Requests on standard input are in `front`.

mod source;
mod validate;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use fcp::endpoint::{Config, Flag, FlagValue};
use fcp::tool::{Cancel, Toolbox, Tools};

use crate::json::Json;
use crate::process;
use crate::state::Assets;
use source::{Problem, Source};

/// Validates files.
pub const VALIDATE: Flag = Flag {
    name: "validate",
    takes: FlagValue::Text {
        names: &["PATH"],
        more: true,
    },
    doc: "Validate files, the .json files of folders, or standard input (-), a line of JSON each; 0 is valid, 1 invalid, 2 unreadable.",
};

/// The schema to validate by.
pub const SCHEMA: Flag = Flag {
    name: "schema",
    takes: FlagValue::Text {
        names: &["NAME"],
        more: false,
    },
    doc: "The schema to validate by; else the file names its own.",
};

/// Lists what is served.
pub const LIST: Flag = Flag {
    name: "list",
    takes: FlagValue::None,
    doc: "List the schemas and the examples.",
};

/// Compares two files.
pub const DIFF: Flag = Flag {
    name: "diff",
    takes: FlagValue::Text {
        names: &["BASE", "NEW"],
        more: false,
    },
    doc: "Print the patch from one file to another; 0 means no difference, 1 a difference, 2 unreadable.",
};

/// Prints a schema as one bundle.
pub const BUNDLE: Flag = Flag {
    name: "bundle",
    takes: FlagValue::Text {
        names: &["NAME"],
        more: false,
    },
    doc: "Print a schema with all that it refers to.",
};

/// The worst outcome, which becomes the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Code {
    Good,
    Bad,
    Unreadable,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

/// Runs the command that the flags ask for, or returns `None` if they ask for none.
///
/// # Errors
/// Writing to standard output fails.
pub fn run(tools: &Toolbox<Assets>, config: &Config) -> io::Result<Option<ExitCode>> {
    let flags = &config.flags;
    let asked = [VALIDATE, LIST, DIFF, BUNDLE];
    let asked: Vec<&Flag> = asked.iter().filter(|flag| flags.has(flag)).collect();
    let usage = match asked.as_slice() {
        [] | [_] if flags.has(&SCHEMA) && !flags.has(&VALIDATE) => "--schema is for --validate",
        [] => return Ok(None),
        [_] => "",
        _ => "--validate, --list, --diff and --bundle are one at a time",
    };
    if !usage.is_empty() {
        // If standard error is closed, the message is lost.
        let _ = writeln!(io::stderr(), "error: {usage}");
        return Ok(Some(Code::Unreadable.into()));
    }
    process::command();
    let mut out = io::stdout().lock();
    let texts = |flag: &Flag| flags.texts(flag).collect::<Vec<&OsStr>>();
    let code = if flags.has(&VALIDATE) {
        let schema = flags.texts(&SCHEMA).next();
        let schema = schema.map(OsStr::to_string_lossy);
        let paths = texts(&VALIDATE);
        validate::paths(tools, &config.root, &paths, schema.as_deref(), &mut out)?
    } else if let [base, new] = texts(&DIFF).as_slice() {
        let (line, code) = diff(tools, &config.root, base, new);
        writeln!(out, "{line}")?;
        code
    } else if let [name] = texts(&BUNDLE).as_slice() {
        let name = Json::String(name.to_string_lossy());
        call(
            tools,
            "bundle_schema",
            &format!(r#"{{"name":{name}}}"#),
            &mut out,
        )?
    } else {
        call(tools, "list_schemas", "{}", &mut out)?.max(call(
            tools,
            "list_examples",
            "{}",
            &mut out,
        )?)
    };
    out.flush()?;
    Ok(Some(code.into()))
}

/// Prints the reply of a tool.
fn call(tools: &dyn Tools, tool: &str, arguments: &str, out: &mut dyn Write) -> io::Result<Code> {
    let Some(reply) = tools.carry_out(tool, arguments, &Cancel::never()) else {
        return Err(io::Error::other(format!("there is no tool {tool}")));
    };
    writeln!(out, "{}", reply.text)?;
    Ok(if reply.is_error {
        Code::Bad
    } else {
        Code::Good
    })
}

/// The patch from one file to another as a line, and whether they differ.
fn diff(tools: &dyn Tools, root: &Path, base: &OsStr, new: &OsStr) -> (String, Code) {
    let read = |path: &OsStr| Source::of(root, path).text();
    let (base, new) = match (read(base), read(new)) {
        (Ok(base), Ok(new)) => (base, new),
        (Err(problem), _) | (_, Err(problem)) => return (problem.line(), Code::Unreadable),
    };
    let values = match (Problem::json(&base), Problem::json(&new)) {
        (Ok(base), Ok(new)) => (base, new),
        (Err(problem), _) | (_, Err(problem)) => return (problem.line(), Code::Unreadable),
    };
    let code = if values.0 == values.1 {
        Code::Good
    } else {
        Code::Bad
    };
    let arguments = format!(r#"{{"base":{base},"new":{new}}}"#);
    let reply = tools.carry_out("diff_assets", &arguments, &Cancel::never());
    (reply.map_or_else(String::new, |reply| reply.text), code)
}
