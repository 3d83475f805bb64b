//! `run`: plays scripts, each on a new endpoint.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{Out, complain};
use crate::{
    diag::shown_path,
    endpoint::Endpoint,
    script::{self, Step},
};

/// Plays every script. The output without `check` is a transcript, which can be saved and checked
/// later.
pub(super) fn scripts(
    out: &mut Out,
    scripts: &[PathBuf],
    check: bool,
    new: &dyn Fn() -> io::Result<Box<dyn Endpoint>>,
) -> io::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for (at, path) in scripts.iter().enumerate() {
        let read = read(path).map_err(|problem| format!("{}: {problem}", shown_path(path)));
        let steps = read.and_then(|text| {
            script::parse(&text).map_err(|problem| {
                format!("{}:{}: {}", shown_path(path), problem.line, problem.message)
            })
        });
        let steps = match steps {
            Ok(steps) => steps,
            Err(message) => return Ok(complain(&message, 2)),
        };
        let mut endpoint = new()?;
        if check {
            if !checked(out, path, &steps, endpoint.as_mut())? {
                code = ExitCode::FAILURE;
            }
        } else {
            if scripts.len() > 1 {
                out.text(&format!(
                    "{}# {}\n",
                    if at > 0 { "\n" } else { "" },
                    shown_path(path)
                ))?;
            }
            shown(out, &steps, endpoint.as_mut())?;
        }
    }
    Ok(code)
}

fn read(path: &Path) -> io::Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    fs::read_to_string(path)
}

fn shown(out: &mut Out, steps: &[Step], endpoint: &mut dyn Endpoint) -> io::Result<()> {
    for (at, step) in steps.iter().enumerate() {
        if at > 0 {
            out.text("\n")?;
        }
        out.sent(&step.call.to_string())?;
        out.reply(&step.call.play(endpoint), "> ")?;
    }
    Ok(())
}

/// Whether every reply was as expected.
fn checked(
    out: &mut Out,
    path: &Path,
    steps: &[Step],
    endpoint: &mut dyn Endpoint,
) -> io::Result<bool> {
    let (mut compared, mut differing) = (0, 0);
    for step in steps {
        let answer = step.call.play(endpoint);
        let Some(expected) = &step.expected else {
            continue;
        };
        compared += 1;
        if let Err(difference) = script::compare(expected, &answer.text) {
            differing += 1;
            out.text(&format!("{}:{}: {difference}", shown_path(path), step.line))?;
            out.text("  the step and its whole reply:")?;
            out.sent(&step.call.to_string())?;
            out.reply(&answer, "> ")?;
        }
    }
    let (path, steps) = (shown_path(path), steps.len());
    out.text(&match differing {
        0 => format!("ok {path}: {steps} steps, {compared} compared"),
        _ => format!("FAILED {path}: {differing} of {compared} replies differ"),
    })?;
    Ok(differing == 0)
}
