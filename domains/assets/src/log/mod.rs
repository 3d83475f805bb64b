//! Lines of the log, on standard error.
//! Nothing that a client reads is written here.

use std::fmt;
use std::io::{self, Write as _};

/// Writes a line with a timestamp. Control characters in it are escaped. Errors of the log are
/// ignored.
pub fn line(text: impl fmt::Display) {
    let mut line = format!("{} ", stamp());
    for letter in text.to_string().chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line.push('\n');
    let _ = io::stderr().write_all(line.as_bytes());
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
