//! `parse`: the op parser as a filter, for tests in any language.
//!
//! Reads one op per line, and answers each with one line of JSON: the op's `verb`, `positionals`,
//! `params`, `selectors`, `arrows` if it has any, and `raw`; or `error`, `raw` and `span`, in bytes
//! of `raw`. With `--json` a line is a JSON string, so that an op may contain line breaks. A line
//! that is not a JSON string, or not UTF-8, is answered by an error for the whole line, so that
//! answers and lines always pair up. Each answer is flushed before the next line is read.

use std::io::{self, BufRead, ErrorKind, Write};

use fcp::op;
use serde_json::{Value, json};

use crate::workspace::Result;

/// Read ops line by line, and print what they parse to as JSON.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Each line is a JSON string.
    #[arg(long)]
    json: bool,
}

/// Answers standard input on standard output.
pub fn run(args: &Args) -> Result<bool> {
    match answer_all(io::stdin().lock(), io::stdout().lock(), args.json) {
        Ok(()) => Ok(true),
        // The reader has closed the pipe.
        Err(problem) if problem.kind() == ErrorKind::BrokenPipe => Ok(true),
        Err(problem) => Err(problem.into()),
    }
}

fn answer_all(mut input: impl BufRead, mut output: impl Write, json: bool) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let mut answer = answer(text, json)?.to_string();
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
}

fn answer(line: &[u8], json: bool) -> io::Result<Value> {
    let op = if json {
        serde_json::from_slice(line).map_err(|problem| format!("not a JSON string: {problem}"))
    } else {
        String::from_utf8(line.to_vec()).map_err(|problem| format!("not UTF-8: {problem}"))
    };
    Ok(match op {
        Ok(op) => match op::parse(&op) {
            Ok(op) => serde_json::to_value(op)?,
            Err(error) => serde_json::to_value(error)?,
        },
        Err(error) => {
            let raw = String::from_utf8_lossy(line);
            json!({ "error": error, "raw": raw, "span": { "start": 0, "end": raw.len() } })
        }
    })
}
