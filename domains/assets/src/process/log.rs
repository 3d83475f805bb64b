//! What the program says beside its replies: lines on standard error.

use std::fmt;
use std::io::{self, Write};

/// Now, to the microsecond, in UTC: `2026-01-02T03:04:05.678901+00:00`.
pub(super) fn stamp() -> impl fmt::Display {
    chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.6f+00:00")
}

/// Says a line: the time and an event. Line breaks in it are told by their codes.
pub fn log(event: impl fmt::Display) {
    let event = event.to_string();
    let mut line = format!("{} ", stamp());
    for letter in event.chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line.push('\n');
    // If standard error is closed, there is nobody to tell.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// The line for a program that cannot start.
pub fn setup_failed(detail: &str) {
    log(format_args!(
        "mcp:error reason=setup_failed detail={detail}"
    ));
}

/// A line for what the program does without.
pub fn warn(detail: &str) {
    log(format_args!("mcp:warning detail={detail}"));
}
