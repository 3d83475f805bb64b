//! Lines of the log, on standard error.
//! Nothing that a client reads is written here.

use std::fmt;
use std::io::{self, Write as _};

use fcp::diag::breaks;

/// Writes a line with a timestamp. Characters that break the line, are invisible or reverse its text are escaped. Errors
/// of the log are ignored.
pub fn line(text: impl fmt::Display) {
    let line = format!("{} {}\n", stamp(), escaped(&text.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if breaks(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Logs why the program cannot start.
pub fn setup_failed(why: impl fmt::Display) {
    line(format_args!("mcp:error reason=setup_failed detail={why}"));
}

/// The current time in ISO 8601, in UTC: `2026-01-02T03:04:05.678901+00:00`.
#[must_use]
pub fn stamp() -> String {
    let now = chrono::Utc::now();
    now.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}
