//! Limits of ops. A file beyond them can still be opened and is kept.

/// The last tick an op can name: the maximum of a four-byte delta time.
pub const TICK: u32 = 268_435_455;

/// The last bar an op can name.
pub const BAR: u32 = 999_999;

/// The last second an op can name.
pub const SECOND: u32 = 9_999_999;

/// A number with a comma before every three digits: `268,435,455`.
pub(super) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// The columns of tables that count ticks: a number computed from them is a number of ticks.
pub const TICK_COLUMNS: &[&str] = &[
    "at", "dur", "end", "end_tick", "off_beat", "sub", "tick", "ticks",
];

/// The columns of tables that count bars or beats, like the number of a position as written.
pub const BAR_COLUMNS: &[&str] = &["bar", "beat", "near_bar", "near_beat"];
