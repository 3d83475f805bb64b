//! Lines of the log, on standard error.

use std::io::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes a line with the time before it. A log that cannot be written is nobody's loss.
pub fn line(text: &str) {
    let now = stamp(SystemTime::now());
    let _ = writeln!(
        io::stderr().lock(),
        "{now} {}",
        text.replace(['\n', '\r'], " ")
    );
}

/// A time as ISO 8601 has it, in UTC: `2026-01-02T03:04:05.678901+00:00`. Times before 1970 are 1970.
#[must_use]
pub fn stamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let micros = since.subsec_micros();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}+00:00")
}

/// The date so many days after 1970-01-01. Years are counted from March, so that the day that may be missing is their last.
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 {
        (year, month + 3)
    } else {
        (year + 1, month - 9)
    };
    (era * 400 + year, month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        for (seconds, wanted) in [
            (0, "1970-01-01T00:00:00.678901+00:00"),
            (951_782_399, "2000-02-28T23:59:59.678901+00:00"),
            (951_782_400, "2000-02-29T00:00:00.678901+00:00"),
            (1_767_323_045, "2026-01-02T03:04:05.678901+00:00"),
            (4_107_542_400, "2100-03-01T00:00:00.678901+00:00"),
        ] {
            let time = UNIX_EPOCH + Duration::new(seconds, 678_901_000);
            assert_eq!(stamp(time), wanted);
        }
    }
}
