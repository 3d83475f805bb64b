//! `repl`: plays a script as it is typed or piped.

use std::{
    io::{self, BufRead, IsTerminal, Read},
    process::ExitCode,
};

use super::play::SCRIPT_BYTES;
use super::{Out, complain};
use crate::{
    diag::Diagnostic,
    endpoint::{Answer, Endpoint},
    script::{Item, Reader},
};

/// Answers line by line until the input ends. An error does not end it.
pub(super) fn run(out: &mut Out, endpoint: &mut dyn Endpoint) -> io::Result<ExitCode> {
    let mut input = io::stdin().lock();
    let people = input.is_terminal() && out.is_terminal();
    let domain = endpoint.domain();
    if people {
        let title = endpoint.title();
        out.text(&format!(
            "{title}. Ops, ? queries, ! actions, help [TOPIC]; Ctrl-D ends."
        ))?;
    }
    let mut reader = Reader::default();
    let mut line = Vec::new();
    // The bytes of a call of several lines that has not ended.
    let mut pending = 0;
    loop {
        if people {
            out.prompt(&if reader.is_open() {
                "… ".to_owned()
            } else {
                format!("{domain}> ")
            })?;
        }
        line.clear();
        if (&mut input)
            .take(SCRIPT_BYTES + 1)
            .read_until(b'\n', &mut line)?
            == 0
        {
            break;
        }
        pending = if reader.is_open() { pending } else { 0 } + line.len() as u64;
        if pending > SCRIPT_BYTES {
            let limit = SCRIPT_BYTES >> 20;
            return Ok(complain(&format!("a call has over {limit} MiB"), 2));
        }
        let text = String::from_utf8_lossy(&line);
        let answer = match text
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((text.trim(), ""))
        {
            ("help", topic) if !reader.is_open() => {
                endpoint.help(Some(topic.trim()).filter(|topic| !topic.is_empty()))
            }
            _ => match reader.feed(text.trim_end_matches(['\r', '\n'])) {
                // Expected replies in a transcript are not sent.
                Ok(None | Some(Item::Expected(_))) => continue,
                Ok(Some(Item::Call { call, .. })) => call.play(endpoint),
                Err(problem) => mistake(problem.message),
            },
        };
        out.reply(&answer, "")?;
    }
    if people {
        out.text("\n")?;
    }
    if let Err(problem) = reader.finish() {
        out.reply(&mistake(problem.message), "")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn mistake(message: String) -> Answer {
    Answer {
        text: Diagnostic::new(message).to_string(),
        is_error: true,
        blocks: Vec::new(),
    }
}
