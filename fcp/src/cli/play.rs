//! `run`: plays scripts, each on a new endpoint.

use std::{
    fs::{self, File},
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

/// The longest script, in bytes: as much as a request.
pub(super) const SCRIPT_BYTES: u64 = 64 << 20;
/// The most lines of a script: a step takes a hundred times the memory of its line end.
const SCRIPT_LINES: usize = 1_000_000;

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

/// The text of a script, or the error of reading it.
fn read(path: &Path) -> Result<String, String> {
    let fail = |problem: io::Error| problem.to_string();
    let mut bytes = Vec::new();
    let most = SCRIPT_BYTES + 1;
    if path == Path::new("-") {
        io::stdin().take(most).read_to_end(&mut bytes)
    } else {
        regular(path)?.take(most).read_to_end(&mut bytes)
    }
    .map_err(fail)?;
    if bytes.len() as u64 > SCRIPT_BYTES {
        let limit = SCRIPT_BYTES >> 20;
        return Err(format!(
            "has over {limit} MiB, the limit of a script; split it"
        ));
    }
    if memchr::memchr_iter(b'\n', &bytes)
        .nth(SCRIPT_LINES)
        .is_some()
    {
        return Err(format!(
            "has over {SCRIPT_LINES} lines, the limit of a script; split it"
        ));
    }
    String::from_utf8(bytes)
        .map_err(|problem| format!("not UTF-8 at byte {}", problem.utf8_error().valid_up_to()))
}

/// Opens a file. A pipe could block, and a device has no end.
fn regular(path: &Path) -> Result<File, String> {
    let fail = |problem: io::Error| problem.to_string();
    let special = || Err("not a regular file; standard input is read as -".to_owned());
    // Opening a device may have effects, so the kind is checked before, and again afterwards.
    if !fs::metadata(path).map_err(fail)?.is_file() {
        return special();
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path).map_err(fail)?;
    match file.metadata().map_err(fail)?.is_file() {
        true => Ok(file),
        false => special(),
    }
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
